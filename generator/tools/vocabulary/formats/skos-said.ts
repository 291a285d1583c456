/**
 * States what the fields of a record say, as SKOS statements about the source's concept. Import
 * keeps statements that the fields miss as `source`, and statements that the fields add as
 * `unsaid`; export gives all of it back. So a source comes out as it went in, whatever the fields
 * can hold, and editing a field edits the output.
 */
import { MATCHES } from "../../../../runtime/contract/concept.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { tagOf } from "../../../registry/concept.ts";
import { type NoteName, NOTES, RELATIONS } from "../../../../runtime/contract/concept-notes.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { iriLine, textLine, typedLine } from "../../../skos/rdf-line.ts";
import * as terms from "../../../skos/terms.ts";

/** The ISO 639 code for an undetermined language: records use it for a label without one. */
const NO_LANGUAGE = "und";

/** Returns the source's identifier for the concept with this code. */
export type IriOf = (code: string) => string;

/**
 * The statements of the fields as lines of registry/source-line.ts: without those in `source`, and
 * including the `unsaid` ones.
 */
export function saidByFields(record: ConceptRecord, iriOf: IriOf): Set<string> {
  const { expressions, hiddenLabels = [], notations = [], notes = {}, provenance } = record;
  const said = new Set([iriLine(terms.TYPE, terms.CONCEPT)]);
  for (const expression of expressions) {
    if (expression.reviewStatus === "retired") continue;
    const term = expression.type === "preferred" ? terms.PREF_LABEL : terms.ALT_LABEL;
    said.add(labelLine(term, expression.expression, tagOf(expression)));
  }
  for (const { language, label } of hiddenLabels) said.add(labelLine(terms.HIDDEN_LABEL, label, language));
  for (const { notation, datatype } of notations) said.add(typedLine(terms.NOTATION, notation, datatype));
  for (const name of NOTES) {
    for (const { language, text } of notes[name] ?? []) said.add(noteLine(name, text, language));
  }
  for (const name of RELATIONS)
    for (const code of record[name] ?? []) said.add(iriLine(terms.termOf(name), iriOf(code)));
  for (const name of MATCHES) for (const iri of provenance?.[name] ?? []) said.add(iriLine(terms.termOf(name), iri));
  // A record with `source` says nothing that its source does not: its definition may be only a copy
  // of a name or a note.
  const definition = record.source === undefined && notes.definition === undefined ? record.definition : undefined;
  if (typeof definition === "string" && definition !== "") said.add(textLine(terms.DEFINITION, definition, ""));
  return said;
}

export function noteLine(name: NoteName, text: string, language = ""): string {
  return textLine(terms.termOf(name), text, language);
}

function labelLine(term: string, text: string, tag: string): string {
  return textLine(term, text, tag === NO_LANGUAGE ? "" : tag);
}

/** All that the record says of its source, in order. */
export function saidBy(record: ConceptRecord, iriOf: IriOf): string[] {
  const said = saidByFields(record, iriOf);
  for (const line of record.unsaid ?? []) said.delete(line);
  for (const line of record.source ?? []) said.add(line);
  return [...said].sort(compareCodePoints);
}
