/**
 * Checks the five kits on their own: a ZIP contains only its files, and its own SHA256SUMS and
 * manifest list them (O-41, O-42).
 */
import { isDeepStrictEqual } from "node:util";
import { FIXTURE_OUTCOMES, HANDOFF_LANGUAGES, IntegrationKit } from "../../contract/integration.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS, type RecipeId } from "../../../runtime/contract/recipe.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { formatJson, readAs } from "./json.ts";
import type { Dist, Faults, Files, Kits } from "./parts.ts";
import { readZip } from "./zip.ts";

export const parseManifest = compileSchema(IntegrationKit);
export const MANIFEST = "manifest.json";
const SUMS = "SHA256SUMS";

export function readKits(dist: Dist): { readonly kits: Kits; readonly faults: Faults } {
  const kits = new Map<RecipeId, Files>();
  const faults: Faults = [];
  for (const id of RECIPE_IDS) {
    const place = kitPath(id).slice(1);
    const bytes = dist.read(place);
    // A missing file is reported with the manifest.
    if (bytes === undefined) continue;
    const files = readZip(Buffer.from(bytes), `service-semantics-${id}/`);
    if (typeof files === "string") faults.push(`${place}: ${files}`);
    else kits.set(id, files);
  }
  for (const [id, files] of kits) {
    const found = [...checkInside(files, id), ...checkPrograms(id, kits)];
    faults.push(...found.map((text) => `${kitPath(id).slice(1)}: ${text}`));
  }
  return { kits, faults };
}

/** Checks a kit on its own: its names, digests and manifest. */
function checkInside(files: Files, id: RecipeId): Faults {
  const faults: Faults = [];
  const listed = [...files].filter(([name]) => name !== SUMS);
  const lines = listed.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  if (files.get(SUMS)?.toString() !== lines.join("")) faults.push(`${SUMS} is not that of its files`);
  const needed = [...FILES, ...FIXTURE_OUTCOMES.map((outcome) => `fixtures/${outcome}.json`)];
  for (const name of needed.filter((one) => !files.has(one))) faults.push(`${name} is missing`);
  for (const name of files.keys()) {
    if (!needed.includes(name) && !isProgram(name)) faults.push(`${name} does not belong in a kit`);
  }
  const manifest = readAs(files.get(MANIFEST) ?? new Uint8Array(), parseManifest);
  if (!manifest.ok) return [...faults, `${MANIFEST}: ${manifest.fault}`];
  if (formatJson(manifest.value) !== files.get(MANIFEST)?.toString()) faults.push(`${MANIFEST} is not in its form`);
  if (manifest.value.recipeId !== id) faults.push(`${MANIFEST}: another recipe`);
  if (!isDeepStrictEqual(manifest.value.files, listFiles(files, [MANIFEST, SUMS])))
    faults.push(`${MANIFEST} does not list its files`);
  return faults;
}

const FILES = [
  "README.md",
  SUMS,
  "instructions.txt",
  MANIFEST,
  "openapi.json",
  "registry-excerpt.ndjson",
  "report.json",
  "tool.json",
];

export function isProgram(name: string): boolean {
  return HANDOFF_LANGUAGES.some((language) => name.startsWith(`${language}/`));
}

/** Files as the documents list them. */
export function listFiles(files: Files, without: readonly string[]): unknown[] {
  return [...files]
    .filter(([name]) => !without.includes(name))
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
}

/** The programs of all kits must be the same, with the name of their recipe in the same places. */
function checkPrograms(id: RecipeId, kits: Kits): Faults {
  const faults: Faults = [];
  for (const name of new Set([...kits.values()].flatMap((kit) => [...kit.keys()]))) {
    if (!isProgram(name)) continue;
    const forms = [...kits].map(([other, kit]) => JSON.stringify(kit.get(name)?.toString().split(other)));
    const own = JSON.stringify(kits.get(id)?.get(name)?.toString().split(id));
    // If one of the five differs from the others, that one is at fault.
    if (forms.filter((form) => form === own).length * 2 < forms.length)
      faults.push(`${name} is not the program of the other kits`);
  }
  return faults;
}
