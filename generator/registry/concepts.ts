/** The published concepts in code order, in any number: scratch files hold what memory does not. */
import { type ConceptExpression, MATCHES, type Provenance } from "../../runtime/contract/concept.ts";
import { keyOf } from "../../runtime/text/expression.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords } from "../scratch/sorted-records.ts";
import { IN_MEMORY } from "../scratch/spool.ts";
import { type Concept, type VocabularyStatements, tagOf } from "./concept.ts";
import { Numbering } from "./numbering.ts";
import { Identifiers } from "./identifiers.ts";
import { encodeBody, encodeHead, type Kind, type Marks, StoredConcept } from "./stored-concept.ts";

export class Concepts implements Iterable<StoredConcept> {
  /** The kinds of the expressions: a stored one has the number of its kind. */
  readonly kinds = new Numbering<Kind>();
  /** The domains of the concepts, likewise. */
  readonly domains = new Numbering<string>();
  readonly budget: MemoryBudget;
  readonly identifiers: Identifiers;
  readonly #records: SortedRecords;
  /** Further statements of the vocabularies, by code. */
  readonly #said: SortedRecords;
  #expressionCount = 0;

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
    return this.#expressionCount;
  }

  /** Whether a vocabulary states more about some concept than the concept's documents publish. */
  get areSaid(): boolean {
    return this.#said.count > 0;
  }

  /** In any order. */
  add(concept: Concept): void {
    const { code, name, definition, domain, provenance, expressions, renderings, said } = concept;
    this.identifiers.add(concept);
    if (said !== undefined) this.#said.add(code, encoder.encode(JSON.stringify(said)));
    this.#expressionCount += expressions.length;
    const head = encodeHead({
      domainId: this.domains.add(domain, domain),
      marks: marksOf(concept),
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

  #kindId(expression: ConceptExpression): number {
    const { language, equivalenceStrength: strength } = expression;
    const tag = tagOf(expression);
    return this.kinds.add(`${language} ${tag} ${strength}`, { language, tag, strength });
  }
}

function marksOf({ provenance, expressions }: Concept): Marks {
  const days = [provenance, ...expressions.map((one) => one.provenance)].map((one) => one?.reviewedAt ?? "0");
  return {
    provenance: provenance === null ? "none" : namesOf(provenance).every(isIri) ? "iris" : "names",
    lastReview: Math.max(...days.map((day) => Number(day.replaceAll("-", "")))),
  };
}

function namesOf(provenance: Provenance): string[] {
  const { sourceId } = provenance;
  return [...(sourceId === null ? [] : [sourceId]), ...MATCHES.flatMap((match) => provenance[match] ?? [])];
}

function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
