/** `npm run release:registry`: records the registry as a version for good, and says what that changes for requests. */
import { createHash } from "node:crypto";
import type { ResolutionChange } from "../diff/comparison.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { quote } from "../text/finding.ts";
import { optionOf, type Options, requireDirectory } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { checkRegistry } from "../registry/check.ts";
import { checkLabel } from "../registry/check-concept.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
import type { EditableSource } from "../vocabulary/edit/edit.ts";
import { checkHistory } from "../registry/history.ts";
import { readRegistry, RELEASED_FILE } from "../registry/read.ts";
import { REGISTRY_VERSION_PATTERN } from "../registry/record.ts";
import {
  candidateOf,
  changesSince,
  lostCodes,
  reassignmentsIn,
  releasedText,
  releaseFiles,
} from "../vocabulary/release/registry-release.ts";
import { jsonLines, textLines, withoutReleased } from "../vocabulary/release/release-report.ts";
import { readReleased, type ReleasedConcept } from "../vocabulary/release/released.ts";
import { writeRegistryFiles } from "../vocabulary/edit/write.ts";
import { printLines } from "../effects/print.ts";
import { reportErrors } from "./load-registry.ts";

const REASSIGNED = 3;

interface Surroundings {
  readonly effects: Effects;
  readonly console: Console;
  readonly directory: string;
  readonly json: boolean;
  readonly acknowledgement: string | undefined;
}

/** A registry that passed its checks, and the records it was made from. */
interface Candidate {
  readonly source: EditableSource;
  readonly registry: CheckedRegistry;
}

/** Exit code 0 where the version is recorded, 1 where it cannot be, 3 where reassignments want an acknowledgement. */
export async function runReleaseRegistry(effects: Effects, console: Console, options: Options): Promise<number> {
  const version = versionOf(options);
  const acknowledgement = acknowledgementOf(options);
  const { registry: directory, json } = options;
  requireDirectory(effects, "registry", directory);
  const { registry, ...rest } = readRegistry(effects, directory, (done) => {
    if (done % 500 === 0) console.progress(`Reading ${directory}: ${done} concepts`);
  });
  console.progress("");
  if (registry === undefined) {
    reportErrors(console, directory, rest.findings);
    return 1;
  }
  const tooLow = checkHistory(rest.history, version).find(({ rule }) => rule === "version-too-low");
  if (tooLow !== undefined) throw new UsageError(`--version ${tooLow.text}`);
  const source = candidateOf({ ...rest, registry }, version);
  console.progress(`Checking ${source.concepts.length} concepts`);
  const verdict = checkRegistry(source);
  console.progress("");
  if (verdict.registry === undefined) {
    reportErrors(console, directory, verdict.findings);
    return 1;
  }
  const surroundings = { effects, console, directory, json, acknowledgement };
  const candidate = { source, registry: verdict.registry };
  const isRecorded = source.history.some(({ registryVersion }) => registryVersion === version);
  return isRecorded ? confirm(surroundings, candidate) : record(surroundings, candidate);
}

/** The version is recorded with this content; what the next release is compared with is written where it is not there. */
function confirm({ effects, console, directory, json }: Surroundings, { source, registry }: Candidate): number {
  const { registryVersion, contentSha256 } = registry;
  const isLast = source.history.at(-1)?.registryVersion === registryVersion;
  const writes = isLast && digestOf(releasedText(registry)) !== releasedDigest(effects, directory);
  if (writes) writeRegistryFiles(effects, directory, new Map([[RELEASED_FILE, releasedText(registry)]]));
  if (json) console.print(JSON.stringify({ status: "already_recorded", registryVersion, contentSha256 }));
  else {
    console.print(`${registryVersion} is already recorded with this content, SHA-256 ${contentSha256}`);
    if (writes) console.print(`Wrote ${RELEASED_FILE} in ${directory}`);
  }
  return 0;
}

function record(surroundings: Surroundings, { source, registry }: Candidate): number {
  const { effects, console, directory, json, acknowledgement } = surroundings;
  const { registryVersion, contentSha256 } = registry;
  const last = source.history.at(-1);
  const concepts = last === undefined ? [] : readReleased(effects, `${directory}/${RELEASED_FILE}`, last);
  if (last !== undefined && concepts === undefined) {
    console.error(withoutReleased(directory, last));
    return 1;
  }
  const changes = compare(surroundings, { source, registry }, concepts ?? []);
  const reassigned = reassignmentsIn(changes);
  const isRefused = reassigned.length > 0 && acknowledgement === undefined;
  const previous = last?.registryVersion ?? null;
  const told = { registryVersion, previous, changes };
  const tell = (status: string): void => {
    if (!json) return;
    console.print(JSON.stringify({ status, registryVersion, contentSha256, previous }));
    printLines(console, jsonLines(changes));
  };
  if (!json) printLines(console, textLines(told, acknowledgement));
  if (isRefused) {
    tell("refused");
    console.error('Nothing was written. To release it all the same, say why: --acknowledge "WHY"');
    return REASSIGNED;
  }
  const broken = acknowledgement === undefined || reassigned.length === 0 ? {} : { reassigned, acknowledgement };
  const entry = { registryVersion, contentSha256, ...broken };
  const files = releaseFiles({ effects, directory }, source, { registry, entry });
  writeRegistryFiles(effects, directory, files);
  tell("recorded");
  if (json) return 0;
  const count = `${registry.concepts.length} concepts, content SHA-256 ${contentSha256}`;
  console.print(`\nRecorded ${registryVersion}: ${count}\nWrote ${[...files.keys()].join(", ")} in ${directory}`);
  return 0;
}

function compare(
  { console }: Surroundings,
  { source, registry }: Candidate,
  concepts: readonly ReleasedConcept[],
): ResolutionChange[] {
  const release = source.history.at(-1);
  if (release === undefined) return [];
  const lost = lostCodes(concepts, source);
  if (lost.length > 0) {
    const some = lost.slice(0, 20).join(", ") + (lost.length > 20 ? ` and ${lost.length - 20} more` : "");
    console.error(`Warning: published before and gone, though not in retired.yaml: ${some}`);
  }
  const changes = changesSince({ release, concepts }, registry, (done) =>
    console.progress(`Resolving: ${done} expressions`),
  );
  console.progress("");
  return changes;
}

function versionOf(options: Options): string {
  const version = optionOf(options, "version");
  if (version === undefined) throw new UsageError("--version is needed: YYYY.MM.N");
  if (!new RegExp(REGISTRY_VERSION_PATTERN).test(version))
    throw new UsageError(`--version ${quote(version)} is no version as YYYY.MM.N, such as 2026.12.1`);
  return version;
}

function acknowledgementOf(options: Options): string | undefined {
  const text = optionOf(options, "acknowledge");
  const [fault] = text === undefined ? [] : checkLabel(text, "acknowledgement");
  if (fault !== undefined) throw new UsageError(`--acknowledge: ${fault.text}`);
  return text;
}

function releasedDigest(effects: Effects, directory: string): string | undefined {
  const file = `${directory}/${RELEASED_FILE}`;
  return effects.kind(file) === "file" ? digestOf(effects.chunks(file)) : undefined;
}

function digestOf(chunks: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
