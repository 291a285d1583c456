/**
 * Writes a registry back as its sources: under the IRIs of the source and in its words alone, with what was edited since.
 * A source that was imported and not edited comes out as the same graph. What is not of a source is under our own IRIs.
 * Deprecated concepts, schemes, collections and whatever else a source speaks of come from `vocabularies/`.
 */
import type { RegistrySource } from "../../registry/read.ts";
import type { ConceptRecord, RetiredRecord } from "../../registry/record.ts";
import { isSourceLine, languageOf, renamed } from "../../registry/source-line.ts";
import type { DomainLine } from "../../registry/vocabulary-file.ts";
import { compareCodePoints } from "../../text/order.ts";
import { quote } from "../../text/printable.ts";
import { ExportError } from "./export-error.ts";
import { formatIri } from "./rdf-line.ts";
import { saidBy } from "./skos-said.ts";
import { PREFIXES, TYPE } from "./terms.ts";

interface Written extends Pick<RegistrySource, "concepts" | "retired"> {
  readonly vocabularies: readonly DomainLine[];
}

/** Turtle in pieces: the concepts in order of code, then everything else in order of domain and subject. */
export function* writeSource(
  { concepts, retired, vocabularies }: Written,
  { origin }: { readonly origin: string },
): Generator<string, void> {
  const subjects = new Map([
    ...retired.flatMap(({ code, sourceId }): [string, string][] => (sourceId === undefined ? [] : [[code, sourceId]])),
    ...concepts.map(({ record }): [string, string] => [record.code, subjectOf(record, origin)]),
  ]);
  const iriOf = (code: string): string => subjects.get(code) ?? ownIri(origin, code);
  for (const [prefix, iri] of Object.entries(PREFIXES)) if (prefix !== "srs") yield `@prefix ${prefix}: <${iri}> .\n`;
  const domains = [...new Set(vocabularies.map(({ domain }) => domain))];
  const shared = (label: string, domain: string): string => `_:d${domains.indexOf(domain)}${label.slice("_:".length)}`;
  for (const [i, { record }] of concepts
    .toSorted((a, b) => compareCodePoints(a.record.code, b.record.code))
    .entries()) {
    const rename = (label: string): string =>
      label.startsWith("_:x") ? shared(label, record.domain) : `_:c${i}${label.slice("_:".length)}`;
    yield* formatSubject(iriOf(record.code), saidBy(record, iriOf), rename);
  }
  for (const [i, { subject, source, domain }] of vocabularies.entries()) {
    const rename = (label: string): string =>
      label.startsWith("_:x") ? shared(label, domain) : `_:v${i}${label.slice("_:".length)}`;
    yield* formatSubject(subject, source, rename);
  }
}

function subjectOf({ code, provenance }: ConceptRecord, origin: string): string {
  const sourceId = provenance?.sourceId ?? "";
  return IRI.test(sourceId) ? sourceId : ownIri(origin, code);
}

const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:/;

function ownIri(origin: string, code: RetiredRecord[number]["code"]): string {
  return `${origin}/api/v1/concepts/${encodeURIComponent(code.toWellFormed())}`;
}

/** The subject with its lines, and each of its blank nodes with its own. */
function* formatSubject(
  subject: string,
  lines: readonly string[],
  rename: (label: string) => string,
): Generator<string, void> {
  const untold = lines.find((line) => !TURTLE_TAG.test(languageOf(line) ?? "en"));
  if (untold !== undefined) {
    const tag = quote(languageOf(untold) ?? "");
    throw new ExportError(
      `${quote(subject)}: Turtle has no form for the language tag ${tag}. Fix the tag in the registry`,
    );
  }
  const wrong = lines.find((line) => !isSourceLine(line));
  if (wrong !== undefined)
    throw new ExportError(`${quote(subject)}: ${quote(wrong)} is not a line of N-Triples. Lint the registry first`);
  const name = subject.startsWith("_:") ? rename(subject) : formatIri(subject);
  const bySubject = new Map<string, string[]>();
  for (const line of lines) {
    const { subject: blank = name, rest } = renamed(line, rename);
    const said = bySubject.get(blank);
    if (said === undefined) bySubject.set(blank, [compact(rest)]);
    else said.push(compact(rest));
  }
  for (const [one, said] of bySubject) yield `\n${one}\n    ${said.join(" ;\n    ")} .\n`;
}

/** As readers take it: no subtag is longer than BCP 47 has them. */
const TURTLE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

const PREDICATE = /^<([^>]*[#/])([A-Za-z]+)> /;
const PREFIX_OF = new Map<string, string>(Object.entries(PREFIXES).map(([prefix, iri]) => [iri, prefix]));

/** With the predicate as people write it. */
function compact(line: string): string {
  if (line.startsWith(`<${TYPE}> `)) return `a${line.slice(TYPE.length + 2)}`;
  const [whole = "", namespace = "", name = ""] = PREDICATE.exec(line) ?? [];
  const prefix = PREFIX_OF.get(namespace);
  return prefix === undefined ? line : `${prefix}:${name} ${line.slice(whole.length)}`;
}
