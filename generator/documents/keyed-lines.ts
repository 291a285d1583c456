/**
 * Documents with one JSON value per line, in order of key. A document is omitted if it would be
 * empty or too long.
 */
import type { ConceptHistory } from "../../runtime/contract/concept.ts";
import { MAPPINGS_MAX_LENGTH } from "../contract/mapping.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { type ChangeRecord, CONCEPT_HISTORY_MAX_LENGTH } from "../contract/changes.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/**
 * Each external identifier with all concepts that claim it. If two concepts do, the identifier is
 * ambiguous (O-69).
 */
export function mappings({ registry }: View): string | undefined {
  const { identifiers } = registry.concepts;
  let length = 0;
  for (const mapping of identifiers) {
    length += formatLine(mapping).length;
    if (length > MAPPINGS_MAX_LENGTH) return undefined;
  }
  return length === 0 ? undefined : Array.from(identifiers, formatLine).join("");
}

function formatLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

type Change = ConceptHistory["changes"][number];
type Resolution = ChangeRecord["resolutions"][number];

/**
 * The changes of the recorded releases by concept, which the pages of concepts show. If this is too
 * long, the change documents still have all of it.
 */
export function conceptHistory({ registry }: View): string | undefined {
  const histories = groupBy(
    registry.changes.flatMap((record) => [...changesOf(record)]),
    ([code]) => code,
  );
  const sorted = [...histories].sort(([a], [b]) => compareCodePoints(a, b));
  const text = sorted
    .map(([code, own]) => formatLine({ code, changes: own.map(([, change]) => change) } satisfies ConceptHistory))
    .join("");
  return text === "" || text.length > CONCEPT_HISTORY_MAX_LENGTH ? undefined : text;
}

/** The change of each concept in a release, and how many expressions it gained and lost. */
function changesOf({ registryVersion, concepts, resolutions }: ChangeRecord): Map<string, Change> {
  const [gained, lost] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { expression, before, after } of resolutions) {
    add(gained, after, expression);
    add(lost, before, expression);
  }
  const kinds = new Map(concepts.map(({ code, change }) => [code, change]));
  const codes = new Set([...kinds.keys(), ...gained.keys(), ...lost.keys()]);
  return new Map(
    Array.from(codes, (code) => {
      const counts = { gained: gained.get(code)?.size ?? 0, lost: lost.get(code)?.size ?? 0 };
      return [code, { registryVersion, change: kinds.get(code) ?? null, ...counts }];
    }),
  );
}

function add(to: Map<string, Set<string>>, answer: Resolution["after"], expression: string): void {
  if ("code" in answer) to.set(answer.code, (to.get(answer.code) ?? new Set()).add(expression));
}
