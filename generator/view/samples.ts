/**
 * Expressions of this registry to show in documents: of each language and domain the first that one concept alone holds,
 * and the first that several do. What is shown is answered by the resolver itself.
 */
import { memorySource } from "../../runtime/registry/byte-source.ts";
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import { openIndex } from "../../runtime/registry/index.ts";
import { answerRequest, type ResolveAnswer } from "../../runtime/registry/answer.ts";
import { findAmbiguous } from "../registry/ambiguity.ts";
import { type Concept, tagOf } from "../registry/checked.ts";
import { compileIndex } from "../index/compile.ts";
import type { View } from "./view.ts";

export interface Sample {
  readonly expression: string;
  readonly tag: string;
  readonly language: string;
  readonly domain: string;
  /** Every concept that has this expression, at any strength: only they can bear on its answer. */
  readonly concepts: readonly [Concept, ...Concept[]];
}

export interface Samples {
  /** In registry order. */
  readonly unique: readonly Sample[];
  readonly ambiguous: readonly Sample[];
}

/** What is too much to show, in UTF-16 units and concepts. */
export interface Bounds {
  readonly expression: number;
  /** Of a concept's name, definition and domain, each. */
  readonly text: number;
  readonly concepts: number;
  /** What an expression has to match. */
  readonly form?: RegExp;
  /** What none of a concept's texts may match. */
  readonly without?: RegExp;
}

export interface SamplePool {
  readonly pick: (bounds?: Bounds) => Samples;
  /** Whether one concept alone has this expression. */
  readonly isUnique: (expression: string) => boolean;
  /** A text that the registry does not hold, made from this one. */
  readonly unusedExpression: (text: string, next: (text: string, n: number) => string) => string;
}

const UNBOUNDED: Bounds = { expression: Infinity, text: Infinity, concepts: Infinity };

export function makeSamplePool({ concepts }: View["registry"]): SamplePool {
  const held = new Set<string>();
  // Of a million keys, only the few that several concepts have are worth a count each.
  const shared = countShared(concepts, held);
  const ambiguousKeys = new Set(findAmbiguous(concepts).map(({ key }) => key));
  const kindOf = (key: string): keyof Samples | undefined =>
    shared.has(key) ? (ambiguousKeys.has(key) ? "ambiguous" : undefined) : "unique";
  return {
    pick(bounds = UNBOUNDED) {
      const tooLong = new Set(
        concepts.filter((concept) => !isWithin(bounds, concept)).flatMap((concept) => [...keysOf(concept)]),
      );
      const mayShow = (key: string): boolean =>
        key.length <= bounds.expression &&
        (bounds.form?.test(key) ?? true) &&
        (shared.get(key) ?? 1) <= bounds.concepts &&
        !tooLong.has(key);
      const { unique, ambiguous } = pickFirsts(concepts, (key) => (mayShow(key) ? kindOf(key) : undefined));
      return { unique, ambiguous: withConcepts(concepts, ambiguous) };
    },
    isUnique: (expression) => !shared.has(keyOf(expression)),
    unusedExpression(text, next) {
      let tried = text;
      for (let n = 1; held.has(keyOf(tried)); n++) tried = next(text, n);
      return tried;
    },
  };
}

function isWithin({ text, without }: Bounds, { name, definition, domain }: Concept): boolean {
  return [name, definition, domain].every((said) => said.length <= text && without?.test(said) !== true);
}

function keysOf({ expressions }: Pick<Concept, "expressions">): Iterable<string> {
  return new Set(expressions.map(({ expression }) => keyOf(expression)));
}

/** What the resolver answers over these concepts alone. */
export function askAmong(view: View, concepts: readonly Concept[], request: ResolveRequest): ResolveAnswer {
  const chunks = [...compileIndex({ ...view, registry: { ...view.registry, concepts } })];
  return answerRequest(openIndex(memorySource(Buffer.concat(chunks))), request);
}

/** The same, of a request that is not refused. */
export function resolveAmong(view: View, concepts: readonly Concept[], request: ResolveRequest): ResolveEnvelope {
  const answer = askAmong(view, concepts, request);
  if (!answer.ok) throw new Error(`An example was refused: ${answer.problem.message}`);
  return JSON.parse(answer.envelope) as ResolveEnvelope;
}

/** How many concepts hold each comparison key that more than one holds; puts all keys into `held`. */
function countShared(concepts: readonly Concept[], held: Set<string>): ReadonlyMap<string, number> {
  const shared = new Map<string, number>();
  for (const concept of concepts) {
    for (const key of keysOf(concept)) {
      if (held.has(key)) shared.set(key, (shared.get(key) ?? 1) + 1);
      else held.add(key);
    }
  }
  return shared;
}

/** Of each language and domain, the first exact expression of each kind. */
function pickFirsts(
  concepts: readonly Concept[],
  kindOf: (key: string) => keyof Samples | undefined,
): Record<keyof Samples, Sample[]> {
  const firsts = { unique: new Map<string, Sample>(), ambiguous: new Map<string, Sample>() };
  for (const concept of concepts) {
    const { domain } = concept;
    for (const entry of concept.expressions) {
      const { expression, language, equivalenceStrength } = entry;
      const tag = tagOf(entry);
      // A longer tag is legal in a registry and cannot be asked for.
      if (tag.length > LANGUAGE_MAX_LENGTH || equivalenceStrength !== EXACT_STRENGTH) continue;
      const kind = kindOf(keyOf(expression));
      const place = `${language} ${domain}`;
      if (kind === undefined || firsts[kind].has(place)) continue;
      firsts[kind].set(place, { expression, tag, language, domain, concepts: [concept] });
    }
  }
  return { unique: [...firsts.unique.values()], ambiguous: [...firsts.ambiguous.values()] };
}

function withConcepts(concepts: readonly Concept[], samples: readonly Sample[]): Sample[] {
  const found = new Map<string, Concept[]>(samples.map(({ expression }) => [keyOf(expression), []]));
  for (const concept of samples.length === 0 ? [] : concepts) {
    for (const key of keysOf(concept)) found.get(key)?.push(concept);
  }
  return samples.map((one) => {
    const [first = one.concepts[0], ...others] = found.get(keyOf(one.expression)) ?? [];
    return { ...one, concepts: [first, ...others] };
  });
}
