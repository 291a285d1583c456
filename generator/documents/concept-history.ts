/**
 * `/registry/concept-history.ndjson`: what recorded releases changed, by concept, in order of code; the pages of concepts show
 * it. A release holds its documents in memory, so with more than MAX_LENGTH there is none, and the change documents remain.
 */
import type { ConceptHistory } from "../../runtime/contract/concept.ts";
import type { ChangeRecord } from "../contract/changes.ts";
import { compareCodePoints } from "../text/order.ts";

const MAX_LENGTH = 8 * 2 ** 20;

type Change = ConceptHistory["changes"][number];
type Resolution = ChangeRecord["resolutions"][number];

/** Undefined where nothing is recorded, or too much. */
export function printConceptHistory(changes: readonly ChangeRecord[]): string | undefined {
  const histories = new Map<string, Change[]>();
  for (const record of changes) {
    for (const [code, change] of changesOf(record)) {
      const known = histories.get(code);
      if (known === undefined) histories.set(code, [change]);
      else known.push(change);
    }
  }
  const sorted = [...histories].sort(([a], [b]) => compareCodePoints(a, b));
  const text = sorted
    .map(([code, own]) => `${JSON.stringify({ code, changes: own } satisfies ConceptHistory)}\n`)
    .join("");
  return text === "" || text.length > MAX_LENGTH ? undefined : text;
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
