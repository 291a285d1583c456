/**
 * Checks the five kits on their own: a ZIP contains only its files, its own SHA256SUMS and manifest
 * list them, and its programs are those of this package (O-41, O-42).
 */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { FIXTURE_OUTCOMES, HANDOFF_FILES, IntegrationKit, VERIFIER_FILE } from "../../contract/integration.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { kitPath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS, type RecipeId } from "../../../runtime/contract/recipe.ts";
import { VERIFIER } from "../../effects/closure.ts";
import { type Effects, readText } from "../../effects/effects.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { formatJson, readAs } from "./json.ts";
import type { Dist, Faults, Files } from "./parts.ts";
import { readZip } from "./zip.ts";

export const parseManifest = compileSchema(IntegrationKit);
export const MANIFEST = "manifest.json";
const SUMS = "SHA256SUMS";

/** The faults of the kits of a release for a service at `origin`. */
export function checkKits(dist: Dist, origin: string, effects: Effects): Faults {
  const sources = readSources(effects);
  return RECIPE_IDS.flatMap((id) => {
    const place = kitPath(id).slice(1);
    const bytes = dist.read(place);
    // A missing file is reported with the manifest.
    if (bytes === undefined) return [];
    const files = readZip(Buffer.from(bytes), `service-semantics-${id}/`);
    const marks = { ORIGIN: origin, PROGRAMS: HANDOFF_FILES.join(" "), RECIPE_ID: id, RESOLVE_URL: origin + paths.resolve }; // prettier-ignore
    const found =
      typeof files === "string" ? [files] : [...checkInside(files, id), ...checkPrograms(files, marks, sources)];
    return found.map((text) => `${place}: ${text}`);
  });
}

/** Checks a kit on its own: its names, digests and manifest. */
function checkInside(files: Files, id: RecipeId): Faults {
  const faults: Faults = [];
  const listed = [...files].filter(([name]) => name !== SUMS);
  const lines = listed.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  if (files.get(SUMS)?.toString() !== lines.join("")) faults.push(`${SUMS} is not that of its files`);
  const needed = [...FILES, ...HANDOFF_FILES, ...FIXTURE_OUTCOMES.map((outcome) => `fixtures/${outcome}.json`)];
  for (const name of needed.filter((one) => !files.has(one))) faults.push(`${name} is missing`);
  for (const name of files.keys()) if (!needed.includes(name)) faults.push(`${name} does not belong in a kit`);
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

/** Files as the documents list them. */
export function listFiles(files: Files, without: readonly string[]): unknown[] {
  return [...files]
    .filter(([name]) => !without.includes(name))
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
}

/** The programs must be the sources of this package, filled in for their recipe and service. */
function checkPrograms(files: Files, marks: Readonly<Record<string, string>>, sources: Sources): Faults {
  return [...sources].flatMap(([name, source]) => {
    const due = source.replaceAll(/@([A-Z_]+)@/g, (_mark, mark: string) => marks[mark] ?? "");
    // A missing file is reported already.
    const isOwn = files.get(name)?.equals(Buffer.from(due)) ?? true;
    return isOwn ? [] : [`${name} is not this version's program`];
  });
}

type Sources = ReadonlyMap<string, string>;

const SOURCES = join(import.meta.dirname, "../../integration/handoffs");

function readSources(effects: Effects): Sources {
  return new Map(HANDOFF_FILES.map((name) => [name, readText(effects, placeOf(name))]));
}

function placeOf(name: string): string {
  return name === VERIFIER_FILE ? VERIFIER : join(SOURCES, name);
}
