/** The five kits: a ZIP has nothing but its files, and they are those that its own sums and this release say (O-41, O-42). */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  FIXTURE_OUTCOMES,
  HANDOFF_LANGUAGES,
  IntegrationKit,
  type IntegrationReport,
} from "../../runtime/contract/integration.ts";
import { RECIPE_IDS, type RecipeId } from "../../runtime/contract/recipe.ts";
import { kitPath, paths, reportPath } from "../../runtime/contract/policy.ts";
import { compileSchema, firstFault } from "../../runtime/contract/validator.ts";
import { foreignIn, type Known } from "./addresses.ts";
import type { Dist, Faults } from "./dist.ts";
import { type Documents, factsIn } from "./documents.ts";
import { formatJson, memberAt, readJson, readObject } from "./json.ts";
import { fragmentOf } from "./openapi.ts";
import type { RegistryFacts } from "./registry.ts";
import { type Files, readZip } from "./zip.ts";

/** The kits that can be read. */
export type Kits = ReadonlyMap<RecipeId, Files>;

const parseManifest = compileSchema(IntegrationKit);
const [MANIFEST, SUMS] = ["manifest.json", "SHA256SUMS"];

export function readKits(dist: Dist): { readonly kits: Kits; readonly faults: Faults } {
  const kits = new Map<RecipeId, Files>();
  const faults: Faults = [];
  for (const id of RECIPE_IDS) {
    const place = kitPath(id).slice(1);
    const bytes = dist.read(place);
    // What is missing is told with the manifest.
    if (bytes === undefined) continue;
    const files = readZip(Buffer.from(bytes), `service-semantics-${id}/`);
    if (typeof files === "string") faults.push(`${place}: ${files}`);
    else kits.set(id, files);
  }
  return { kits, faults };
}

/** What a kit is held against. */
export interface Beside {
  readonly dist: Dist;
  readonly documents: Documents;
  readonly facts: RegistryFacts | undefined;
  readonly known: Known;
}

export function checkKits(kits: Kits, beside: Beside): Faults {
  return [...kits].flatMap(([id, files]) => {
    const found = [
      ...checkInside(files, id),
      ...checkAgainst(files, id, beside),
      ...checkPrograms(id, kits),
      ...checkCalls(files, beside.known.origin),
      ...(beside.facts === undefined ? [] : checkForeignIn(files, beside.known)),
    ];
    return found.map((text) => `${kitPath(id).slice(1)}: ${text}`);
  });
}

function checkForeignIn(files: Files, known: Known): Faults {
  return [...files].flatMap(([name, bytes]) => foreignIn(bytes.toString(), known).map((text) => `${name} ${text}`));
}

/** The kit by itself: its names, its sums, its manifest. */
function checkInside(files: Files, id: RecipeId): Faults {
  const faults: Faults = [];
  const listed = [...files].filter(([name]) => name !== SUMS);
  const lines = listed.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  if (files.get(SUMS)?.toString() !== lines.join("")) faults.push(`${SUMS} is not that of its files`);
  const needed = [...FILES, ...FIXTURE_OUTCOMES.map((outcome) => `fixtures/${outcome}.json`)];
  for (const name of needed.filter((one) => !files.has(one))) faults.push(`${name} is missing`);
  for (const name of files.keys()) {
    if (!needed.includes(name) && !isProgram(name)) faults.push(`${name} is nothing that a kit has`);
  }
  const json = readJson(files.get(MANIFEST) ?? new Uint8Array());
  const reading = json.ok ? parseManifest(json.value) : undefined;
  if (reading?.ok !== true) {
    const fault = json.ok ? firstFault(reading?.violations ?? [], "", "it") : json.fault;
    return [...faults, `${MANIFEST}: ${fault}`];
  }
  if (formatJson(reading.value) !== files.get(MANIFEST)?.toString()) faults.push(`${MANIFEST} is not in its form`);
  if (reading.value.recipeId !== id) faults.push(`${MANIFEST}: another recipe`);
  if (!isDeepStrictEqual(reading.value.files, listFiles(files, [MANIFEST, SUMS])))
    faults.push(`${MANIFEST} does not list its files`);
  return faults;
}

const FILES = ["README.md", SUMS, "instructions.txt", MANIFEST, "openapi.json", "registry-excerpt.ndjson", "report.json", "tool.json"]; // prettier-ignore

function isProgram(name: string): boolean {
  return HANDOFF_LANGUAGES.some((language) => name.startsWith(`${language}/`));
}

/** Files as the documents list them. */
export function listFiles(files: Files, without: readonly string[]): unknown[] {
  return [...files]
    .filter(([name]) => !without.includes(name))
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
}

/** The kit beside the release it is of. */
function checkAgainst(files: Files, id: RecipeId, { dist, documents, facts, known }: Beside): Faults {
  const faults: Faults = [];
  const same = (name: string, place: string): void => {
    const other = dist.read(place.slice(1));
    if (other !== undefined && files.get(name)?.equals(other) !== true) faults.push(`${name} is not ${place.slice(1)}`);
  };
  same("report.json", reportPath(id));
  same("tool.json", paths.agentTool);
  const classifier = dist.names.find((name) => name.startsWith(`${paths.assets.slice(1)}/classify.`));
  if (classifier !== undefined) same("node/classify.mjs", `/${classifier}`);
  const manifest = readObject(files.get(MANIFEST));
  if (manifest !== undefined && dist.manifest !== undefined && facts !== undefined)
    faults.push(...factsIn(manifest, dist.manifest, facts).map((text) => `${MANIFEST}: ${text}`));
  if (memberAt(manifest, "liveResolution", "url") !== known.origin + paths.resolve)
    faults.push(`${MANIFEST}: its live address is another one`);
  const whole = documents.values.get(paths.openapi);
  const fragment = whole === undefined ? undefined : formatJson(fragmentOf(whole));
  if (fragment !== undefined && files.get("openapi.json")?.toString() !== fragment)
    faults.push(`openapi.json is not the part of ${paths.openapi.slice(1)} about resolving`);
  faults.push(...checkTexts(files, id, documents), ...checkExcerpt(files, dist));
  return faults;
}

/** README and instructions quote the recipe and the rules word by word. */
function checkTexts(files: Files, id: RecipeId, { values }: Documents): Faults {
  const report = values.get(reportPath(id)) as IntegrationReport | undefined;
  if (report === undefined) return [];
  const { title, purpose, scenario, placement, recorded, handling, never } = report.recipe;
  const shared = [purpose, ...Object.values(placement), ...handling.map(({ action }) => action), ...never];
  shared.push(...recorded.flatMap(({ what, where }) => [what, where]), report.readiness.registryVersion);
  const rules = memberAt(values.get(paths.capabilities), "minimumData") as string[] | undefined;
  const wanted: Readonly<Record<string, readonly string[]>> = {
    "README.md": [title, scenario, report.release.packageVersion, ...shared],
    "instructions.txt": [...shared, ...report.classifier.rules.map(({ when }) => when), ...(rules ?? [])],
  };
  const acceptance = memberAt(values.get(paths.capabilities), "resultPolicy", "acceptanceRule");
  return Object.entries(wanted).flatMap(([name, texts]) => {
    const text = files.get(name)?.toString() ?? "";
    const isWhole = [...texts, ...(typeof acceptance === "string" ? [acceptance] : [])].every((one) =>
      text.includes(one),
    );
    return isWhole ? [] : [`${name} does not say what the documents say`];
  });
}

/** Each line of the excerpt is the published detail of its concept. */
function checkExcerpt(files: Files, { index }: Dist): Faults {
  if (index === undefined) return [];
  const lines = files.get("registry-excerpt.ndjson")?.toString().split("\n").slice(0, -1) ?? [];
  const odd = lines.filter((line) => {
    const code = readObject(Buffer.from(line))?.["code"];
    const id = typeof code === "string" ? index.conceptId(code) : undefined;
    return id === undefined || Buffer.from(index.read(index.concept(id).detail)).toString() !== `${line}\n`;
  });
  return odd.length === 0 ? [] : ["registry-excerpt.ndjson holds what the registry does not publish"];
}

/** The programs of all kits are the same but for the name of the recipe. */
function checkPrograms(id: RecipeId, kits: Kits): Faults {
  const faults: Faults = [];
  for (const name of new Set([...kits.values()].flatMap((kit) => [...kit.keys()]))) {
    if (!isProgram(name)) continue;
    const forms = [...kits].map(([other, kit]) => kit.get(name)?.toString().replaceAll(other, ""));
    const own = kits.get(id)?.get(name)?.toString().replaceAll(id, "");
    // Of five, the odd one out is at fault.
    if (forms.filter((form) => form === own).length * 2 < forms.length)
      faults.push(`${name} is not the program of the other kits`);
  }
  return faults;
}

/** They call this service. */
function checkCalls(files: Files, origin: string): Faults {
  const url = origin + paths.resolve;
  return [...files]
    .filter(([name, bytes]) => isProgram(name) && /\/handoff\.\w+$/.test(name) && !bytes.includes(url))
    .map(([name]) => `${name} does not call ${url}`);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
