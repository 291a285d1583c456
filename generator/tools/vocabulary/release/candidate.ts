/** The registry as it would be released: with its version, and checked. */
import { checkRegistry } from "../../../registry/check.ts";
import type { CheckedRegistry } from "../../../registry/checked.ts";
import { checkContent, checkHistory } from "../../../registry/history.ts";
import { memoryFile, UNRECORDED } from "../../../registry/read-memory.ts";
import type { RetiredRecord } from "../../../registry/record.ts";
import { type Finding, sortFindings } from "../../../text/finding.ts";
import type { EditableSource } from "../../../registry/read.ts";

/** A registry that passed its checks, the records it was made from, and their folder. */
export interface Candidate {
  readonly directory: string;
  readonly source: EditableSource;
  readonly registry: CheckedRegistry;
}

/** Why this version is lower than a released one; undefined if it is not. */
export function tooLow(source: EditableSource, version: string): string | undefined {
  return checkHistory(source.history, version).find(({ rule }) => rule === "version-too-low")?.text;
}

/** Why the version cannot have been released on this day, `YYYY-MM-DD`; undefined if it can. */
export function wrongDay({ history }: EditableSource, version: string, day: string): string | undefined {
  const recorded = history.find(({ registryVersion }) => registryVersion === version);
  if (recorded !== undefined && recorded.releasedOn !== day)
    return `${day} is not the recorded day of ${version}: ${recorded.releasedOn ?? "no day"}`;
  const later = history.find(({ releasedOn = day }) => releasedOn > day);
  if (recorded !== undefined || later === undefined) return undefined;
  return `${day} is before ${later.releasedOn}, the day of ${later.registryVersion}`;
}

/** Returns a candidate, or the findings that prevent it. */
export function makeCandidate(
  directory: string,
  read: EditableSource,
  version: string,
):
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly findings: readonly Finding[] } {
  const source = candidateOf(read, version);
  const { registry, findings } = checkRegistry(source);
  if (registry === undefined) return { ok: false, findings };
  const changed = checkContent(source.history, version, registry.contentSha256);
  if (changed.length > 0) return { ok: false, findings: sortFindings([...findings, ...changed]) };
  return { ok: true, candidate: { directory, source, registry } };
}

/**
 * The registry with the release's version: concepts retired since the last recorded version retire
 * in this one. What an interrupted release of this version left is compared when it is written.
 */
function candidateOf(source: EditableSource, registryVersion: string): EditableSource {
  const recorded = new Set(source.history.map((entry) => entry.registryVersion));
  const retired: RetiredRecord = source.retired.map((entry) =>
    recorded.has(entry.retiredIn) ? entry : { ...entry, retiredIn: registryVersion },
  );
  const begun = memoryFile(registryVersion);
  const findings = source.findings.filter(({ rule, file }) => rule !== UNRECORDED || file !== begun);
  return { ...source, registry: { ...source.registry, registryVersion }, retired, findings };
}
