/**
 * Made-up concepts for fixtures if the registry lacks a kind of sample, so that the proof can be
 * run before the first expression is reviewed. They are never published, and a fixture that shows
 * them says `illustration`.
 */
import type { ConceptExpression } from "../../runtime/contract/concept.ts";
import type { Sample, SamplePool } from "../view/samples.ts";
import type { View } from "../view/view.ts";
import { keysOf } from "../registry/keys.ts";
import type { Concept } from "../registry/checked.ts";

export interface Illustrations {
  readonly unique: Sample;
  readonly ambiguous: Sample;
}

/** The registry has none of their codes and expressions. */
export function illustrations({ registry: { concepts } }: View, { unusedExpression }: SamplePool): Illustrations {
  const keys = keysOf(concepts);
  let n = 0;
  const nextCode = (): string => {
    do n++;
    while (keys.hasCode(`EXAMPLE-${n}`));
    return `EXAMPLE-${n}`;
  };
  const free = (wanted: string): string => unusedExpression(wanted, (text, tries) => `${text} ${tries + 1}`);
  const [unique, ambiguous] = [free("illustrative expression"), free("illustrative expression of several concepts")];
  const [one, other] = [illustrate(nextCode(), [unique, ambiguous]), illustrate(nextCode(), [ambiguous])];
  const place = { tag: "en", language: "en", domain: "illustration" };
  return {
    unique: { ...place, expression: unique, concepts: [one] },
    ambiguous: { ...place, expression: ambiguous, concepts: [one, other] },
  };
}

function illustrate(code: string, expressions: readonly string[]): Concept {
  return {
    code,
    name: "Illustrative concept",
    definition: "Made up for a fixture; it is not in any registry.",
    domain: "illustration",
    provenance: null,
    expressions: expressions.map((expression): ConceptExpression => ({
      language: "en",
      locale: null,
      expression,
      type: "preferred",
      equivalenceStrength: 1,
      reviewStatus: "reviewed",
      provenance: null,
    })),
    renderings: [],
  };
}
