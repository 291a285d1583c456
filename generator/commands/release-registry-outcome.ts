/**
 * Confirms or records the version of a registry that can be released, and prints the changes before
 * it writes them.
 */
import { countOf, printLines } from "../effects/print.ts";
import { isError } from "../text/finding.ts";
import { writeRegistryFiles } from "../vocabulary/edit/write.ts";
import type { Candidate } from "../vocabulary/release/candidate.ts";
import { compareWithLast, missingFiles, recordFiles } from "../vocabulary/release/prepare.ts";
import { jsonLines, textLines, withoutReleased } from "../vocabulary/release/release-report.ts";
import { checkPromise, isRecorded } from "../vocabulary/release/promise.ts";
import type { Outside } from "./command.ts";
import { reportErrors } from "./registry.ts";

const REASSIGNED = 3;

interface Settings {
  readonly json: boolean;
  readonly acknowledgement: string | undefined;
  /** The day of the release. */
  readonly releasedOn: string | undefined;
}

/** Returns the exit code. */
export async function releaseCandidate(outside: Outside, candidate: Candidate, settings: Settings): Promise<number> {
  return isRecorded(candidate.registry) ? confirm(outside, candidate, settings) : record(outside, candidate, settings);
}

/**
 * The version is recorded with this content. If the files that the next release is compared with
 * are missing, writes them. A version that was put into the history by hand is compared first.
 */
function confirm({ effects, console }: Outside, candidate: Candidate, { json }: Settings): number {
  const { directory, registry } = candidate;
  const { registryVersion, contentSha256 } = registry;
  const broken = checkPromise(effects, directory, { ...candidate, findings: [] });
  if (broken.some(isError)) {
    reportErrors(console, directory, broken);
    return REASSIGNED;
  }
  const files = missingFiles(effects, candidate);
  if (files.size > 0) writeRegistryFiles(effects, { ...candidate.source, directory }, files);
  if (json) console.print(JSON.stringify({ status: "already_recorded", registryVersion, contentSha256 }));
  else {
    console.print(`${registryVersion} is already recorded with this content, SHA-256 ${contentSha256}`);
    if (files.size > 0) console.print(`Wrote ${[...files.keys()].join(", ")} in ${directory}`);
  }
  return 0;
}

async function record(
  { effects, console }: Outside,
  candidate: Candidate,
  { json, ...said }: Settings,
): Promise<number> {
  const { directory, registry } = candidate;
  const { registryVersion, contentSha256 } = registry;
  const compared = compareWithLast(effects, candidate, (done) => console.progress(`Resolving: ${done} expressions`));
  console.progress("");
  if (compared.status === "incomparable") {
    console.error(withoutReleased(directory, compared.last));
    return 1;
  }
  const { previous, changes, record: changed, lost } = compared;
  if (lost.length > 0) return refuseLost(console, lost);
  const files = recordFiles(effects, candidate, { changes, record: changed, ...said });
  const printJson = async (status: string): Promise<void> => {
    console.print(JSON.stringify({ status, registryVersion, contentSha256, previous }));
    await printLines(console, jsonLines(changes));
  };
  if (!json) await printLines(console, textLines({ registryVersion, previous, changes }, said.acknowledgement));
  if (files === undefined) {
    if (json) await printJson("refused");
    console.error('Nothing was written. To release it anyway, give the reason: --acknowledge "WHY"');
    return REASSIGNED;
  }
  writeRegistryFiles(effects, { ...candidate.source, directory }, files);
  if (json) await printJson("recorded");
  else {
    const count = `${countOf(registry.concepts.length, "concept")}, content SHA-256 ${contentSha256}`;
    console.print(`\nRecorded ${registryVersion}: ${count}\nWrote ${[...files.keys()].join(", ")} in ${directory}`);
  }
  return 0;
}

const SHOWN = 20;

function refuseLost(console: Outside["console"], lost: readonly string[]): number {
  const some = lost.slice(0, SHOWN).join(", ") + (lost.length > SHOWN ? ` and ${lost.length - SHOWN} more` : "");
  console.error(`Published before, but missing now and not in retired.yaml: ${some}`);
  console.error("Nothing was written. Restore these concepts, or list their codes in retired.yaml");
  return 1;
}
