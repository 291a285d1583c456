/**
 * Checks the kits against the release: reports, tool, schemas, texts, addresses and quotations from
 * the registry (O-41).
 */
import { isDeepStrictEqual } from "node:util";
import { HANDOFF_LANGUAGES, type IntegrationKit, type IntegrationReport } from "../../contract/integration.ts";
import { kitPath, paths, reportPath, schemaPath } from "../../../runtime/contract/policy.ts";
import type { RecipeId } from "../../../runtime/contract/recipe.ts";
import { foreignIn } from "../integrity/addresses.ts";
import type { Dist, Documents, Faults, Files, Known, Parts } from "../integrity/parts.ts";
import { NO_PERMISSION } from "./agents.ts";
import { factsIn } from "./facts.ts";
import { formatJson, memberAt, readAs, readObject, textAt } from "../integrity/json.ts";
import { fragmentOf } from "./openapi.ts";
import { MANIFEST, parseManifest } from "../integrity/kits.ts";

export function checkKits(parts: Parts): Faults {
  return [...parts.kits].flatMap(([id, files]) => {
    const found = [
      ...checkAgainst(files, id, parts),
      ...(parts.facts === undefined ? [] : checkForeignIn(files, parts.known)),
    ];
    return found.map((text) => `${kitPath(id).slice(1)}: ${text}`);
  });
}

function checkForeignIn(files: Files, known: Known): Faults {
  return [...files].flatMap(([name, bytes]) => foreignIn(bytes.toString(), known).map((text) => `${name} ${text}`));
}

/** Checks a kit against the release it belongs to. */
function checkAgainst(files: Files, id: RecipeId, { dist, documents, facts, known }: Parts): Faults {
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
    for (const text of factsIn(manifest, dist.manifest, facts)) faults.push(`${MANIFEST}: ${text}`);
  if (memberAt(manifest, "liveResolution", "url") !== known.origin + paths.resolve)
    faults.push(`${MANIFEST}: its live address is not that of this service`);
  if (memberAt(manifest, "$schema") !== known.origin + schemaPath("integration-kit"))
    faults.push(`${MANIFEST}: names another schema`);
  const kit = readAs(files.get(MANIFEST) ?? new Uint8Array(), parseManifest);
  if (kit.ok) faults.push(...checkRuns(kit.value).map((text) => `${MANIFEST}: ${text}`));
  const whole = documents.get(paths.openapi);
  const fragment = whole === undefined ? undefined : formatJson(fragmentOf(whole));
  if (fragment !== undefined && files.get("openapi.json")?.toString() !== fragment)
    faults.push(`openapi.json is not the part of ${paths.openapi.slice(1)} about resolving`);
  faults.push(...checkTexts(files, id, documents), ...checkExcerpt(files, dist));
  return faults;
}

/** How people and agents run each program of a kit; the manifest may list no other command. */
const RUNS = {
  python: ["python3", "python/handoff.py"],
  node: ["node", "node/handoff.mjs"],
  powershell: ["pwsh", "-NoProfile", "-File", "powershell/handoff.ps1"],
  curl: ["sh", "curl/handoff.sh"],
} as const;
const LIVE_FLAG = "--live";
/** The exit codes: 0 for the only outcome that gives a code, 2 for wrong usage. */
const PROVE_CODES = [0, 1, 2];
const RESOLVE_CODES = ["0 resolved-valid", "3 unknown", "4 ambiguous", "5 malformed", "6 request-error", "7 service-error"]; // prettier-ignore

function checkRuns({ handoffs, exitCodes, liveResolution }: IntegrationKit): Faults {
  const faults: Faults = [];
  const said = handoffs.map(({ language, prove, resolve }) => ({ language, prove, resolve }));
  const due = HANDOFF_LANGUAGES.map((language) => {
    const run = RUNS[language];
    return { language, prove: [...run, "prove"], resolve: [...run, "resolve", LIVE_FLAG] };
  });
  if (!isDeepStrictEqual(said, due) || liveResolution.flag !== LIVE_FLAG)
    faults.push("its commands are not those of its programs");
  const proved = exitCodes.prove.map(({ code }) => code);
  const resolved = exitCodes.resolve.flatMap(({ code, means }) => (code === 2 ? [] : `${code} ${means.split(":", 1)[0]}`)); // prettier-ignore
  if (!isDeepStrictEqual(proved, PROVE_CODES) || !isDeepStrictEqual(resolved, RESOLVE_CODES))
    faults.push("its exit codes are not those of its programs");
  return faults;
}

/** README and instructions must quote the recipe and the rules word for word. */
function checkTexts(files: Files, id: RecipeId, documents: Documents): Faults {
  const report = documents.get(reportPath(id)) as IntegrationReport | undefined;
  if (report === undefined) return [];
  const { title, purpose, scenario, placement, recorded, handling, never } = report.recipe;
  const shared = [purpose, ...Object.values(placement), ...handling.map(({ action }) => action), ...never];
  shared.push(...recorded.flatMap(({ what, where }) => [what, where]), report.readiness.registryVersion, NO_PERMISSION);
  const contract = documents.get(paths.capabilities);
  const data = memberAt(contract, "inShort", "minimumData");
  const acceptance = memberAt(contract, "resultPolicy", "acceptanceRule");
  const wanted: Readonly<Record<string, readonly unknown[]>> = {
    "README.md": [acceptance, title, scenario, report.release.packageVersion, ...shared],
    "instructions.txt": [acceptance, data, ...shared, ...report.classifier.rules.map(({ when }) => when)],
  };
  return Object.entries(wanted).flatMap(([name, texts]) => {
    const text = files.get(name)?.toString() ?? "";
    // A contract that cannot be read is reported separately.
    const isWhole = texts.every((one) => typeof one !== "string" || text.includes(one));
    return isWhole ? [] : [`${name} does not say what the documents say`];
  });
}

/**
 * Each line of the excerpt must be the published detail of its concept, and each concept in a
 * fixture must have a line.
 */
function checkExcerpt(files: Files, { index }: Dist): Faults {
  if (index === undefined) return [];
  const excerpt = files.get("registry-excerpt.ndjson")?.toString() ?? "";
  // Readers of lines also read a last one that does not end.
  const lines = excerpt.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const foreign = lines.filter((line) => {
    const code = readObject(Buffer.from(line))?.["code"];
    const id = typeof code === "string" ? index.conceptId(code) : undefined;
    return id === undefined || Buffer.from(index.read(index.concept(id).detail)).toString() !== line;
  });
  const shown = [...files]
    .flatMap(([name, bytes]) => (name.startsWith("fixtures/") ? (readObject(bytes) ?? {}) : []))
    .filter((fixture) => textAt(fixture, "drawnFrom") === "registry")
    .flatMap((fixture) => [...textAt(fixture, "response", "body").matchAll(/"code":"([^"]*)"/g)])
    .filter(([text, code = ""]) => index.conceptId(code) !== undefined && !excerpt.includes(text));
  return [
    ...(foreign.length === 0 ? [] : ["registry-excerpt.ndjson holds what the registry does not publish"]),
    ...(shown.length === 0 ? [] : ["registry-excerpt.ndjson lacks a concept that its fixtures show"]),
  ];
}
