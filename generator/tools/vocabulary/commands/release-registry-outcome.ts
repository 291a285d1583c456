/**
 * Confirms or records the version of a registry that can be released, and prints the changes before
 * it writes them.
 */
import { compatibilityOf } from "../../../contract/changes.ts";
import type { LogHead } from "../../../contract/log-head.ts";
import { countOf, printLines } from "../../../effects/print.ts";
import { isRecorded } from "../../../registry/checked.ts";
import { type RegistryFiles, writeRegistryFiles } from "../edit/write.ts";
import type { Candidate } from "../release/candidate.ts";
import { compareWithLast, earlierMemories, recordFiles } from "../release/prepare.ts";
import { jsonLines, textLines } from "../release/release-report.ts";
import type { Outside } from "../../../commands/command.ts";
import { DRY } from "../../../commands/registry.ts";

const REASSIGNED = 3;

interface Settings {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly acknowledgement: string | undefined;
  /** The day of the release. */
  readonly releasedOn: string | undefined;
  /** The transparency log before the release. */
  readonly log: LogHead | undefined;
}

/** Returns the exit code. */
export async function releaseCandidate(outside: Outside, candidate: Candidate, settings: Settings): Promise<number> {
  return isRecorded(candidate.registry) ? confirm(outside, candidate, settings) : record(outside, candidate, settings);
}

/**
 * The version is recorded with this content; removes what an interrupted release left. What is
 * recorded of it never changes, so a reason that is given now goes nowhere, which is said.
 */
function confirm({ effects, console }: Outside, candidate: Candidate, settings: Settings): number {
  const { json, dryRun, acknowledgement } = settings;
  const { directory, source, registry } = candidate;
  const { registryVersion, contentSha256 } = registry;
  const files = earlierMemories(effects, directory, source.history.at(-1)?.registryVersion ?? registryVersion);
  if (files.size > 0 && !dryRun) writeRegistryFiles(effects, { ...source, directory }, files);
  if (json) console.print(JSON.stringify({ status: "already_recorded", registryVersion, contentSha256 }));
  else console.print(`${registryVersion} is already recorded with this content, SHA-256 ${contentSha256}`);
  if (acknowledgement !== undefined)
    console.error(`Notice: --acknowledge was not recorded: ${registryVersion} stays as it was recorded before`);
  return 0;
}

async function record(
  { effects, console }: Outside,
  candidate: Candidate,
  { json, dryRun, ...said }: Settings,
): Promise<number> {
  const { directory, registry } = candidate;
  const { registryVersion, contentSha256 } = registry;
  const compared = compareWithLast(candidate, (done) => console.progress(`Resolving: ${done} expressions`));
  console.progress("");
  const { previous, changes, record: changed } = compared;
  const files = recordFiles(effects, candidate, { changes, record: changed, ...said });
  const compatibility = changed && compatibilityOf(changed.resolutions, changed.concepts);
  const printJson = async (status: string): Promise<void> => {
    console.print(JSON.stringify({ status, registryVersion, contentSha256, previous, compatibility }));
    await printLines(console, jsonLines(changes));
  };
  if (!json)
    await printLines(console, textLines({ registryVersion, previous, changes, compatibility }, said.acknowledgement));
  if (files === undefined) {
    if (json) await printJson("refused");
    console.error('Nothing was written. To release it anyway, give the reason: --acknowledge "WHY"');
    return REASSIGNED;
  }
  if (!dryRun) writeRegistryFiles(effects, { ...candidate.source, directory }, files);
  if (json) await printJson(dryRun ? "not_recorded" : "recorded");
  else {
    const count = `${countOf(registry.concepts.length, "concept")}, content SHA-256 ${contentSha256}`;
    const written = `${writtenOf(files).join(", ")} in ${directory}`;
    console.print(`\n${dryRun ? "To be recorded as" : "Recorded"} ${registryVersion}: ${count}`);
    console.print(dryRun ? `${DRY}; to change: ${written}` : `Wrote ${written}`);
  }
  return 0;
}

function writtenOf(files: RegistryFiles): string[] {
  return [...files].flatMap(([file, text]) => (text === undefined ? [] : file));
}
