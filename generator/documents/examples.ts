/**
 * Real examples for documents: expressions of this registry, answered by the resolver itself. Only the concepts that
 * share an expression can bear on its answer, so each is asked of a small index made of just those.
 */
import { memorySource } from "../../runtime/byte-source.ts";
import { type ConceptDetail, EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { keyOf } from "../../runtime/expression.ts";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/limits.ts";
import { openIndex } from "../../runtime/registry-index.ts";
import { answerRequest } from "../../runtime/resolve-answer.ts";
import { type Concept, tagOf } from "../registry/checked.ts";
import { compileIndex } from "../registry/compile.ts";
import { conceptDetail } from "./concept.ts";
import type { View } from "./view.ts";

export interface Example {
  readonly request: ResolveRequest;
  readonly answer: ResolveEnvelope;
}

export interface Examples {
  /** Undefined where no expression resolves. */
  readonly resolved: Example | undefined;
  readonly abstained: Example;
  /** Undefined where no expression is ambiguous. */
  readonly ambiguous: Example | undefined;
  /** The concept of `resolved`. */
  readonly concept: ConceptDetail | undefined;
}

export function findExamples(view: View): Examples {
  const { concepts } = view.registry;
  const holders = countHolders(concepts, () => true);
  const exactHolders = countHolders(
    concepts,
    (entry) => entry.equivalenceStrength === EXACT_STRENGTH && (holders.get(keyOf(entry.expression)) ?? 0) > 1,
  );
  const unique = pick(concepts, (key) => holders.get(key) === 1);
  const ambiguous = pick(concepts, (key) => (exactHolders.get(key) ?? 0) > 1);
  const answer = (request: ResolveRequest): Example => {
    const key = keyOf(request.expression);
    const asked = holders.has(key) ? concepts.filter((concept) => keysOf(concept).has(key)) : concepts.slice(0, 1);
    return { request, answer: resolveAmong(view, asked, request) };
  };
  return {
    resolved: unique && answer({ expression: unique.expression, language: unique.tag }),
    abstained: answer({ expression: unknownExpression(holders) }),
    ambiguous: ambiguous && answer({ expression: ambiguous.expression }),
    concept: unique && conceptDetail(view, unique.concept),
  };
}

type Entry = Concept["expressions"][number];

/** How many concepts hold each comparison key, by the entries that count. */
function countHolders(concepts: readonly Concept[], counts: (entry: Entry) => boolean): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const concept of concepts) {
    for (const key of keysOf(concept, counts)) holders.set(key, (holders.get(key) ?? 0) + 1);
  }
  return holders;
}

function keysOf({ expressions }: Concept, counts: (entry: Entry) => boolean = () => true): ReadonlySet<string> {
  return new Set(expressions.filter(counts).map(({ expression }) => keyOf(expression)));
}

/** A text that the registry does not hold. */
function unknownExpression(holders: ReadonlyMap<string, number>): string {
  const text = "an expression nobody has reviewed";
  for (let n = 1; ; n++) {
    const tried = n === 1 ? text : `${text} (${n})`;
    if (!holders.has(keyOf(tried))) return tried;
  }
}

interface Picked {
  readonly concept: Concept;
  readonly expression: string;
  readonly tag: string;
}

/** The first exact expression, English before others, whose key is as wanted. */
function pick(concepts: readonly Concept[], wanted: (key: string) => boolean): Picked | undefined {
  let other: Picked | undefined;
  for (const concept of concepts) {
    for (const entry of concept.expressions) {
      const tag = tagOf(entry);
      // A longer tag is legal in a registry and cannot be asked for.
      if (tag.length > LANGUAGE_MAX_LENGTH || entry.equivalenceStrength !== EXACT_STRENGTH) continue;
      if (!wanted(keyOf(entry.expression))) continue;
      const picked = { concept, expression: entry.expression, tag };
      if (entry.language === "en") return picked;
      other ??= picked;
    }
  }
  return other;
}

function resolveAmong(view: View, concepts: readonly Concept[], request: ResolveRequest): ResolveEnvelope {
  const chunks = [...compileIndex({ ...view, registry: { ...view.registry, concepts } })];
  const index = openIndex(memorySource(Buffer.concat(chunks)));
  const answer = answerRequest(index, request);
  if (!answer.ok) throw new Error(`An example was refused: ${answer.problem.message}`);
  return JSON.parse(answer.envelope) as ResolveEnvelope;
}
