/**
 * Prints a release of the registry: the changes for requests, for people as diff prints them, or as
 * lines of JSON.
 */
import type { ResolutionChange } from "../../diff/comparison.ts";
import { formatResolutions } from "../../diff/report.ts";
import { printableJson, quote } from "../../text/printable.ts";
import { invocation } from "../../text/invocation.ts";
import { RELEASED_FILE } from "../../registry/read.ts";
import type { HistoryRecord } from "../../registry/record.ts";

export interface ChangesTold {
  readonly registryVersion: string;
  readonly previous: string | null;
  readonly changes: readonly ResolutionChange[];
}

export function* textLines(
  { registryVersion, previous, changes }: ChangesTold,
  acknowledgement: string | undefined,
): Generator<string, void> {
  if (previous === null) {
    yield `${registryVersion} is the first release: there is none to compare with`;
    return;
  }
  yield `From ${previous} to ${registryVersion}`;
  if (changes.length === 0) yield "Every expression resolves as before";
  else {
    const verdict = yield* formatResolutions(changes);
    yield `\n${verdict}`;
  }
  if (acknowledgement === undefined) return;
  const isNeeded = changes.some(({ kind }) => kind === "reassigned");
  yield isNeeded
    ? `Acknowledged: ${quote(acknowledgement)}`
    : "Nothing is reassigned, so --acknowledge is not recorded";
}

export function* jsonLines(changes: readonly ResolutionChange[]): Generator<string, void> {
  for (const change of changes) yield printableJson(change);
}

/** Says what to do if the previous release cannot be read. */
export function withoutReleased(directory: string, { registryVersion }: HistoryRecord[number]): string {
  return (
    `${directory}/${RELEASED_FILE} is missing or not that of ${registryVersion}, the last version in history.yaml, so nothing ` +
    `can be compared and nothing was written.\nCheck out the registry as it was released as ${registryVersion}, run there ` +
    `${invocation("release-registry", `--version ${registryVersion}`)}, which writes the file, and bring the file here`
  );
}
