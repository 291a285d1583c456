/**
 * Prepares a release of the registry up to its writing: the comparison with the last release, and
 * the files that record it.
 */
import { createHash } from "node:crypto";
import { type ChangeRecord, reassignmentsIn, type ResolutionChange } from "../../../contract/changes.ts";
import type { LogHead } from "../../../contract/log-head.ts";
import type { Effects } from "../../../effects/effects.ts";
import { formatDocument } from "../../../../runtime/text/json.ts";
import { changesFile } from "../../../registry/read.ts";
import { memoryFile, memoryVersions } from "../../../registry/read-memory.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import type { RegistryFiles } from "../edit/write.ts";
import type { Candidate } from "./candidate.ts";
import { changeRecord } from "./change-record.ts";
import { nextMemory } from "./next-memory.ts";
import { changesSince } from "../../../promise/changes-since.ts";
import { releaseFiles } from "./release-files.ts";

export interface Compared {
  /** Null for the first release. */
  readonly previous: string | null;
  readonly changes: readonly ResolutionChange[];
  /** Undefined for the first release. */
  readonly record: ChangeRecord | undefined;
}

/** `progress` gets the number of expressions done. */
export function compareWithLast({ source, registry }: Candidate, progress: (done: number) => void): Compared {
  const { memory } = source;
  if (memory === undefined) return { previous: null, changes: [], record: undefined };
  const changes = changesSince(memory, registry, progress);
  const record = changeRecord(memory, registry, changes);
  return { previous: memory.release.registryVersion, changes, record };
}

/** What the release states besides its content: a person's words, and the log before it. */
interface Stated {
  readonly acknowledgement: string | undefined;
  readonly releasedOn: string | undefined;
  readonly log: LogHead | undefined;
}

/**
 * The files that record the release; undefined if expressions are reassigned without an
 * acknowledgement. Throws UsageError if an interrupted release of this version had other content.
 */
export function recordFiles(
  effects: Effects,
  { directory, source, registry }: Candidate,
  { changes, record, acknowledgement, releasedOn, log }: Omit<Compared, "previous"> & Stated,
): RegistryFiles | undefined {
  const { registryVersion, contentSha256 } = registry;
  const reassigned = reassignmentsIn(changes);
  if (reassigned.length > 0 && acknowledgement === undefined) return undefined;
  const memory = nextMemory({ source, registry, changes });
  const file = memoryFile(registryVersion);
  const begun = effects.kind(`${directory}/${file}`) === "file" ? effects.digest(`${directory}/${file}`) : undefined;
  if (begun !== undefined && begun.sha256 !== memory.sha256)
    throw new UsageError(
      `${quote(`${directory}/${file}`)} is that of other content than this: restore history.yaml, or the content that was being released`,
    );
  const changed = record === undefined ? undefined : formatDocument(record);
  const files = releaseFiles({ effects, directory }, source, {
    registryVersion,
    contentSha256,
    memorySha256: memory.sha256,
    ...(changed !== undefined && { changesSha256: createHash("sha256").update(changed).digest("hex") }),
    ...(releasedOn !== undefined && { releasedOn }),
    ...(log !== undefined && { log }),
    ...(acknowledgement !== undefined && reassigned.length > 0 && { reassigned, acknowledgement }),
  });
  if (changed !== undefined) files.set(changesFile(registryVersion), changed);
  return new Map([...files, [file, memory.chunks], ...earlierMemories(effects, directory, registryVersion)]);
}

/** The files of earlier releases, to be removed: the new one holds all that they remember. */
export function earlierMemories(effects: Effects, directory: string, registryVersion: string): RegistryFiles {
  const others = memoryVersions({ effects, directory }).filter((version) => version !== registryVersion);
  return new Map(others.map((version) => [memoryFile(version), undefined]));
}
