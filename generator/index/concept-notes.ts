/**
 * The notes that pages show of a concept in addition to its record
 * (runtime/contract/concept-notes.ts). A relation that only one of two concepts states is shown at
 * both, with the name of the other. A relation to an unpublished concept is not shown.
 */
import {
  type ConceptNotes,
  INVERSE,
  RELATED_MAX,
  type RelatedConcepts,
  type Relation,
  RELATIONS,
} from "../../runtime/contract/concept-notes.ts";
import { SortedRecords } from "../scratch/sorted-records.ts";
import type { VocabularyStatements } from "../registry/concept.ts";
import type { Concepts } from "../registry/concepts.ts";
import type { StoredConcept } from "../registry/stored-concept.ts";
import { compareCodePoints } from "../text/order.ts";

/** A relation as one of its two concepts has it: `code` and `name` are those of the other. */
interface End {
  readonly relation: Relation;
  readonly code: string;
  readonly name: string;
}

/** The concepts in code order, each with its notes if it has any. */
export function* withNotes(concepts: Concepts): Generator<readonly [StoredConcept, ConceptNotes | undefined], void> {
  const next = reader(concepts.areSaid ? endsOf(concepts) : undefined);
  for (const [concept, said] of concepts.withSaid()) yield [concept, notesOf(said, next(concept.code))];
}

function notesOf(said: VocabularyStatements | undefined, ends: readonly End[]): ConceptNotes | undefined {
  const { notations, notes } = said ?? {};
  if (notations === undefined && notes === undefined && ends.length === 0) return undefined;
  const relations = RELATIONS.map((relation) => [relation, relatedConcepts(ends, relation)] as const);
  return { notations, notes, ...Object.fromEntries(relations) } as ConceptNotes;
}

function relatedConcepts(ends: readonly End[], wanted: Relation): RelatedConcepts | undefined {
  const names = new Map(ends.flatMap(({ relation, code, name }) => (relation === wanted ? [[code, name]] : [])));
  if (names.size === 0) return undefined;
  const concepts = Array.from(names, ([code, name]) => ({ code, name }));
  concepts.sort((a, b) => compareCodePoints(a.name, b.name) || compareCodePoints(a.code, b.code));
  return { count: concepts.length, concepts: concepts.slice(0, RELATED_MAX) };
}

/** The ends of all relations, by the concept that has them. */
function endsOf(concepts: Concepts): SortedRecords {
  const stated = new SortedRecords(concepts.budget);
  for (const [concept, said] of concepts.withSaid()) {
    for (const relation of RELATIONS)
      for (const other of said?.[relation] ?? []) addEnd(stated, other, endOf(relation, concept));
  }
  const ends = new SortedRecords(concepts.budget);
  if (stated.count === 0) return ends;
  const next = reader(stated);
  for (const concept of concepts) {
    for (const { relation, ...other } of next(concept.code)) {
      addEnd(ends, concept.code, { relation: INVERSE[relation], ...other });
      addEnd(ends, other.code, endOf(relation, concept));
    }
  }
  return ends;
}

function endOf(relation: Relation, { code, name }: StoredConcept): End {
  return { relation, code, name };
}

function addEnd(ends: SortedRecords, code: string, end: End): void {
  ends.addText(code, JSON.stringify(end));
}

/**
 * Returns a function that reads the records of a key. Keys must be asked for in order; records of
 * other keys are skipped.
 */
function reader(records: Iterable<{ readonly key: string; readonly head: Uint8Array }> = []): (key: string) => End[] {
  const rest = records[Symbol.iterator]();
  let first = rest.next();
  return (key) => {
    const found: End[] = [];
    for (; first.done !== true && compareCodePoints(first.value.key, key) <= 0; first = rest.next())
      if (first.value.key === key) found.push(JSON.parse(decoder.decode(first.value.head)) as End);
    return found;
  };
}

const decoder = new TextDecoder();
