/**
 * `import`: brings other people's vocabularies into a registry as far as possible, and reports
 * every fault.
 */
import { type Effects, isOther } from "../../../effects/effects.ts";
import type { RegistrySource } from "../../../registry/read.ts";
import { readBefore } from "../import/before.ts";
import { writeImport } from "../import/files.ts";
import { printable } from "../../../text/printable.ts";
import { separatedBy } from "../../../text/table-head.ts";
import { type ImportFinding, writeFindings } from "../import/import-finding.ts";
import { checkPlan, type Draft, draftImport } from "../import/plan.ts";
import { whyNothing } from "../import/nothing.ts";
import { readSource } from "../import/read-source.ts";
import { whyRefused } from "../import/refused.ts";
import { formatSummary } from "../import/summary.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { writeWhole } from "../../../commands/export-target.ts";
import { IMPORT, type ImportOptions, placesOf, settingsOf, withSource } from "./import-options.ts";
import { DRY, reportErrors } from "../../../commands/registry.ts";

/** A tag or a name of the source can have any length. */
const LINE_MAX = 1000;

/** Exit code 1 if nothing was imported. */
export const command = defineCommand({
  usage: "--from FILE... --into DIR [--format skos|csv|tbx|json]",
  does:
    "Brings a vocabulary into a registry, new or not: SKOS as Turtle, N-Triples, RDF/XML or JSON-LD, CSV, TBX, or the public bundle of a service. Codes " +
    "stay when a newer dump is imported. Every fault is reported; imported content waits for review, unless you vouch for it.",
  options: IMPORT,
  takesArguments: true,
  run: runImport,
});

async function runImport(outside: Outside, options: ImportOptions, args: readonly string[]): Promise<number> {
  const { effects, console } = outside;
  const { progress } = console;
  const { findings: findingsFile } = options;
  const { from, into } = placesOf(effects, options, args);
  const before = readBefore(effects, into, progress);
  if (!before.ok) {
    reportErrors(console, into, before.findings);
    return 1;
  }
  const draft = await readAndDraft(outside, options, { from, before: before.registry });
  if (draft === undefined) return 1;
  const plan = checkPlan(draft, before.registry);
  if (findingsFile !== undefined) await deliverFindings(effects, findingsFile, plan.findings);
  const refused = whyRefused(plan, { from, into });
  if (refused !== undefined) {
    if ("findings" in refused) reportErrors(console, into, refused.findings);
    else for (const line of refused.lines) console.error(printable(line));
    return 1;
  }
  if (!options.dryRun) {
    progress(`Writing ${into}`);
    writeImport(effects, into, { before: before.registry, ...plan });
    progress("");
  }
  for (const line of formatSummary({ from, into, plan, findingsFile })) console.print(printable(line, LINE_MAX));
  if (options.dryRun) console.print(`${DRY} into ${into}`);
  return 0;
}

/** A pipe is written in place, a file completely or not at all. */
async function deliverFindings(effects: Effects, file: string, findings: readonly ImportFinding[]): Promise<void> {
  if (isOther(effects, file)) writeFindings(effects, file, findings);
  else await writeWhole(effects, effects.realPath(file), (part) => writeFindings(effects, part, findings));
}

/**
 * The source, which is as large as the registry, can be freed when this returns. Undefined if it
 * cannot be read, which is reported.
 */
async function readAndDraft(
  { effects, console }: Outside,
  options: ImportOptions,
  { from, before }: { readonly from: readonly string[]; readonly before: RegistrySource },
): Promise<Draft | undefined> {
  const { format, languages, language, delimiter, languageColumns } = options;
  const { progress } = console;
  const settings = settingsOf(options, from);
  const onSeparator = (file: string, separator: string): void => {
    if (separator !== ",") console.error(printable(`${file}: ${separatedBy(separator)}`));
  };
  const form = { delimiter, languageColumns, onSeparator };
  const read = await readSource(effects, { format, from, languages, language, ...form }, progress);
  if (!read.ok) {
    progress("");
    console.error(printable(`${read.message}; nothing was imported`));
    return undefined;
  }
  const { source } = read;
  const nothing = whyNothing(source, { isNew: before.registry === undefined });
  if (nothing !== undefined) {
    progress("");
    console.error(printable(`${from.join(", ")} ${nothing}; nothing was imported`, LINE_MAX));
    return undefined;
  }
  progress(`Planning ${source.concepts.length} concepts`);
  return draftImport(source, before, withSource(settings, source));
}
