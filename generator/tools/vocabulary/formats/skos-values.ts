/**
 * Reads a subject's values as texts, labels, IRIs and records. An unusable value becomes a fault or
 * is counted. Sets of statements have no order, so results are in code-point order.
 */
import { asWritten } from "../../../skos/rdf-line.ts";
import { formatLanguageTag, isWellFormedLanguageTag } from "../../../../runtime/text/language.ts";
import type { Fault } from "../../../text/finding.ts";
import { quote } from "../../../text/printable.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { remembering } from "../../../text/remembering.ts";
import { type ReadOptions, ReaderState } from "./reader-state.ts";
import { type Graph, isOwnScheme, type Subject, type Value } from "./skos-gather.ts";
import { compareTexts, labelKey } from "../../../skos/labels.ts";
import { own, type OwnRecords, ownText, parseOwn } from "../../../skos/own.ts";
import type { SourceFault, SourceText } from "./source.ts";
import * as terms from "../../../skos/terms.ts";

export class SkosReader extends ReaderState {
  readonly graph: Graph;
  /**
   * Whether it is our own export, of which only the parts that are read are kept; of other files
   * every statement is kept.
   */
  readonly isOwn: boolean;

  constructor(graph: Graph, options: ReadOptions) {
    super(options);
    this.graph = graph;
    this.isOwn = [...graph.values()].some((subject) => isOwnScheme(subject) || subject.values.has(terms.NAME));
  }

  override get leftOut(): Record<string, number> {
    return Object.fromEntries(Object.entries(super.leftOut).sort(([a], [b]) => compareCodePoints(a, b)));
  }

  fault(
    { id, file, line }: Subject,
    fault: Fault & Pick<SourceFault, "labels">,
    outcome: SourceFault["outcome"] = "left out",
  ): void {
    this.faults.push({ ...fault, file, line, concept: asWritten(id), language: null, outcome });
  }

  /** Reports a fault of a statement that is not read, and by which nothing resolves. */
  unread(subject: Subject, fault: Fault): void {
    this.fault(subject, fault, this.isOwn ? "left out" : "kept");
  }

  /**
   * Filters texts by the requested languages. A text without a tag belongs to no language and is
   * checked elsewhere.
   */
  inLanguages<T extends SourceText>(texts: readonly T[], what: string): T[] {
    return texts.filter(({ tag }) => tag === "" || this.admits(tag, what));
  }
}

/** The distinct values of a predicate. */
export function valuesOf(subject: Subject, predicate: string): readonly Value[] {
  const values = subject.values.get(predicate) ?? [];
  if (values.length < 2) return values;
  const once = new Map<string, Value>();
  for (const value of values) {
    const kind = value.kind === "literal" ? `${value.language} ${value.datatype}` : value.kind;
    once.set(`${kind} ${value.value}`, value);
  }
  return [...once.values()];
}

/** The text of a literal for people; undefined for other datatypes. */
export function textOf(value: Value): SourceText | undefined {
  if (value.kind !== "literal") return undefined;
  if (value.language !== "") return { tag: formatTag(value.language), text: value.value };
  if (value.datatype === terms.STRING) return { tag: "", text: value.value };
  if (value.datatype !== terms.JSON_LITERAL) return undefined;
  // Our own form for a text that a plain literal cannot hold.
  const reading = parseOwn(value.value, ownText);
  return "value" in reading ? { tag: "", text: reading.value } : undefined;
}

/** RDF tags are case-insensitive; ill-formed ones stay as they are. */
const formatTag = remembering((tag) => (isWellFormedLanguageTag(tag) ? formatLanguageTag(tag) : tag));

/** The labels of a plain predicate and its SKOS-XL counterpart, each once. */
export function labelsOf(reading: SkosReader, subject: Subject, [plain, xl]: readonly [string, string]): SourceText[] {
  const labels = new Map<string, SourceText>();
  const take = (label: SourceText): unknown => labels.set(labelKey(label), label);
  for (const value of valuesOf(subject, plain)) {
    const label = textOf(value);
    if (label !== undefined) take(label);
    else {
      const text = `${nameOf(plain)} ${show(value)} is not a text with a language`;
      const remedy = `Write a text with its language, such as "label"@en`;
      reading.fault(subject, { rule: "label-not-text", text, remedy });
    }
  }
  for (const value of valuesOf(subject, xl)) {
    const forms = value.kind === "literal" ? [] : literalForms(reading.graph.get(value.value));
    const [form] = forms;
    if (form !== undefined) take(form);
    if (forms.length === 1) continue;
    const several = `skosxl:${nameOf(xl)} ${show(value)} has ${forms.length} literal forms; the first is taken`;
    const text = form === undefined ? `skosxl:${nameOf(xl)} ${show(value)} has no literal form` : several;
    const remedy = "Give each label resource one skosxl:literalForm";
    reading.fault(subject, { rule: "label-form", text, remedy }, form === undefined ? "left out" : "kept");
  }
  return [...labels.values()].sort(compareTexts);
}

function literalForms(label: Subject | undefined): SourceText[] {
  const values = label === undefined ? [] : valuesOf(label, terms.LITERAL_FORM);
  return values.flatMap((value) => textOf(value) ?? []).sort(compareTexts);
}

/** Definitions and notes: texts, or nodes with the text as rdf:value. */
export function notesOf(reading: SkosReader, subject: Subject, predicate: string): SourceText[] {
  return valuesOf(subject, predicate)
    .flatMap((value) => {
      const node = value.kind === "literal" ? undefined : reading.graph.get(value.value);
      const texts = value.kind === "literal" ? [value] : node === undefined ? [] : valuesOf(node, terms.VALUE);
      const notes = texts.flatMap((one) => textOf(one) ?? []);
      if (notes.length === 0) {
        const text = `${nameOf(predicate)} ${show(value)} holds no text`;
        reading.unread(subject, { rule: "note-not-text", text, remedy: "Write the text itself, with its language" });
      }
      return notes;
    })
    .sort(compareTexts);
}

/** Notations that are not our codes and not empty, in order; each text once. */
export function notationsOf(subject: Subject): { readonly notation: string; readonly datatype: string }[] {
  const notations = valuesOf(subject, terms.NOTATION).flatMap((value) =>
    value.kind === "literal" && value.value !== "" && value.datatype !== terms.CONCEPT_CODE && value.language === ""
      ? [{ notation: value.value, datatype: value.datatype === terms.STRING ? "" : asWritten(value.datatype) }]
      : [],
  );
  return notations.sort(
    (a, b) => compareCodePoints(a.notation, b.notation) || compareCodePoints(a.datatype, b.datatype),
  );
}

/** IRIs that have a meaning outside the file. */
export function irisOf(reading: SkosReader, subject: Subject, predicate: string): string[] {
  const iris = valuesOf(subject, predicate).filter((value) => {
    if (isStable(value)) return true;
    reportReference(reading, subject, [predicate, value]);
    return false;
  });
  return iris.map(({ value }) => value).sort(compareCodePoints);
}

/** Reports a value that leads to nothing outside the file. */
export function reportReference(reading: SkosReader, subject: Subject, [predicate, value]: [string, Value]): void {
  // A literal may hold what looks like an IRI.
  const wrong = value.kind === "literal" ? "is written as a text, not as an IRI" : "is not an absolute IRI";
  const text = `${nameOf(predicate)} ${show(value)} ${wrong}`;
  reading.unread(subject, { rule: "reference-not-iri", text, remedy: "Name the other one by its full IRI" });
}

export function isStable({ kind, value }: Value): boolean {
  return kind === "iri" && !value.startsWith(terms.NO_BASE);
}

/** Our records of one kind, in the order of their text. */
export function recordsOf<K extends keyof OwnRecords>(reading: SkosReader, subject: Subject, kind: K): OwnRecords[K][] {
  const values = valuesOf(subject, terms.ownTerm(kind)).toSorted((a, b) => compareCodePoints(a.value, b.value));
  return values.flatMap((value) => {
    const record = parseOwn(value.value, own[kind]);
    if ("value" in record) return [record.value];
    const text = `srs:${kind} is not one of our records: ${record.fault}`;
    const rule = kind === "registry" ? "export-registry" : "export-record";
    reading.fault(subject, { rule, text, remedy: "Export the registry again, or fix the JSON" });
    return [];
  });
}

/** English, else without a language, else the first by tag. */
export function readable(texts: readonly SourceText[]): string | undefined {
  return texts.toSorted((a, b) => rank(a) - rank(b) || compareTexts(a, b))[0]?.text;
}

function rank({ tag }: SourceText): number {
  return tag === "en" ? 0 : tag.startsWith("en-") ? 1 : tag === "" ? 2 : 3;
}

/** The values of owl:deprecated; undefined for one that is neither true nor false. */
export function deprecationOf(subject: Subject): (boolean | undefined)[] {
  return valuesOf(subject, terms.DEPRECATED).map((value) =>
    value.kind === "literal" && (value.datatype === terms.BOOLEAN || value.datatype === terms.STRING)
      ? BOOLEANS[value.value.trim().toLowerCase()]
      : undefined,
  );
}

export function isDeprecated(subject: Subject): boolean {
  return deprecationOf(subject).includes(true);
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

function nameOf(predicate: string): string {
  return predicate.replace(/^.*[#/:]/, "");
}

function show(value: Value): string {
  switch (value.kind) {
    case "iri":
      return `<${quote(asWritten(value.value)).slice(1, -1)}>`;
    case "blank":
      return "of a blank node";
    case "literal":
      return quote(value.value);
  }
}
