/** Documents with one JSON value a line, in order of key, each as far as there is anything to list and it is not too long. */
import { CONCEPT_HISTORY_PATH, MAPPINGS_PATH } from "../../runtime/contract/added-resources.ts";
import type { ConceptHistory } from "../../runtime/contract/concept.ts";
import { type Mapping, MAPPINGS_MAX_LENGTH } from "../contract/mapping.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { type ChangeRecord, CONCEPT_HISTORY_MAX_LENGTH } from "../contract/changes.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** By path. */
export function keyedLines({ registry }: View): [path: string, text: string][] {
  const texts = [
    [CONCEPT_HISTORY_PATH, printConceptHistory(registry.changes)],
    [MAPPINGS_PATH, printMappings(registry.concepts.identifiers)],
  ] as const;
  return texts.flatMap(([path, text]): [string, string][] => (text === undefined ? [] : [[path, text]]));
}

/**
 * Which code has an external identifier: each with all who claim it. Where these are two concepts, the identifier is
 * ambiguous (O-69).
 */
function printMappings(identifiers: Iterable<Mapping>): string | undefined {
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

/** What recorded releases changed, by concept; the pages of concepts show it. The change documents have it in any case. */
function printConceptHistory(changes: readonly ChangeRecord[]): string | undefined {
  const histories = groupBy(
    changes.flatMap((record) => [...changesOf(record)]),
    ([code]) => code,
  );
  const sorted = [...histories].sort(([a], [b]) => compareCodePoints(a, b));
  const text = sorted
    .map(([code, own]) => formatLine({ code, changes: own.map(([, change]) => change) } satisfies ConceptHistory))
    .join("");
  return text === "" || text.length > CONCEPT_HISTORY_MAX_LENGTH ? undefined : text;
}

/** What a release did to each concept, and to what leads to it. */
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
