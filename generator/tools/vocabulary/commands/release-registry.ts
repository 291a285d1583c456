/**
 * `release-registry`: records the registry as a version permanently, and reports the changed
 * answers to requests.
 */
import { examplesLeft } from "../begin/example.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { makeCandidate, tooLow, wrongDay } from "../release/candidate.ts";
import { parseDate } from "../review/reviewer.ts";
import { parseAcknowledgement, parseVersion } from "../release/settings.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { DRY_RUN, JSON_FLAG, LOG, REGISTRY, text, type Values } from "../../../commands/options.ts";
import { releaseCandidate } from "./release-registry-outcome.ts";
import { readEditable, reportErrors } from "../../../commands/registry.ts";
import { readLogHead } from "../../../registry/log-head.ts";

const OPTIONS = {
  registry: REGISTRY,
  version: text("V", "the registryVersion, YYYY.MM.N"),
  acknowledge: text("WHY", "let expressions resolve to another code, for this reason"),
  on: text("DATE", "the day of the release to record, YYYY-MM-DD"),
  log: LOG,
  dryRun: DRY_RUN,
  json: JSON_FLAG,
};

export const command = defineCommand({
  usage: "--version V",
  does:
    "Records the content of the registry as a release, and says which expressions now resolve differently.\n\n" +
    "Exit code 3: an expression resolves to another code, which --acknowledge WHY accepts and records.",
  options: OPTIONS,
  run: runReleaseRegistry,
});

/**
 * Exit code 0 if the version is recorded, 1 if it cannot be, 3 if reassignments need an
 * acknowledgement.
 */
async function runReleaseRegistry(outside: Outside, options: Values<typeof OPTIONS>): Promise<number> {
  const version = parseVersion(options.version);
  const acknowledgement = parseAcknowledgement(options.acknowledge);
  const releasedOn = options.on === undefined ? undefined : parseDate(options.on);
  const { registry: directory, dryRun, json } = options;
  const source = readEditable(outside, directory);
  if (source === undefined) return 1;
  const wrong = tooLow(source, version);
  if (wrong !== undefined) throw new UsageError(`--version ${wrong}`);
  const notThen = releasedOn === undefined ? undefined : wrongDay(source, version, releasedOn);
  if (notThen !== undefined) throw new UsageError(`--on ${notThen}`);
  const { console } = outside;
  const examples = examplesLeft(outside.effects, source);
  if (examples.length > 0) {
    reportErrors(console, directory, examples);
    return 1;
  }
  console.progress(`Checking ${source.concepts.length} concepts`);
  const made = makeCandidate(directory, source, version);
  console.progress("");
  if (made.ok) {
    const log = readLogHead(outside.effects, options.log);
    return releaseCandidate(outside, made.candidate, { json, dryRun, acknowledgement, releasedOn, log });
  }
  reportErrors(console, directory, made.findings);
  return 1;
}
