/**
 * Makes the sections of the index that have a part for each concept. One pass makes them all and
 * writes the bundle; the other sections wait in spools.
 */
import { hash } from "node:crypto";
import { CONCEPT_RECORD, MARK_CONCEPTS } from "../../runtime/registry/index-format.ts";
import type { ConceptNotes } from "../../runtime/contract/concept-notes.ts";
import { TextPieces } from "../text/chunks.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { Spool } from "../scratch/spool.ts";
import type { StoredConcept } from "../registry/stored-concept.ts";
import { formatPublished, type PublishedRegistry } from "../registry/published-concept.ts";
import { withNotes } from "./concept-notes.ts";

export class ConceptSections {
  /** The ConceptList document: `{"data":[...],"count":n}` and a line feed. */
  readonly list: Spool;
  /**
   * For each concept, the JSON that answers are made from: the resolved concept, and a candidate up
   * to its score.
   */
  readonly answers: Spool;
  /** For each concept, the JSON of its notes, if it has any. */
  readonly notes: Spool;
  /** For each concept, a record of the places of its parts. */
  readonly records: Spool;
  /** The offset in `answers` of every MARK_CONCEPTS-th concept. */
  readonly marks: number[] = [];
  readonly #record = new Uint8Array(CONCEPT_RECORD.bytes);
  readonly #view = new DataView(this.#record.buffer);

  constructor(budget: MemoryBudget) {
    this.list = new Spool(budget);
    this.answers = new Spool(budget);
    this.notes = new Spool(budget);
    this.records = new Spool(budget);
  }

  /** The bundle; once it is read to its end, all other sections are complete. */
  *make(published: PublishedRegistry): Generator<Uint8Array, void> {
    const { concepts } = published.registry;
    const lines = new TextPieces();
    let id = 0;
    let at = 0;
    this.list.appendText('{"data":[');
    for (const [concept, notes] of withNotes(concepts)) {
      const { resolved, summary, detail } = formatPublished(published, concept);
      const line = yield* lines.add(...detail);
      this.#set("detail", at, line.length);
      this.#record.set(hash("sha256", line, "buffer"), CONCEPT_RECORD.detailDigest);
      at += line.length;
      if (id % MARK_CONCEPTS === 0) this.marks.push(this.answers.length);
      this.#addSummary(id++ > 0, summary);
      this.#addAnswer(concept, resolved);
      this.#addNotes(notes);
      this.records.append(this.#record);
    }
    yield* lines.rest();
    this.list.appendText(`],"count":${concepts.length}}\n`);
  }

  #addSummary(isNext: boolean, summary: readonly (string | Uint8Array)[]): void {
    if (isNext) this.list.appendText(",");
    const start = this.list.length;
    append(this.list, summary);
    this.#set("summary", start, this.list.length - start);
  }

  #addAnswer({ openingJson }: StoredConcept, resolved: readonly (string | Uint8Array)[]): void {
    const start = this.answers.length;
    append(this.answers, resolved);
    const middle = this.answers.length;
    append(this.answers, [openingJson, ',"score":']);
    this.#view.setBigUint64(CONCEPT_RECORD.answerOffset, BigInt(start), true);
    this.#view.setUint32(CONCEPT_RECORD.resolvedLength, middle - start, true);
    this.#view.setUint32(CONCEPT_RECORD.candidateLength, this.answers.length - middle, true);
  }

  #addNotes(notes: ConceptNotes | undefined): void {
    const start = this.notes.length;
    if (notes !== undefined) this.notes.appendText(JSON.stringify(notes));
    this.#set("notes", start, this.notes.length - start);
  }

  #set(part: "summary" | "detail" | "notes", offset: number, length: number): void {
    this.#view.setBigUint64(CONCEPT_RECORD[`${part}Offset`], BigInt(offset), true);
    this.#view.setUint32(CONCEPT_RECORD[`${part}Length`], length, true);
  }
}

function append(spool: Spool, texts: readonly (string | Uint8Array)[]): void {
  for (const text of texts)
    if (typeof text === "string") spool.appendText(text);
    else spool.append(text);
}
