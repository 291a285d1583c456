/** What an index holds of one concept, as values. Each function may throw as `index.read` does. */
import type { ConceptNotes } from "../contract/concept-notes.ts";
import type { ConceptDetail, ConceptSummary } from "../contract/concept.ts";
import type { Span } from "./byte-source.ts";
import type { RegistryIndex } from "./index.ts";

export function readSummary(index: RegistryIndex, id: number): ConceptSummary {
  return parse(index, index.concept(id).summary) as ConceptSummary;
}

export function readDetail(index: RegistryIndex, id: number): ConceptDetail {
  return parse(index, index.concept(id).detail) as ConceptDetail;
}

/** Empty if it has none. */
export function readNotes(index: RegistryIndex, id: number): ConceptNotes {
  const { notes } = index.concept(id);
  return notes.length === 0 ? {} : (parse(index, notes) as ConceptNotes);
}

function parse(index: RegistryIndex, span: Span): unknown {
  return JSON.parse(decoder.decode(index.read(span)));
}

const decoder = new TextDecoder();
