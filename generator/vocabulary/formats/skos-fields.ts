/**
 * The fields of a record that come from its vocabulary, as our SKOS exports have them: notations, notes and relations in
 * plain SKOS for any tool, and all of the fields as one record of ours, which import reads.
 */
import { NOTES, RELATIONS } from "../../../runtime/contract/concept-notes.ts";
import type { ConceptRecord, VocabularyFields } from "../../registry/record.ts";
import { vocabularyFields } from "../edit/write.ts";
import type { Property } from "./rdf-node.ts";
import { isIri, isPlainText } from "./skos-own.ts";

/** `iriOf` gives our IRI of a code; `takes` says which languages are wanted. */
export function vocabularyProperties(
  record: ConceptRecord,
  iriOf: (code: string) => string,
  takes: (tag: string) => boolean,
): Property[] {
  const fields = chosenFields(record, takes);
  if (fields === undefined) return [];
  const { notations = [], notes = {} } = fields;
  const plain: Property[] = notations.flatMap(({ notation: text, datatype }): Property[] => {
    if (!text.isWellFormed() || (datatype !== undefined && !isIri(datatype))) return [];
    return [["skos:notation", datatype === undefined ? { text } : { text, datatype }]];
  });
  for (const name of NOTES) {
    const term = name === "title" ? "dcterms:title" : `skos:${name}`;
    for (const { language, text } of notes[name] ?? []) {
      // A definition without a language is the one that is published.
      const isPlain = language === undefined ? name !== "definition" && text.isWellFormed() : isPlainText({ tag: language, text }); // prettier-ignore
      if (isPlain) plain.push([term, { text, ...(language === undefined ? {} : { language }) }]);
    }
  }
  for (const name of RELATIONS)
    for (const code of fields[name] ?? []) plain.push([`skos:${name}`, { iri: iriOf(code) }]);
  return [...plain, ["srs:fields", { json: fields }]];
}

/** Undefined where the record has none of them. */
export function chosenFields(record: VocabularyFields, takes: (tag: string) => boolean): VocabularyFields | undefined {
  const fields = vocabularyFields(record);
  if (Object.values(fields).every((value) => value === undefined)) return undefined;
  const { notes } = fields;
  if (notes === undefined) return fields;
  const chosen = NOTES.map((name) => [
    name,
    notes[name]?.filter(({ language }) => language === undefined || takes(language)),
  ]);
  return { ...fields, notes: Object.fromEntries(chosen) };
}
