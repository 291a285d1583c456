/**
 * Chooses expressions of this registry to show in documents: for each language and domain, the
 * first that only one concept has, and the first that several concepts have. The compiled index
 * answers those that are shown.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import { isAmbiguous, sharedKeys } from "../registry/ambiguity.ts";
import type { Concept } from "../registry/concept.ts";
import type { Concepts } from "../registry/concepts.ts";
import { keyOfEntry, type StoredConcept } from "../registry/stored-concept.ts";
import type { View } from "./view.ts";

export interface Sample {
  readonly expression: string;
  readonly tag: string;
  readonly language: string;
  readonly domain: string;
  /** Every concept that has this expression, at any strength. */
  readonly concepts: readonly [Concept, ...Concept[]];
  /** The index that has a made-up expression; left out if the registry has the expression. */
  readonly index?: RegistryIndex;
}

export interface Samples {
  /** In registry order. */
  readonly unique: readonly Sample[];
  readonly ambiguous: readonly Sample[];
}

/** The most that is shown, in UTF-16 units and concepts. */
export interface Bounds {
  readonly expression: number;
  /** Applies to a concept's name, definition and domain, each. */
  readonly text: number;
  readonly concepts: number;
  /** An expression must match this. */
  readonly form?: RegExp;
  /** None of a concept's texts may match this. */
  readonly without?: RegExp;
}

export interface SamplePool {
  readonly pick: (bounds?: Bounds) => Samples;
  /** Whether only one concept has this expression. */
  readonly isUnique: (expression: string) => boolean;
  /** A text that is not in the registry, made from this one. */
  readonly unusedExpression: (text: string, next: (text: string, n: number) => string) => string;
}

/** The concepts that have a key. */
interface Holders {
  readonly codes: readonly string[];
  readonly areAmbiguous: boolean;
}

const UNBOUNDED: Bounds = { expression: Infinity, text: Infinity, concepts: Infinity };

export function makeSamplePool({ registry: { concepts }, index }: View): SamplePool {
  // Of a million keys, only the few that several concepts share get a structure.
  const holders = new Map<string, Holders>();
  for (const shared of sharedKeys(concepts)) {
    const codes = [...new Set(shared.holders.map(({ code }) => code))];
    holders.set(shared.key, { codes, areAmbiguous: isAmbiguous(shared) });
  }
  const sharedBy = groupBy(
    [...holders].flatMap(([key, { codes }]) => codes.map((code) => ({ code, key }))),
    ({ code }) => code,
  );
  const known = new Map<string, Concept>();
  const conceptsOf = (codes: readonly string[]): Concept[] => {
    const unknown = codes.filter((code) => !known.has(code));
    for (const concept of concepts.find(unknown)) known.set(concept.code, concept.whole());
    return codes.flatMap((code) => known.get(code) ?? []);
  };
  const sampleOf = (found: First): Sample => ({
    ...found,
    get concepts(): Sample["concepts"] {
      const [first, ...others] = conceptsOf(holders.get(keyOf(found.expression))?.codes ?? [found.code]);
      if (first === undefined) throw new Error(`No concept has the sample ${found.expression}`);
      return [first, ...others];
    },
  });
  return {
    pick(bounds = UNBOUNDED) {
      const tooLong = new Set<string>();
      for (const concept of sharedBy.size === 0 || bounds === UNBOUNDED ? [] : concepts) {
        const shared = sharedBy.get(concept.code);
        if (shared !== undefined && !isWithin(bounds, concept)) for (const { key } of shared) tooLong.add(key);
      }
      const kindOf = (key: string, concept: StoredConcept): keyof Samples | undefined => {
        if (key.length > bounds.expression || bounds.form?.test(key) === false) return undefined;
        const shared = holders.get(key);
        if (shared === undefined) return bounds.concepts >= 1 && isWithin(bounds, concept) ? "unique" : undefined;
        const mayShow = shared.areAmbiguous && shared.codes.length <= bounds.concepts && !tooLong.has(key);
        return mayShow ? "ambiguous" : undefined;
      };
      const firsts = pickFirsts(concepts, { isShared: ({ code }) => sharedBy.has(code), kindOf });
      return { unique: firsts.unique.map(sampleOf), ambiguous: firsts.ambiguous.map(sampleOf) };
    },
    isUnique: (expression) => !holders.has(keyOf(expression)),
    unusedExpression(text, next) {
      let tried = text;
      for (let n = 1; index.postings(keyOf(tried)).length > 0; n++) tried = next(text, n);
      return tried;
    },
  };
}

function isWithin({ text, without }: Bounds, { name, definition, domain }: Concept): boolean {
  return [name, definition, domain].every((said) => said.length <= text && without?.test(said) !== true);
}

/** The answer to a request that is not refused. */
export function resolveIn(index: RegistryIndex, request: ResolveRequest): ResolveEnvelope {
  const answer = answerRequest(index, request);
  if (!answer.ok) throw new Error(`An example was refused: ${answer.problem.message}`);
  return JSON.parse(answer.envelope) as ResolveEnvelope;
}

/** A sample whose concepts are not loaded yet. */
interface First extends Pick<Sample, "expression" | "tag" | "language" | "domain"> {
  readonly code: string;
}

interface Rules {
  /** Whether the concept has a key that others have too. */
  readonly isShared: (concept: StoredConcept) => boolean;
  /** The kind of sample that a key of the concept can be, if any. */
  readonly kindOf: (key: string, concept: StoredConcept) => keyof Samples | undefined;
}

/** For each language and domain, the first exact expression of each kind. */
function pickFirsts(concepts: Concepts, { isShared, kindOf }: Rules): Record<keyof Samples, First[]> {
  const firsts = { unique: new Map<string, First>(), ambiguous: new Map<string, First>() };
  const languages = new Set(concepts.kinds.values.map(({ language }) => language));
  const places = languages.size * concepts.domains.values.length;
  for (const concept of concepts) {
    if (firsts.unique.size === places && !isShared(concept)) continue;
    const { code, domain } = concept;
    for (const [i, entry] of concept.entries().entries()) {
      const { language, tag, strength } = entry.kind;
      // A longer tag is legal in a registry, but a request cannot have it.
      if (tag.length > LANGUAGE_MAX_LENGTH || strength !== EXACT_STRENGTH) continue;
      const place = `${language} ${domain}`;
      if (firsts.unique.has(place) && (!isShared(concept) || firsts.ambiguous.has(place))) continue;
      const kind = kindOf(keyOfEntry(entry), concept);
      if (kind === undefined || firsts[kind].has(place)) continue;
      const expression = concept.expressions[i]?.expression ?? "";
      firsts[kind].set(place, { expression, tag, language, domain, code });
    }
  }
  return { unique: [...firsts.unique.values()], ambiguous: [...firsts.ambiguous.values()] };
}
