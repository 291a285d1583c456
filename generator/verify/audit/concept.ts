/**
 * Reads the detail and the notes that an index has for a concept. The detail is the published
 * record as this service gives it: its readers accept any JSON value as a provenance, but a release
 * never has more than a Provenance. The notes follow each other without gaps, match their schema,
 * and name related concepts as the index does.
 */
import { ConceptDetail, ConceptExpression, MATCHES, Provenance } from "../../../runtime/contract/concept.ts";
import { ConceptNotes, RELATED_MAX, RELATIONS } from "../../../runtime/contract/concept-notes.ts";
import { closed, nullable } from "../../../runtime/contract/schema.ts";
import * as Type from "../../../runtime/contract/type.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { type Json, judge, readAs, readObject } from "./json.ts";
import type { Faults } from "./parts.ts";

const Own = { provenance: nullable(Provenance) };
const expressions = Type.Array(closed({ ...ConceptExpression.properties, ...Own }));
const parseDetail = compileSchema(closed({ ...ConceptDetail.properties, ...Own, expressions }));

/**
 * Reads a line, whose last character should be a line feed. Checks neither duplicate names nor
 * depth: the caller prints the detail again and compares, which finds a duplicate name, and nothing
 * is nested deeper than its schema.
 */
export function readDetail(line: string): Json<ConceptDetail> {
  try {
    return judge(JSON.parse(line.slice(0, -1)), parseDetail);
  } catch {
    return { ok: false, fault: "not JSON" };
  }
}

/** The details of an index, in order; every one must have been read successfully before. */
export function* detailsOf(index: RegistryIndex): Generator<ConceptDetail, void> {
  for (let id = 0; id < index.conceptCount; id++)
    yield JSON.parse(decoder.decode(index.read(index.concept(id).detail)).slice(0, -1)) as ConceptDetail;
}

/** The identifiers that a concept claims: key, code and kind of each. */
export function claimsOf({ code, provenance }: ConceptDetail): string[] {
  const claims = (provenance?.exactMatch ?? []).map((iri) => `${iri}\n${code}\nexactMatch`);
  const sourceId = provenance?.sourceId ?? null;
  return sourceId === null ? claims : [...claims, `${sourceId}\n${code}\nsourceId`];
}

const IRI = /^[a-z][a-z0-9+.-]*:/i;

/** Whether it names concepts elsewhere only by absolute IRIs. */
export function isByIri(provenance: Provenance): boolean {
  const { sourceId } = provenance;
  const isOwn = sourceId === null || IRI.test(sourceId);
  return isOwn && MATCHES.every((match) => provenance[match]?.every((name) => IRI.test(name)) ?? true);
}

const parseNotes = compileSchema(ConceptNotes);

/** The notes of a concept, from an index whose notes were checked before. */
export function notesOf(index: RegistryIndex, id: number): ConceptNotes {
  const { notes } = index.concept(id);
  const reading = notes.length === 0 ? undefined : readAs(index.read(notes), parseNotes);
  return reading?.ok === true ? reading.value : {};
}

/**
 * The faults of the notes, their length in bytes, and the identifiers they claim; `codes` are those
 * of the concepts.
 */
export function checkConceptNotes(
  index: RegistryIndex,
  codes: readonly string[],
): { readonly faults: Faults; readonly length: number; readonly claims: readonly string[] } {
  const { answers } = index.sections;
  const start = answers.offset + (index.meta.notesStart ?? 0);
  const faults: Faults = [];
  const claims: string[] = [];
  let at = start;
  for (let id = 0; id < index.conceptCount; id++) {
    const { notes } = index.concept(id);
    if (notes.offset !== at || at + notes.length > answers.offset + answers.length) {
      faults.push(`concept ${id}: its notes do not follow those of the concept before it; later notes were not read`);
      break;
    }
    at += notes.length;
    if (notes.length === 0) continue;
    const bytes = index.read(notes);
    const reading = readAs(bytes, parseNotes);
    if (!reading.ok || !Buffer.from(JSON.stringify(reading.value)).equals(bytes) || !areRight(index, reading.value))
      faults.push(`concept ${id}: its notes are damaged`);
    else for (const { notation } of reading.value.notations ?? []) claims.push(`${notation}\n${codes[id]}\nnotation`);
  }
  return { faults, length: at - start, claims };
}

/**
 * Whether related concepts are listed with the names that the index has for them, and as many as
 * may be listed.
 */
function areRight(index: RegistryIndex, notes: ConceptNotes): boolean {
  return RELATIONS.every((relation) => {
    const { count = 0, concepts = [] } = notes[relation] ?? {};
    const isWhole = concepts.length === Math.min(count, RELATED_MAX);
    return isWhole && concepts.every(({ code, name }) => nameOf(index, code) === name);
  });
}

function nameOf(index: RegistryIndex, code: string): unknown {
  const id = index.conceptId(code);
  return id === undefined ? undefined : readObject(index.read(index.concept(id).resolved))?.["name"];
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
