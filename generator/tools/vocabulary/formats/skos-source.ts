/**
 * Writes a registry back as its sources: under the source's IRIs and only in its terms, with later
 * edits. A source that was imported and not edited comes out as the same graph. Concepts that come
 * from no source are under our own IRIs. Deprecated concepts, schemes, collections and everything
 * else in a source come from `vocabularies/`.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { isSourceLine, languageOf, renamed } from "../../../registry/source-line.ts";
import { quote } from "../../../text/printable.ts";
import { formatIri } from "../../../skos/rdf-line.ts";
import { saidBy } from "./skos-said.ts";
import { PREFIXES, TYPE } from "../../../skos/terms.ts";
import { inCodeOrder, type RegistryRecords } from "./writing.ts";
import { conceptIri, schemeIri } from "../../../skos/iris.ts";
import { ExportError } from "../../../text/export-error.ts";

/**
 * Yields Turtle in pieces: the concepts in code order, then everything else in order of domain and
 * subject.
 */
export function* writeSource(
  { concepts, retired, vocabularies = [] }: RegistryRecords,
  { origin }: { readonly origin: string },
): Generator<string, void> {
  const scheme = schemeIri(origin);
  const subjects = new Map([
    ...retired.flatMap(({ code, sourceId }): [string, string][] => (sourceId === undefined ? [] : [[code, sourceId]])),
    ...concepts.map(({ record }): [string, string] => [record.code, subjectOf(record, scheme)]),
  ]);
  const iriOf = (code: string): string => subjects.get(code) ?? conceptIri(scheme, code);
  for (const [prefix, iri] of Object.entries(PREFIXES)) if (prefix !== "srs") yield `@prefix ${prefix}: <${iri}> .\n`;
  const domains = [...new Set(vocabularies.map(({ domain }) => domain))];
  const renaming =
    (own: string, domain: string) =>
    (label: string): string =>
      `_:${label.startsWith("_:x") ? `d${domains.indexOf(domain)}` : own}${label.slice("_:".length)}`;
  for (const [i, { record }] of inCodeOrder(concepts).entries())
    yield* formatSubject(iriOf(record.code), saidBy(record, iriOf), renaming(`c${i}`, record.domain));
  for (const [i, { subject, source, domain }] of vocabularies.entries())
    yield* formatSubject(subject, source, renaming(`v${i}`, domain));
}

function subjectOf({ code, provenance }: ConceptRecord, scheme: string): string {
  const sourceId = provenance?.sourceId ?? "";
  return IRI.test(sourceId) ? sourceId : conceptIri(scheme, code);
}

const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A subject with its lines, then each of its blank nodes. */
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
  const told = lines.map((line) => renamed(line, rename));
  const bySubject = groupBy(told, ({ subject: blank = name }) => blank);
  for (const [one, said] of bySubject)
    yield `\n${one}\n    ${said.map(({ rest }) => compact(rest)).join(" ;\n    ")} .\n`;
}

/** The tags that Turtle readers accept: no subtag is longer than BCP 47 admits. */
const TURTLE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

const PREDICATE = /^<([^>]*[#/])([A-Za-z]+)> /;
const PREFIX_OF = new Map<string, string>(Object.entries(PREFIXES).map(([prefix, iri]) => [iri, prefix]));

/** Shortens the predicate to a prefixed name or `a`. */
function compact(line: string): string {
  if (line.startsWith(`<${TYPE}> `)) return `a${line.slice(TYPE.length + 2)}`;
  const [whole = "", namespace = "", name = ""] = PREDICATE.exec(line) ?? [];
  const prefix = PREFIX_OF.get(namespace);
  return prefix === undefined ? line : `${prefix}:${name} ${line.slice(whole.length)}`;
}
