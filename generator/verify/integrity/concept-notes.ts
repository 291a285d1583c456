/**
 * The notes of concepts in an index: they lie one behind the other, say what their schema has, and name related concepts
 * as the index does.
 */
import { ConceptNotes, RELATED_MAX, RELATIONS } from "../../../runtime/contract/concept-notes.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { readAs, readObject } from "./json.ts";
import type { Faults } from "./parts.ts";

const parse = compileSchema(ConceptNotes);

/** What is wrong, and how many bytes the notes take. */
export function checkConceptNotes(index: RegistryIndex): { readonly faults: Faults; readonly length: number } {
  const { answers } = index.sections;
  const start = answers.offset + (index.meta.notesStart ?? 0);
  const faults: Faults = [];
  let at = start;
  for (let id = 0; id < index.conceptCount; id++) {
    const { notes } = index.concept(id);
    if (notes.offset !== at || at + notes.length > answers.offset + answers.length) {
      faults.push(`concept ${id}: its notes do not follow those of the one before it; none behind it were read`);
      break;
    }
    at += notes.length;
    if (notes.length > 0 && !isSound(index, index.read(notes))) faults.push(`concept ${id}: its notes are damaged`);
  }
  return { faults, length: at - start };
}

function isSound(index: RegistryIndex, bytes: Uint8Array): boolean {
  const reading = readAs(bytes, parse);
  if (!reading.ok || !Buffer.from(JSON.stringify(reading.value)).equals(bytes)) return false;
  const notes = reading.value;
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
