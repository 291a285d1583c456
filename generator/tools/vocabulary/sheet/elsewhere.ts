/**
 * Equal expressions of other concepts, as evidence for whoever reviews one. Only those that
 * can still become or stay reviewed count. Memory grows with the reviewed sheet, not with the
 * registry.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { quote, shortened } from "../../../text/printable.ts";

/** So many are named, and the others counted. */
const NAMED = 5;

interface Place {
  readonly code: string;
  readonly text: string;
}

export class Elsewhere {
  readonly #places = new Map<string, Place[]>();

  /** Of `expressions`, those elsewhere in `concepts` are known. */
  constructor(concepts: Iterable<Located<ConceptRecord>>, expressions: Iterable<string>) {
    for (const expression of expressions) this.#places.set(keyOf(expression), []);
    if (this.#places.size === 0) return;
    for (const { record } of concepts) {
      const { code, name } = record;
      for (const one of record.expressions) {
        if (!isCurrent(one)) continue;
        const said = `${shortened(tagOf(one))}, ${one.reviewStatus}`;
        const text = `${code} ${quote(name)} has ${quote(one.expression)} (${said})`;
        this.#places.get(keyOf(one.expression))?.push({ code, text });
      }
    }
  }

  /** The same text, which would be ambiguous; "" if there is none. */
  equal(code: string, expression: string): string {
    return listed((this.#places.get(keyOf(expression)) ?? []).filter((place) => place.code !== code));
  }
}

function listed(places: readonly Place[]): string {
  const more = places.length > NAMED ? [`and ${places.length - NAMED} more`] : [];
  return [...places.slice(0, NAMED).map(({ text }) => text), ...more].join("; ");
}
