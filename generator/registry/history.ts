/**
 * The content digest of a registry release, and the rule it serves: content that is recorded under
 * a registryVersion never changes (O-16). The digest is the SHA-256 of one JSON line for each
 * published concept in code order, as in the public bundle but without `registryVersion` and
 * `canonicalUrl`, then one line for each retired code.
 */
import { createHash } from "node:crypto";
import { errorAt, type Fault, type Finding, noticeAt } from "../text/finding.ts";
import { areSame, type ChangeRecord, reassignmentsIn } from "../contract/changes.ts";
import { isDay } from "../text/day.ts";
import type { Concepts } from "./concepts.ts";
import { contentLine } from "./stored-concept.ts";
import { changesFile, HISTORY_FILE, REGISTRY_FILE, type RegistryStream } from "./read.ts";
import { BYTES } from "./read-memory.ts";
import type { HistoryRecord, RetiredRecord } from "./record.ts";
import { compareVersions, nextVersion } from "../text/version.ts";

type Entry = HistoryRecord[number];
type RecordedChanges = NonNullable<RegistryStream["changes"]>[number];

/** Lowercase hex SHA-256 of the published content. */
export function digestContent(
  concepts: Concepts,
  retired: readonly Pick<RetiredRecord[number], "code" | "retiredIn" | "replacedBy">[],
): string {
  const hash = createHash("sha256");
  for (const concept of concepts) {
    for (const part of contentLine(concept)) hash.update(part);
  }
  for (const { code, retiredIn, replacedBy } of retired) {
    hash.update(`${JSON.stringify({ retired: code, retiredIn, replacedBy })}\n`);
  }
  return hash.digest("hex");
}

/**
 * Checks the records of changes: each release but the first has one, byte for byte the one that it
 * wrote. An interrupted run leaves a record whose release is not recorded yet.
 */
export function checkChanges({ history, changes = [] }: RegistryStream): Finding[] {
  const known = new Set(changes.map(({ record }) => record.registryVersion));
  const missing = history.filter(({ registryVersion }, i) => i > 0 && !known.has(registryVersion));
  return [
    ...missing.map(({ registryVersion }) => {
      const text = `It is missing, so what changed in ${registryVersion} is not known`;
      const fault = { rule: "changes-missing", text, remedy: RESTORE };
      return errorAt({ file: changesFile(registryVersion) }, "", fault);
    }),
    ...changes.flatMap((change) => checkRecord(change, history)),
  ];
}

const RESTORE = `Restore the file, from version control or a backup; ${BYTES}`;

function checkRecord({ file, record, sha256 }: RecordedChanges, history: HistoryRecord): Finding[] {
  const at = history.findIndex(({ registryVersion }) => registryVersion === record.registryVersion);
  const entry = history[at];
  if (entry === undefined) {
    const text = `${record.registryVersion} is not recorded in ${HISTORY_FILE}`;
    const remedy = `Record ${record.registryVersion} again if its release was interrupted; otherwise restore ${HISTORY_FILE}`;
    const fault = { rule: "changes-unrecorded", text, remedy };
    // An interrupted release compared with the last one; else the history lost releases.
    const isNext = record.previous === history.at(-1)?.registryVersion;
    return [(isNext ? noticeAt : errorAt)({ file }, "/contentSha256", fault)];
  }
  if (entry.contentSha256 !== record.contentSha256 || (at > 0 && entry.changesSha256 !== sha256)) {
    const text = `It is not the file that ${HISTORY_FILE} records for ${record.registryVersion}`;
    return [errorAt({ file }, "/contentSha256", { rule: "changes-unrecorded", text, remedy: RESTORE })];
  }
  return [...otherPrevious(file, record, history[at - 1]), ...otherReassignments(file, record, entry)];
}

/**
 * Finds changes since another release than the one before: two branches made a release each, or an
 * entry of the history is gone. verify would refuse them.
 */
function otherPrevious(file: string, { registryVersion, previous }: ChangeRecord, before?: Entry): Finding[] {
  if (before?.registryVersion === previous) return [];
  const is = before === undefined ? "has no release" : `has ${before.registryVersion}`;
  const text = `It compares ${registryVersion} with ${previous}, but ${HISTORY_FILE} ${is} before it`;
  const remedy = `Restore ${HISTORY_FILE}; if two branches each made a release, keep that of one of them, and release the other's content again`;
  return [errorAt({ file }, "/previous", { rule: "changes-unrecorded", text, remedy })];
}

/** Reassignments are recorded twice; only the history also has a person's reason for them. */
function otherReassignments(file: string, record: ChangeRecord, entry: Entry): Finding[] {
  if (areSame(entry.reassigned ?? [], reassignmentsIn(record.resolutions))) return [];
  const text = `What it reassigns is not what ${HISTORY_FILE} records for ${record.registryVersion}`;
  return [errorAt({ file }, "/resolutions", { rule: "changes-contradictory", text, remedy: "Restore both files" })];
}

/** The changes of recorded releases, oldest first. */
export function recordedChanges({ history, changes = [] }: RegistryStream): ChangeRecord[] {
  return history.flatMap(({ registryVersion }) =>
    changes.flatMap(({ record }) => (record.registryVersion === registryVersion ? [record] : [])),
  );
}

/** Findings of the history itself, and of a current version that is not above the last release. */
export function checkHistory(history: HistoryRecord, registryVersion: string | undefined): Finding[] {
  const findings = daysOutOfOrder(history);
  history.forEach((entry, i) => {
    const before = history[i - 1];
    // Versions that are not written as such have a finding of their own, and no order.
    if (before === undefined || !(compareVersions(before.registryVersion, entry.registryVersion) >= 0)) return;
    const text = `${entry.registryVersion} does not come after ${before.registryVersion}`;
    const remedy = "Restore the file: releases are only ever added at its end";
    const fault = { rule: "history-not-ascending", text, remedy };
    findings.push(errorAt({ file: HISTORY_FILE }, `/${i}/registryVersion`, fault));
  });
  const last = history.at(-1)?.registryVersion;
  const recorded = history.some((entry) => entry.registryVersion === registryVersion);
  if (registryVersion !== undefined && last !== undefined && !recorded && compareVersions(registryVersion, last) < 0) {
    const text = `${registryVersion} is below the last released version ${last}`;
    findings.push(versionFinding({ rule: "version-too-low", text, remedy: "Raise registryVersion above it" }));
  }
  return findings;
}

/** Finds days before that of an earlier release: legal, since it may have been recorded late. */
function daysOutOfOrder(history: HistoryRecord): Finding[] {
  let before = "";
  return history.flatMap(({ releasedOn = before }, i): Finding[] => {
    const [day, last] = [releasedOn, before];
    if (!isDay(day)) return [];
    before = day;
    if (day >= last) return [];
    const text = `${day} is before ${last}, the day of an earlier release`;
    const remedy = "Correct the day if it is wrong; otherwise nothing needs to be done";
    return [noticeAt({ file: HISTORY_FILE }, `/${i}/releasedOn`, { rule: "history-day-earlier", text, remedy })];
  });
}

/** Finds content that changed under a version that is already recorded. */
export function checkContent(history: HistoryRecord, registryVersion: string, contentSha256: string): Finding[] {
  const recorded = history.find((entry) => entry.registryVersion === registryVersion)?.contentSha256 ?? contentSha256;
  if (recorded === contentSha256) return [];
  const text = `The content differs from what was released as ${registryVersion}: recorded ${recorded}, now ${contentSha256}`;
  const remedy = "Release it under a newer --version, or restore the old content";
  return [versionFinding({ rule: "version-content-changed", text, remedy })];
}

function versionFinding(fault: Fault): Finding {
  return errorAt({ file: REGISTRY_FILE }, "/registryVersion", fault);
}

/**
 * The version that this content belongs to: the version of registry.yaml, or the one after the last
 * release if that version was released with other content.
 */
export function versionOf(history: HistoryRecord, registryVersion: string, contentSha256: string): string {
  const isOther = checkContent(history, registryVersion, contentSha256).length > 0;
  return isOther ? nextVersion(history.at(-1)?.registryVersion ?? registryVersion) : registryVersion;
}
