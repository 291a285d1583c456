/** `npm run import`: other people's vocabularies into a registry, as far as they can be, with every fault named. */
import path from "node:path";
import { readCsv } from "../vocabulary/formats/csv-read.ts";
import { readSkos } from "../vocabulary/formats/skos-read.ts";
import { type Source, SourceError } from "../vocabulary/formats/source.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { formatFinding } from "../text/finding.ts";
import { changedFiles } from "../vocabulary/import/files.ts";
import { formatImportFinding, type ImportFinding, refusals } from "../vocabulary/import/import-finding.ts";
import { type Plan, planImport } from "../vocabulary/import/plan.ts";
import {
  CODE_SOURCES,
  type ImportSettings,
  MISSING_DEFINITION,
  REPAIRS,
  REVIEWS,
} from "../vocabulary/import/settings.ts";
import { formatSummary } from "../vocabulary/import/summary.ts";
import { onOneLine } from "../vocabulary/import/text.ts";
import { settleVersion } from "../vocabulary/import/version.ts";
import { choiceOf, listOf, optionOf, type Options } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { checkLanguageTag } from "../registry/check-language.ts";
import { checkRegistry, type Verdict } from "../registry/check.ts";
import { readRegistry, REGISTRY_FILE, type RegistrySource } from "../registry/read.ts";
import { REGISTRY_VERSION_PATTERN } from "../registry/record.ts";
import { writeRegistryFiles } from "../vocabulary/edit/write.ts";
import { reportErrors } from "./load-registry.ts";

/** Exit code 1 where nothing was imported. */
export async function runImport(effects: Effects, console: Console, options: Options): Promise<number> {
  const format = choiceOf(options, "format", { admitted: ["skos", "csv"] });
  const from = [...(options.values.from ?? []), ...options.positionals];
  const { into } = options;
  if (into === undefined) throw new UsageError("--into DIR is needed: the registry to import into, new or not");
  if (from.length === 0) throw new UsageError("--from FILE is needed");
  const wrong = from.find((file) => effects.kind(file) !== "file");
  if (wrong !== undefined) throw new UsageError(`--from ${wrong} is no file`);
  const before = readBefore(effects, console, into);
  if (before === undefined) return 1;
  const settingsOf = readSettings(options, from);
  const source = await readSource(effects, console, { format, from, languages: listOf(options, "languages") });
  if (source === undefined) return 1;
  console.progress(`Planning ${source.concepts.length} concepts`);
  const planned = planImport(source, before, settingsOf(source));
  const { after, verdict } = settleVersion(planned.after, before);
  const plan = { ...planned, after };
  const findingsFile = optionOf(options, "findings");
  if (findingsFile !== undefined) effects.write(findingsFile, encoded(plan.findings));
  if (isRefused(console, { plan, verdict, into, from })) return 1;
  console.progress(`Writing ${into}`);
  writeRegistryFiles(effects, into, changedFiles(effects, into, { before, after }));
  console.progress("");
  for (const line of formatSummary({ from, into, source, plan, findingsFile })) console.print(line);
  return 0;
}

/** The registry as it is; an empty one where there is none yet. Undefined where its own faults must be mended first. */
function readBefore(effects: Effects, console: Console, into: string): RegistrySource | undefined {
  const kind = effects.kind(into);
  if (kind === "file") throw new UsageError(`--into ${into} is a file, not a directory`);
  if (kind === "none" || effects.kind(`${into}/${REGISTRY_FILE}`) === "none") {
    if (kind === "directory" && effects.names(into).length > 0)
      throw new UsageError(`--into ${into} holds files but no ${REGISTRY_FILE}: name a registry, or a new folder`);
    return { registry: undefined, concepts: [], retired: [], history: [], codeMap: [], findings: [] };
  }
  const before = readRegistry(effects, into, (done) => {
    if (done % 5000 === 0) console.progress(`Reading ${into}: ${done} concepts`);
  });
  const { registry, findings } = checkRegistry(before);
  if (registry !== undefined) return before;
  reportErrors(console, into, findings);
  return undefined;
}

interface Files {
  readonly format: "skos" | "csv";
  readonly from: readonly string[];
  readonly languages: readonly string[];
}

async function readSource(
  effects: Effects,
  console: Console,
  { format, from, languages }: Files,
): Promise<Source | undefined> {
  const read = format === "skos" ? readSkos : readCsv;
  const progress = (done: number): void => {
    if (done % 5000 === 0) console.progress(`Reading ${from.join(", ")}: ${done}`);
  };
  try {
    return await read(effects, from, { progress, languages });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    console.progress("");
    console.error(`${error.message}; nothing was imported`);
    return undefined;
  }
}

/** What the person decided, and what the source says where they did not. */
function readSettings(options: Options, from: readonly string[]): (source: Source) => ImportSettings {
  const [first = ""] = from;
  const untagged = optionOf(options, "language");
  for (const tag of [...(untagged === undefined ? [] : [untagged]), ...listOf(options, "languages")]) {
    const [fault] = checkLanguageTag(tag);
    if (fault !== undefined) throw new UsageError(`${fault.text}: ${fault.remedy}`);
  }
  const repairs = listOf(options, "fix").map((given) => {
    const repair = REPAIRS.find((one) => one === given);
    if (repair === undefined) throw new UsageError(`--fix ${given} is none of ${REPAIRS.join(", ")}`);
    return repair;
  });
  const registryVersion = optionOf(options, "version") ?? UNRELEASED;
  if (!new RegExp(REGISTRY_VERSION_PATTERN).test(registryVersion))
    throw new UsageError(`--version ${registryVersion} is not of the form YYYY.MM.N`);
  const settings = {
    domain: optionOf(options, "domain"),
    codeFrom: choiceOf(options, "code-from", { admitted: CODE_SOURCES, fallback: "mint" }),
    reviewAs: choiceOf(options, "review-as", { admitted: REVIEWS, fallback: "in_review" }),
    missingDefinition: choiceOf(options, "missing-definition", { admitted: MISSING_DEFINITION, fallback: "label" }),
    repairs: new Set(repairs),
    untagged,
    languages: listOf(options, "languages"),
    fileName: onOneLine(path.basename(first).replace(/\.[^.]+$/, "")) || "vocabulary",
    registryVersion,
  };
  return ({ title, license }) => ({
    ...settings,
    source: optionOf(options, "source") ?? (onOneLine(title ?? "") || undefined),
    license: optionOf(options, "license") ?? license,
  });
}

/** The version of a registry that nobody released yet. */
const UNRELEASED = "0000.01.0";

interface Planned {
  readonly plan: Plan;
  readonly verdict: Verdict;
  readonly into: string;
  readonly from: readonly string[];
}

/** Says why nothing is written, where that is so. */
function isRefused(console: Console, { plan, verdict, into, from }: Planned): boolean {
  const { fates, findings } = plan;
  const refused = refusals(findings);
  for (const finding of refused.slice(0, SHOWN))
    console.error(formatFinding({ ...finding, severity: "error", pointer: "" }));
  if (refused.length > 0) {
    console.error(`${refused.length} of the findings stop the import: nothing was imported`);
    return true;
  }
  if (fates.gone > 0 && fates.changed + fates.unchanged === 0) {
    console.error(
      `None of the ${fates.gone} concepts that came into ${into} before is in ${from.join(", ")}: that is another ` +
        "vocabulary, so name another --domain; nothing was imported",
    );
    return true;
  }
  if (verdict.registry !== undefined) return false;
  reportErrors(console, into, verdict.findings);
  return true;
}

const SHOWN = 20;

function* encoded(findings: readonly ImportFinding[]): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const finding of findings) yield encoder.encode(formatImportFinding(finding));
}
