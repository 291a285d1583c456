/**
 * Equal and near expressions of other concepts, as evidence for whoever reviews one. Only those
 * that can still become or stay reviewed count. Memory grows with the reviewed sheet, not with the
 * registry.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import { nearForms } from "../../../../runtime/registry/near-form.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { quote, shortened } from "../../../text/printable.ts";

/** So many are named, and the others counted. */
const NAMED = 5;

interface Place {
  readonly code: string;
  readonly key: string;
  readonly text: string;
}

export class Elsewhere {
  readonly #places = new Map<string, Place[]>();

  /** Of `expressions`, those elsewhere in `concepts` are known. */
  constructor(concepts: Iterable<Located<ConceptRecord>>, expressions: Iterable<string>) {
    for (const expression of expressions) this.#places.set(nearestKey(expression), []);
    if (this.#places.size === 0) return;
    for (const { record } of concepts) {
      const { code, name } = record;
      for (const one of record.expressions) {
        if (!isCurrent(one)) continue;
        const said = `${shortened(tagOf(one))}, ${one.reviewStatus}`;
        const key = keyOf(one.expression);
        const text = `${code} ${quote(name)} has ${quote(one.expression)} (${said})`;
        this.#places.get(nearestKey(one.expression))?.push({ code, key, text });
      }
    }
  }

  /** The same text, which would be ambiguous; "" if there is none. */
  equal(code: string, expression: string): string {
    const key = keyOf(expression);
    return listed(this.#others(code, expression).filter((place) => place.key === key));
  }

  /** Another text that people may take for the same; "" if there is none. */
  near(code: string, expression: string): string {
    const key = keyOf(expression);
    return listed(this.#others(code, expression).filter((place) => place.key !== key));
  }

  #others(code: string, expression: string): readonly Place[] {
    return (this.#places.get(nearestKey(expression)) ?? []).filter((place) => place.code !== code);
  }
}

/** The same for two expressions if and only if they are equal or near. */
function nearestKey(expression: string): string {
  return nearForms(expression).at(-1)?.text ?? keyOf(expression);
}

function listed(places: readonly Place[]): string {
  const more = places.length > NAMED ? [`and ${places.length - NAMED} more`] : [];
  return [...places.slice(0, NAMED).map(({ text }) => text), ...more].join("; ");
}
