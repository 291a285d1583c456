/**
 * Made-up concepts for fixtures if the registry lacks a kind of sample, so that the proof can be
 * run before the first expression is reviewed. They are never published, and a fixture that shows
 * them says `illustration`.
 */
import type { ConceptExpression } from "../../runtime/contract/concept.ts";
import { type Sample, unusedExpression } from "../view/samples.ts";
import type { View } from "../view/view.ts";
import { memorySource } from "../../runtime/registry/byte-source.ts";
import { openIndex, type RegistryIndex } from "../../runtime/registry/index.ts";
import { compileIndex } from "../index/compile.ts";
import type { Concept } from "../registry/concept.ts";
import { Concepts } from "../registry/concepts.ts";

export interface Illustrations {
  readonly unique: Sample;
  readonly ambiguous: Sample;
}

/** The registry has none of their codes and expressions. */
export function illustrations(view: View): Illustrations {
  let n = 0;
  const nextCode = (): string => {
    do n++;
    while (view.index.conceptId(`EXAMPLE-${n}`) !== undefined);
    return `EXAMPLE-${n}`;
  };
  const free = (wanted: string): string => unusedExpression(view, wanted, (text, tries) => `${text} ${tries + 1}`);
  const [unique, ambiguous] = [free("illustrative expression"), free("illustrative expression of several concepts")];
  const [one, other] = [illustrate(nextCode(), [unique, ambiguous]), illustrate(nextCode(), [ambiguous])];
  const place = { tag: "en", language: "en", domain: "illustration", index: indexOf(view, [one, other]) };
  return {
    unique: { ...place, expression: unique, concepts: [one] },
    ambiguous: { ...place, expression: ambiguous, concepts: [one, other] },
  };
}

/** The index of concepts that are in no registry. */
function indexOf({ origin, registry: { registryVersion, nearForms } }: View, made: readonly Concept[]): RegistryIndex {
  const registry = { registryVersion, nearForms, concepts: Concepts.of(made) };
  return openIndex(memorySource(Buffer.concat([...compileIndex({ origin, registry })])));
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
