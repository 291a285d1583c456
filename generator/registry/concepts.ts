/** The published concepts in code order, in any number: scratch files hold what memory does not. */
import { type ConceptExpression, EXACT_STRENGTH, MATCHES, type Provenance } from "../../runtime/contract/concept.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords } from "../scratch/sorted-records.ts";
import { IN_MEMORY } from "../scratch/spool.ts";
import { type Concept, type VocabularyStatements, tagOf } from "./concept.ts";
import { Counted } from "./counted.ts";
import { Identifiers } from "./identifiers.ts";
import { encodeBody, encodeHead, type Kind, StoredConcept } from "./stored-concept.ts";

export class Concepts implements Iterable<StoredConcept> {
  /** Whether every concept has a provenance, and names concepts elsewhere by absolute IRIs. */
  readonly provenances = { areAll: true, areByIri: true };
  /** The kinds of the expressions. */
  readonly kinds = new Counted<Kind>();
  /** The domains of the concepts. */
  readonly domains = new Counted<string>();
  readonly budget: MemoryBudget;
  readonly identifiers: Identifiers;
  readonly #records: SortedRecords;
  /** Further statements of the vocabularies, by code. */
  readonly #said: SortedRecords;
  #lastReview: string | undefined;

  constructor(budget: MemoryBudget) {
    this.budget = budget;
    this.identifiers = new Identifiers(budget);
    this.#records = new SortedRecords(budget);
    this.#said = new SortedRecords(budget);
  }

  /** For few concepts, in memory. */
  static of(concepts: Iterable<Concept>): Concepts {
    const held = new Concepts(IN_MEMORY);
    for (const concept of concepts) held.add(concept);
    return held;
  }

  get length(): number {
    return this.#records.count;
  }

  get expressionCount(): number {
    return this.kinds.counts.reduce((sum, count) => sum + count, 0);
  }

  /** B36: the count of expressions for people and documents; each of them can resolve. */
  get exactExpressionCount(): number {
    const { values, counts } = this.kinds;
    return counts.reduce((sum, count, id) => sum + (values[id]?.strength === EXACT_STRENGTH ? count : 0), 0);
  }

  /** Whether a vocabulary states more about some concept than the concept's documents publish. */
  get areSaid(): boolean {
    return this.#said.count > 0;
  }

  /** YYYY-MM-DD; undefined if no review has a day. */
  get lastReview(): string | undefined {
    return this.#lastReview;
  }

  /** In any order. */
  add(concept: Concept): void {
    const { code, name, definition, domain, provenance, expressions, renderings, said } = concept;
    this.identifiers.add(concept);
    if (said !== undefined) this.#said.add(code, encoder.encode(JSON.stringify(said)));
    if (provenance === null) this.provenances.areAll = false;
    else if (!namesOf(provenance).every((one) => /^[a-z][a-z0-9+.-]*:/i.test(one))) this.provenances.areByIri = false;
    for (const one of [provenance, ...expressions.map((expression) => expression.provenance)]) {
      const day = one?.reviewedAt ?? undefined;
      if (day !== undefined && (this.#lastReview === undefined || day > this.#lastReview)) this.#lastReview = day;
    }
    const head = encodeHead({
      domainId: this.domains.add(domain, domain),
      opening: JSON.stringify({ code, name }).slice(0, -1),
      rest: `,${JSON.stringify({ definition, domain }).slice(1)}`,
      entries: expressions.map((one) => ({ kindId: this.#kindId(one), key: keyOf(one.expression) })),
    });
    this.#records.add(code, head, encodeBody(JSON.stringify({ provenance, expressions, renderings })));
  }

  *[Symbol.iterator](): Generator<StoredConcept, void> {
    for (const record of this.#records) yield new StoredConcept(record, this);
  }

  /** Each concept with the further statements of its vocabulary. */
  *withSaid(): Generator<readonly [StoredConcept, VocabularyStatements | undefined], void> {
    const others = this.#said[Symbol.iterator]();
    let next = others.next().value;
    for (const concept of this) {
      const own = next?.key === concept.code ? next : undefined;
      yield [concept, own && (JSON.parse(decoder.decode(own.head)) as VocabularyStatements)];
      if (own !== undefined) next = others.next().value;
    }
  }

  first(count: number): StoredConcept[] {
    const found: StoredConcept[] = [];
    if (count > 0) {
      for (const concept of this) {
        found.push(concept);
        if (found.length === count) break;
      }
    }
    return found;
  }

  /**
   * The concepts that have one of these codes. Whoever keeps one also keeps every byte that was
   * read with it.
   */
  *find(codes: Iterable<string>): Generator<StoredConcept, void> {
    const wanted = new Set(codes);
    if (wanted.size === 0) return;
    for (const concept of this) {
      if (wanted.delete(concept.code)) yield concept;
      if (wanted.size === 0) return;
    }
  }

  #kindId(expression: ConceptExpression): number {
    const { language, equivalenceStrength: strength } = expression;
    const tag = tagOf(expression);
    return this.kinds.add(`${language} ${tag} ${strength}`, { language, tag, strength });
  }
}

function namesOf(provenance: Provenance): string[] {
  const { sourceId } = provenance;
  return [...(sourceId === null ? [] : [sourceId]), ...MATCHES.flatMap((match) => provenance[match] ?? [])];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
