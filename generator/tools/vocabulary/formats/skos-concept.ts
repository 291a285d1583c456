/**
 * Reads one concept of a SKOS file. A concept of our own exports comes back as it was, with the
 * changes that other tools have made since to its plain labels, definition, matches and
 * deprecation.
 */
import {
  EXACT_STRENGTH,
  type Match,
  MATCHES,
  type Provenance,
  REVIEWED,
} from "../../../../runtime/contract/concept.ts";
import { quote } from "../../../text/printable.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { withoutMatches } from "../../../registry/publish.ts";
import type { RetiredRecord } from "../../../registry/record.ts";
import { isIri } from "../../../skos/rdf-line.ts";
import type { Subject } from "./skos-gather.ts";
import { compareLabels, compareTexts, isPartedByRule, type Label, labelKey, labelOf } from "../../../skos/labels.ts";
import type { OwnExpression, OwnHiddenLabels } from "../../../skos/own.ts";
import {
  deprecationOf,
  irisOf,
  isDeprecated,
  isStable,
  labelsOf,
  notesOf,
  notationsOf,
  readable,
  recordsOf,
  type SkosReader,
  textOf,
  valuesOf,
} from "./skos-values.ts";
import type { SourceConcept, SourceExpression, SourceRetirement, SourceText } from "./source.ts";
import * as terms from "../../../skos/terms.ts";

const PREFERRED = [terms.PREF_LABEL, terms.XL_PREF_LABEL] as const;
const ALTERNATE = [terms.ALT_LABEL, terms.XL_ALT_LABEL] as const;
const LABELS = [terms.ownTerm("expression"), terms.PREF_LABEL, terms.ALT_LABEL];
const HIDDEN = [terms.HIDDEN_LABEL, terms.XL_HIDDEN_LABEL] as const;

/** A concept without the rest of its vocabulary's statements (skos-vocabulary.ts). */
export type BareConcept = Omit<SourceConcept, "vocabulary">;

/** Returns the concept; undefined if it has no permanent identifier. */
export function readConcept(reading: SkosReader, subject: Subject): BareConcept | undefined {
  if (!isStable({ kind: subject.isBlank ? "blank" : "iri", value: subject.id })) {
    const text = `A concept has ${subject.isBlank ? "no IRI" : "a relative IRI in a file without a base"}`;
    const remedy = subject.isBlank ? "Give it an IRI" : "Name the base (@base, xml:base) or write full IRIs";
    const preferred = labelsOf(reading, subject, PREFERRED);
    const labels = preferred.map((label) => label.text);
    reading.fault(subject, { rule: "concept-without-iri", text: `${text}${hint(preferred)}`, remedy, labels });
    return undefined;
  }
  const [name] = plainTexts(subject, terms.NAME);
  const [retirement] = recordsOf(reading, subject, "retired");
  const isOwn = name !== undefined || retirement !== undefined;
  const code = readCode(reading, subject);
  const [provenance] = recordsOf(reading, subject, "provenance");
  const preferred = labelsOf(reading, subject, PREFERRED);
  const nameless = preferred.length === 0 ? readable(plainTexts(subject, terms.LABEL)) : undefined;
  const sourceId = isOwn ? (provenance?.sourceId ?? retirement?.sourceId ?? null) : subject.id;
  const [renderings] = recordsOf(reading, subject, "renderings");
  const [hidden] = recordsOf(reading, subject, "hiddenLabels");
  const expressions = readExpressions(reading, subject, { preferred, isOwn });
  // In our own exports nothing reads them again, and they are most of the data.
  if (name !== undefined) for (const predicate of LABELS) subject.values.delete(predicate);
  return {
    file: subject.file,
    line: subject.line,
    sourceId: sourceId === null && code === undefined ? subject.id : sourceId,
    code,
    notations: [...new Set(notationsOf(subject).map(({ notation }) => notation))],
    domain: plainTexts(subject, terms.DOMAIN)[0]?.text,
    name: name?.text ?? (isOwn ? retirement?.name : nameless),
    definitions: reading.inLanguages(notesOf(reading, subject, terms.DEFINITION), "definitions"),
    scopeNotes: reading.inLanguages(notesOf(reading, subject, terms.SCOPE_NOTE), "scope notes"),
    expressions,
    hiddenLabels: readHiddenLabels(reading, subject, hidden),
    blank: hidden?.length === 0 ? { hiddenLabels: [] } : undefined,
    ...readAllMatches(reading, subject, provenance),
    provenance: name === undefined ? undefined : withoutSaid(provenance ?? null),
    renderings,
    retired: readRetirement(reading, subject, { code, retirement }),
  };
}

/** A label by which a person can find the concept in the file. */
function hint(preferred: readonly SourceText[]): string {
  const label = readable(preferred);
  return label === undefined ? "" : `: ${quote(label)}`;
}

function checkDeprecated(reading: SkosReader, subject: Subject): void {
  const says = deprecationOf(subject);
  const fault = { rule: "deprecated-unclear", remedy: "Give owl:deprecated once, as true or false" };
  if (says.includes(undefined)) {
    reading.fault(subject, { ...fault, text: "owl:deprecated is neither true nor false" }, "kept");
  }
  if (says.includes(true) && says.includes(false)) {
    const text = "owl:deprecated is both true and false; it counts as true";
    reading.fault(subject, { ...fault, text }, "kept");
  }
}

function plainTexts(subject: Subject, predicate: string): SourceText[] {
  return valuesOf(subject, predicate)
    .flatMap((value) => textOf(value) ?? [])
    .sort(compareTexts);
}

function readCode(reading: SkosReader, subject: Subject): string | undefined {
  const codes = codesOf(subject);
  if (codes.length > 1) {
    const text = `The concept has ${codes.length} codes, ${codes.map(quote).join(", ")}; the first is taken`;
    const remedy = "Keep only its permanent code";
    reading.fault(subject, { rule: "code-conflict", text, remedy }, "kept");
  }
  return codes[0];
}

function codesOf(subject: Subject): string[] {
  const codes = valuesOf(subject, terms.NOTATION).filter(
    (value) => value.kind === "literal" && value.datatype === terms.CONCEPT_CODE,
  );
  return codes.map(({ value }) => value).sort(compareCodePoints);
}

/**
 * The expressions of our own records, and the plain labels that no record is about, each once. A
 * record about a plain label that is gone is left out.
 */
function readExpressions(
  reading: SkosReader,
  subject: Subject,
  { preferred, isOwn }: { readonly preferred: readonly SourceText[]; readonly isOwn: boolean },
): SourceExpression[] {
  const plain = new Map<string, Label>();
  for (const label of preferred) plain.set(`prefLabel ${labelKey(label)}`, { ...label, type: "preferred" });
  for (const label of labelsOf(reading, subject, ALTERNATE)) {
    plain.set(`altLabel ${labelKey(label)}`, { ...label, type: "alternate" });
  }
  const records = recordsOf(reading, subject, "expression").filter(
    (record) => record.label === undefined || plain.has(ownKey(record)),
  );
  // Deleted only now, since two records may share one label.
  for (const record of records) plain.delete(ownKey(record));
  const claimed = isOwn ? ({ equivalenceStrength: EXACT_STRENGTH, reviewStatus: REVIEWED } as const) : {};
  const expressions = [
    ...records.map((record) => ({ at: record.position ?? Infinity, expression: fromRecord(record) })),
    ...[...plain.values()].map((label) => ({ at: Infinity, expression: { ...label, ...claimed } })),
  ].sort((a, b) => (a.at === b.at ? compareLabels(a.expression, b.expression) : a.at - b.at));
  const inOrder = expressions.map(({ expression }) => expression);
  return reading.inLanguages(inOrder, "labels");
}

function ownKey(record: OwnExpression): string {
  return `${record.label} ${labelKey(labelOf(record))}`;
}

function fromRecord(record: OwnExpression): SourceExpression {
  const { language, locale, equivalenceStrength, reviewStatus, provenance } = record;
  const { tag, text, type } = labelOf(record);
  // Without a spread: on Node 20 each object would have its own hidden class.
  const label = { tag, text, type, equivalenceStrength, reviewStatus, provenance };
  return isPartedByRule(record) ? label : { ...label, parted: { language, locale } };
}

function readHiddenLabels(reading: SkosReader, subject: Subject, records: OwnHiddenLabels = []): SourceText[] {
  const plain = new Map(labelsOf(reading, subject, HIDDEN).map((label) => [labelKey(label), label]));
  const known = records
    .map(({ language, label, plain: isPlain }) => ({ tag: language, text: label, isPlain: isPlain === true }))
    .filter((label) => !label.isPlain || plain.has(labelKey(label)));
  for (const label of known) plain.delete(labelKey(label));
  const labels = [...known.map(({ tag, text }) => ({ tag, text })), ...plain.values()];
  return reading.inLanguages(labels, "hidden labels");
}

/** Matches are read from SKOS; only our record can hold an empty list. */
function withoutSaid(provenance: Provenance | null): Provenance | null {
  const empty = MATCHES.filter((name) => provenance?.[name]?.length === 0).map((name) => [name, []]);
  return provenance && { ...withoutMatches(provenance), ...Object.fromEntries(empty) };
}

/** Our own order, without matches that another tool removed; then those that it added. */
function readAllMatches(
  reading: SkosReader,
  subject: Subject,
  provenance: Provenance | undefined,
): Record<Match, readonly string[]> {
  const read = (name: Match): string[] => {
    const iris = irisOf(reading, subject, terms.termOf(name));
    const said = new Set(iris);
    const before = provenance?.[name] ?? [];
    return [...new Set([...before.filter((match) => !isIri(match) || said.has(match)), ...iris])];
  };
  return Object.fromEntries(MATCHES.map((name) => [name, read(name)])) as Record<Match, string[]>;
}

function readRetirement(
  reading: SkosReader,
  subject: Subject,
  { code, retirement }: { readonly code: string | undefined; readonly retirement: RetiredRecord[number] | undefined },
): SourceRetirement | undefined {
  checkDeprecated(reading, subject);
  if (!isDeprecated(subject) && retirement === undefined) return undefined;
  const replacedBy = irisOf(reading, subject, terms.IS_REPLACED_BY).map((iri) =>
    codeOf(reading, iri, { subject, code }),
  );
  const notes = [terms.HISTORY_NOTE, terms.CHANGE_NOTE].map((note) => readable(notesOf(reading, subject, note)));
  return {
    replacedBy: [...new Set(replacedBy)].sort(compareCodePoints),
    retiredIn: retirement?.retiredIn,
    reason: retirement?.reason ?? notes.find((note) => note !== undefined),
  };
}

/**
 * Identifies a concept by its code. One that is not in the file has an IRI of the same form as this
 * one.
 */
function codeOf(
  { graph }: SkosReader,
  iri: string,
  { subject, code }: { readonly subject: Subject; readonly code: string | undefined },
): string {
  const other = graph.get(iri);
  const [named] = other === undefined ? [] : codesOf(other);
  if (named !== undefined) return named;
  const isCoded = code !== undefined && subject.id.endsWith(`/${code}`);
  const base = isCoded ? subject.id.slice(0, -code.length) : undefined;
  return other === undefined && base !== undefined && iri.startsWith(base) ? iri.slice(base.length) : iri;
}
