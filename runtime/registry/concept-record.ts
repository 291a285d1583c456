/** The record of a concept in the compiled registry (layout: index-format.ts). */
import { getUint64, viewOf } from "../text/bytes.ts";
import type { Span } from "./byte-source.ts";
import { CONCEPT_RECORD, DIGEST_BYTES, type IndexMeta, type Section } from "./index-format.ts";

/** The spans of one concept's parts. Concept ids number the concepts in code order. */
export interface ConceptParts {
  readonly summary: Span;
  readonly detail: Span;
  /** JSON of the ResolvedConcept. */
  readonly resolved: Span;
  /** JSON of the Candidate up to its score. */
  readonly candidate: Span;
  /** JSON of the ConceptNotes; empty if there are none. */
  readonly notes: Span;
  /** SHA-256 of the detail's bytes. */
  readonly detailDigest: Uint8Array;
}

/** The values that turn the offsets in a record into spans. */
interface Places {
  readonly sections: Readonly<Record<Section, Span>>;
  readonly meta: IndexMeta;
}

/** The record of a concept; it decodes each part on demand. */
export class ConceptRecord implements ConceptParts {
  readonly #view: DataView;
  readonly #at: Places;

  constructor(bytes: Uint8Array, at: Places) {
    this.#view = viewOf(bytes);
    this.#at = at;
  }

  get summary(): Span {
    return this.#span("list", "summaryOffset", "summaryLength");
  }

  get detail(): Span {
    return this.#span("bundle", "detailOffset", "detailLength");
  }

  get resolved(): Span {
    return this.#span("answers", "answerOffset", "resolvedLength");
  }

  get candidate(): Span {
    const { offset, length } = this.resolved;
    return { offset: offset + length, length: this.#view.getUint32(CONCEPT_RECORD.candidateLength, true) };
  }

  get notes(): Span {
    const { offset, length } = this.#span("answers", "notesOffset", "notesLength");
    return { offset: offset + (this.#at.meta.notesStart ?? 0), length };
  }

  get detailDigest(): Uint8Array {
    const { buffer, byteOffset } = this.#view;
    return new Uint8Array(buffer, byteOffset + CONCEPT_RECORD.detailDigest, DIGEST_BYTES);
  }

  #span(section: Section, offset: keyof typeof CONCEPT_RECORD, length: keyof typeof CONCEPT_RECORD): Span {
    const { sections } = this.#at;
    return {
      offset: sections[section].offset + getUint64(this.#view, CONCEPT_RECORD[offset]),
      length: this.#view.getUint32(CONCEPT_RECORD[length], true),
    };
  }
}
