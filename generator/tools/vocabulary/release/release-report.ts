/**
 * Prints a release of the registry: the changes for requests, for people as diff prints them, or as
 * lines of JSON.
 */
import { type Compatibility, COMPATIBILITY_WORDS, type ResolutionChange } from "../../../contract/changes.ts";
import { formatResolutions } from "../../../promise/report.ts";
import { printableJson, quote } from "../../../text/printable.ts";

export interface ChangesTold {
  readonly registryVersion: string;
  readonly previous: string | null;
  readonly changes: readonly ResolutionChange[];
  readonly compatibility: Compatibility | undefined;
}

export function* textLines(
  { registryVersion, previous, changes, compatibility }: ChangesTold,
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
  if (compatibility !== undefined) yield `Compatibility: ${compatibility}, ${COMPATIBILITY_WORDS[compatibility]}`;
  if (acknowledgement === undefined) return;
  const isNeeded = changes.some(({ kind }) => kind === "reassigned");
  yield isNeeded
    ? `Acknowledged: ${quote(acknowledgement)}`
    : "Nothing is reassigned, so --acknowledge is not recorded";
}

export function* jsonLines(changes: readonly ResolutionChange[]): Generator<string, void> {
  for (const change of changes) yield printableJson(change);
}
