/** The fields of a concept record that come from a vocabulary. */
import { type Note, NOTES } from "../../runtime/contract/concept-notes.ts";
import type { ConceptRecord, VocabularyFields } from "./record.ts";

/**
 * The fields of a record that come from a vocabulary, in the order of the schema; an absent one is
 * undefined.
 */
export function vocabularyFields({ notations, notes, ...record }: VocabularyFields): VocabularyFields {
  const { broader, narrower, related, source, unsaid } = record;
  return {
    notations: notations?.map(({ notation, datatype }) => ({ notation, datatype })),
    notes: notes && Object.fromEntries(NOTES.map((name) => [name, notes[name]?.map(orderedNote)])),
    broader,
    narrower,
    related,
    source,
    unsaid,
  } as VocabularyFields;
}

function orderedNote({ language, text }: Note): Note {
  return { language, text } as Note;
}

/** The fields that the record has from a vocabulary; undefined if there are none. */
export function vocabularyOf(record: ConceptRecord): VocabularyFields | undefined {
  const fields = vocabularyFields(record);
  return Object.values(fields).every((value) => value === undefined) ? undefined : fields;
}
