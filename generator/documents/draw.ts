/**
 * Expressions of this registry to show in documents: of each language and domain the first that one concept alone holds,
 * and the first that several do. What is shown is answered by the resolver itself.
 */
import { memorySource } from "../../runtime/byte-source.ts";
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { keyOf } from "../../runtime/expression.ts";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/limits.ts";
import { openIndex } from "../../runtime/registry-index.ts";
import { answerRequest, type ResolveAnswer } from "../../runtime/resolve-answer.ts";
import { type Concept, tagOf } from "../registry/checked.ts";
import { compileIndex } from "../registry/compile.ts";
import type { View } from "./view.ts";

export interface Drawn {
  readonly expression: string;
  readonly tag: string;
  readonly language: string;
  readonly domain: string;
  /** Every concept that has this expression, at any strength: only they can bear on its answer. */
  readonly holders: readonly [Concept, ...Concept[]];
}

export interface Draw {
  /** In registry order. */
  readonly unique: readonly Drawn[];
  readonly ambiguous: readonly Drawn[];
}

/** What is too much to show, in UTF-16 units and concepts. */
export interface Bounds {
  readonly expression: number;
  /** Of a concept's name, definition and domain, each. */
  readonly text: number;
  readonly holders: number;
}

export interface Pool {
  readonly draw: (bounds?: Bounds) => Draw;
  /** A text that the registry does not hold, made from this one. */
  readonly unheld: (text: string, next: (text: string, n: number) => string) => string;
}

const UNBOUNDED: Bounds = { expression: Infinity, text: Infinity, holders: Infinity };

export function makePool({ concepts }: View["registry"]): Pool {
  const holders = countHolders(concepts, () => true);
  const exactHolders = countHolders(
    concepts,
    (entry) => entry.equivalenceStrength === EXACT_STRENGTH && (holders.get(keyOf(entry.expression)) ?? 0) > 1,
  );
  return {
    draw(bounds = UNBOUNDED) {
      const tooLong = new Set(concepts.filter((concept) => !isWithin(bounds, concept)).flatMap(keysOf));
      const mayShow = (key: string): boolean =>
        key.length <= bounds.expression && (holders.get(key) ?? 0) <= bounds.holders && !tooLong.has(key);
      const draw = (wanted: (key: string) => boolean): Drawn[] =>
        drawFirsts(concepts, (key) => wanted(key) && mayShow(key));
      return {
        unique: draw((key) => holders.get(key) === 1),
        ambiguous: withHolders(
          concepts,
          draw((key) => (exactHolders.get(key) ?? 0) > 1),
        ),
      };
    },
    unheld(text, next) {
      let tried = text;
      for (let n = 1; holders.has(keyOf(tried)); n++) tried = next(text, n);
      return tried;
    },
  };
}

function isWithin({ text }: Bounds, { name, definition, domain }: Concept): boolean {
  return [name, definition, domain].every(({ length }) => length <= text);
}

function keysOf({ expressions }: Concept): string[] {
  return [...new Set(expressions.map(({ expression }) => keyOf(expression)))];
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

type Entry = Concept["expressions"][number];

/** How many concepts hold each comparison key, by the entries that count. */
function countHolders(concepts: readonly Concept[], counts: (entry: Entry) => boolean): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const { expressions } of concepts) {
    const keys = new Set(expressions.filter(counts).map(({ expression }) => keyOf(expression)));
    for (const key of keys) holders.set(key, (holders.get(key) ?? 0) + 1);
  }
  return holders;
}

/** Of each language and domain, the first exact expression whose key is as wanted. */
function drawFirsts(concepts: readonly Concept[], wanted: (key: string) => boolean): Drawn[] {
  const firsts = new Map<string, Drawn>();
  for (const concept of concepts) {
    for (const entry of concept.expressions) {
      const place = `${entry.language} ${concept.domain}`;
      const tag = tagOf(entry);
      // A longer tag is legal in a registry and cannot be asked for.
      if (firsts.has(place) || tag.length > LANGUAGE_MAX_LENGTH || entry.equivalenceStrength !== EXACT_STRENGTH)
        continue;
      const { expression, language } = entry;
      if (wanted(keyOf(expression))) {
        firsts.set(place, { expression, tag, language, domain: concept.domain, holders: [concept] });
      }
    }
  }
  return [...firsts.values()];
}

function withHolders(concepts: readonly Concept[], drawn: readonly Drawn[]): Drawn[] {
  const found = new Map<string, Concept[]>(drawn.map(({ expression }) => [keyOf(expression), []]));
  for (const concept of drawn.length === 0 ? [] : concepts) {
    for (const key of new Set(concept.expressions.map(({ expression }) => keyOf(expression))))
      found.get(key)?.push(concept);
  }
  return drawn.map((one) => {
    const [first = one.holders[0], ...others] = found.get(keyOf(one.expression)) ?? [];
    return { ...one, holders: [first, ...others] };
  });
}
