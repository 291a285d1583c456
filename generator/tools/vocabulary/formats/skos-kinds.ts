/**
 * Finds subjects of a SKOS file that are of two kinds, or that look like concepts and are of none:
 * without a word, they would only be statements. And values of its references that are not IRIs.
 * Source: SKOS Reference (W3C, 2009), S3 to S9, S18 to S23, S31 to S37, S39, S40; SKOS-XL S48.
 */
import { quote } from "../../../text/printable.ts";
import { MATCHES } from "../../../../runtime/contract/concept.ts";
import { RELATIONS } from "../../../../runtime/contract/concept-notes.ts";
import type { Subject, Value } from "./skos-gather.ts";
import { isDeprecated, isStable, reportReference, type SkosReader, valuesOf } from "./skos-values.ts";
import * as terms from "../../../skos/terms.ts";

const { skos } = terms.PREFIXES;

/** In the order of bits; each excludes the others (S9, S37, S48). */
const KINDS = ["concept", "concept scheme", "collection", "label resource"] as const;
const [CONCEPT, SCHEME, COLLECTION, LABEL] = [1, 2, 4, 8];
/** A concept by a match alone: vocabularies often state the matches of others too. */
const MATCHED = 16;
const TYPES = new Map([
  [terms.CONCEPT, CONCEPT],
  [terms.CONCEPT_SCHEME, SCHEME],
  ...terms.COLLECTIONS.map((type) => [type, COLLECTION] as const),
  [terms.XL_LABEL, LABEL],
]);

/** S18, S21, S39, S40: semantic relations, which are between two concepts (S19, S20). */
const RELATED = [
  ...RELATIONS.map(terms.termOf),
  ...["semanticRelation", "broaderTransitive", "narrowerTransitive"].map((name) => skos + name),
];
/** Checked where they are read. */
const MAPPING = [...MATCHES.map(terms.termOf), `${skos}mappingRelation`];
const TOP_CONCEPT_OF = `${skos}topConceptOf`;
const HAS_TOP_CONCEPT = `${skos}hasTopConcept`;
const MEMBERSHIP = [terms.IN_SCHEME, TOP_CONCEPT_OF, HAS_TOP_CONCEPT, terms.MEMBER];

/** The kind that a property makes its subject, and its value; zero for none. */
const MAKES = new Map<string, readonly [subject: number, value: number]>([
  ...RELATED.map((term) => [term, [CONCEPT, CONCEPT]] as const),
  ...MAPPING.map((term) => [term, [MATCHED, MATCHED]] as const),
  [terms.IN_SCHEME, [0, SCHEME]],
  [TOP_CONCEPT_OF, [CONCEPT, SCHEME]],
  [HAS_TOP_CONCEPT, [SCHEME, CONCEPT]],
  [terms.MEMBER, [COLLECTION, 0]],
  [terms.MEMBER_LIST, [COLLECTION, 0]],
]);

const LABELS = [
  terms.PREF_LABEL,
  terms.ALT_LABEL,
  terms.HIDDEN_LABEL,
  terms.XL_PREF_LABEL,
  terms.XL_ALT_LABEL,
  terms.XL_HIDDEN_LABEL,
];

export function checkKinds(reading: SkosReader): void {
  const made = kindsMade(reading);
  for (const subject of reading.graph.values()) {
    const typed = kindsOf(subject);
    const other = made.get(subject.id) ?? 0;
    const all = (typed | other | ((other & MATCHED) === 0 ? 0 : CONCEPT)) & ~MATCHED;
    if ((all & (all - 1)) !== 0) reportKinds(reading, subject, all);
    else if (typed === 0 && !reading.isOwn) checkUntyped(reading, subject, other & ~MATCHED);
    if (!reading.isOwn) checkReferences(reading, subject);
  }
}

function kindsOf({ types }: Subject): number {
  let kinds = 0;
  for (const type of types) kinds |= TYPES.get(type) ?? 0;
  return kinds;
}

/** The kinds that statements give to subjects of the file, by id. */
function kindsMade({ graph }: SkosReader): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  const add = (id: string, kind: number): unknown => made.set(id, (made.get(id) ?? 0) | kind);
  for (const { id, values } of graph.values())
    for (const [property, said] of values) {
      const [own, other] = MAKES.get(property) ?? [0, 0];
      if (own !== 0) add(id, own);
      if (other !== 0)
        for (const { kind, value } of said) if (kind !== "literal" && graph.has(value)) add(value, other);
    }
  return made;
}

function reportKinds(reading: SkosReader, subject: Subject, kinds: number): void {
  const [first = "", ...others] = KINDS.filter((_, i) => (kinds & (1 << i)) !== 0);
  const isConcept = subject.types.has(terms.CONCEPT);
  const read = isConcept ? "; it is read as a concept" : "";
  const text = `The ${first} is also a ${others.join(" and a ")}, by its type or by what leads to it${read}`;
  reading.fault(subject, { rule: "kinds-excluded", text, remedy: "Give each its own IRI (SKOS S9, S37)" }, "kept");
}

/** S10 lets anything have labels, but here they are taken from concepts only. */
function checkUntyped(reading: SkosReader, subject: Subject, made: number): void {
  const isLabelled = [...LABELS, terms.IN_SCHEME].some((property) => subject.values.has(property));
  if (isDeprecated(subject) || (made !== CONCEPT && !(made === 0 && isLabelled))) return;
  const [type] = [...subject.types].filter((one) => one.startsWith(skos));
  const has = type === undefined ? "has no type of SKOS" : `has the type ${quote(type)}, which SKOS does not have`;
  const why = made === CONCEPT ? "is in a relation of concepts" : "has labels or a scheme";
  const text = `The subject ${why} but ${has}, so it is not read as a concept`;
  const remedy = "Give it the type skos:Concept, or the one that it has, as SKOS writes it";
  reading.fault(subject, { rule: "concept-without-type", text, remedy });
}

/** S3 to S6, S18 to S20, S31: what the value of a reference cannot be. */
function checkReferences(reading: SkosReader, subject: Subject): void {
  const report = (property: string, isWrong: (value: Value) => boolean): void => {
    for (const value of valuesOf(subject, property).filter(isWrong))
      reportReference(reading, subject, [property, value]);
  };
  for (const property of RELATED) report(property, (value) => !isStable(value));
  // A scheme or a collection may be a blank node, or have a relative IRI.
  for (const property of MEMBERSHIP) report(property, ({ kind }) => kind === "literal");
}
