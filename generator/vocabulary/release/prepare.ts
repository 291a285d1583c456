/**
 * Prepares a release of the registry up to its writing: the comparison with the last release, and
 * the files that record it.
 */
import { type ChangeRecord, reassignmentsIn } from "../../contract/changes.ts";
import { createHash } from "node:crypto";
import type { ResolutionChange } from "../../diff/comparison.ts";
import type { Effects } from "../../effects/effects.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { changesFile, RELEASED_FILE } from "../../registry/read.ts";
import type { Candidate } from "./candidate.ts";
import { changeRecord } from "./change-record.ts";
import { changesSince, type HistoryEntry, lostCodes, releasedText, releaseFiles } from "./registry-release.ts";
import { readReleased } from "../../registry/released.ts";

export type Compared =
  /** It is not known what resolved in the last release. */
  | { readonly status: "incomparable"; readonly last: HistoryEntry }
  | {
      readonly status: "compared";
      readonly previous: string | null;
      readonly changes: readonly ResolutionChange[];
      /** Undefined for the first release. */
      readonly record: ChangeRecord | undefined;
      /** Codes that were published and are now neither in the registry nor retired. */
      readonly lost: readonly string[];
    };

/**
 * For the last recorded version: the file that the next release is compared with, if it is missing
 * or wrong.
 */
export function missingFiles(
  effects: Effects,
  { directory, source, registry }: Candidate,
): ReturnType<typeof releaseFiles> {
  const isLast = source.history.at(-1)?.registryVersion === registry.registryVersion;
  if (!isLast) return new Map();
  // Earlier programs wrote no digests of concepts; such a file also counts.
  const written = releasedDigest(effects, directory);
  const isThere = [true, false].some((hasContent) => digestOf(releasedText(registry, hasContent)) === written);
  return new Map(isThere ? [] : [[RELEASED_FILE, releasedText(registry)]]);
}

/** `progress` gets the number of expressions done. */
export function compareWithLast(
  effects: Effects,
  { directory, source, registry }: Candidate,
  progress: (done: number) => void,
): Compared {
  const release = source.history.at(-1);
  if (release === undefined) return { status: "compared", previous: null, changes: [], record: undefined, lost: [] };
  const concepts = readReleased(effects, `${directory}/${RELEASED_FILE}`, release);
  if (concepts === undefined) return { status: "incomparable", last: release };
  const changes = changesSince({ release, concepts }, registry, progress);
  const record = changeRecord({ release, concepts }, registry, changes);
  const lost = lostCodes(concepts, { source, registry });
  return { status: "compared", previous: release.registryVersion, changes, record, lost };
}

/** The changes, and what a person says about them. */
interface Said {
  readonly changes: readonly ResolutionChange[];
  readonly record: ChangeRecord | undefined;
  readonly acknowledgement: string | undefined;
  readonly releasedOn: string | undefined;
}

/**
 * The files that record the release; undefined if expressions are reassigned without an
 * acknowledgement.
 */
export function recordFiles(
  effects: Effects,
  { directory, source, registry }: Candidate,
  { changes, record, acknowledgement, releasedOn }: Said,
): ReturnType<typeof releaseFiles> | undefined {
  const { registryVersion, contentSha256 } = registry;
  const reassigned = reassignmentsIn(changes);
  if (reassigned.length > 0 && acknowledgement === undefined) return undefined;
  const broken = acknowledgement === undefined || reassigned.length === 0 ? {} : { reassigned, acknowledgement };
  const day = releasedOn === undefined ? {} : { releasedOn };
  const entry = { registryVersion, contentSha256, ...day, ...broken };
  const files = releaseFiles({ effects, directory }, source, { registry, entry });
  return record === undefined ? files : new Map([...files, [changesFile(registryVersion), formatDocument(record)]]);
}

function releasedDigest(effects: Effects, directory: string): string | undefined {
  const file = `${directory}/${RELEASED_FILE}`;
  return effects.kind(file) === "file" ? digestOf(effects.chunks(file)) : undefined;
}

function digestOf(chunks: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
