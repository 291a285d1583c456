/**
 * Imports the fields of a record that come from its vocabulary: notations, notes and relations by
 * code, and as source lines everything that these and the other fields do not say. Together they
 * say exactly what the source says.
 */
import { chooseLanguages } from "../formats/chosen-languages.ts";
import { noteLine, saidByFields } from "../formats/skos-said.ts";
import type {
  SourceConcept,
  SourceStatements,
  SourceSubject,
  SourceText,
  SourceVocabulary,
} from "../formats/source.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { type Note, NOTES, RELATIONS } from "../../../../runtime/contract/concept-notes.ts";
import type { ConceptRecord, VocabularyFields } from "../../../registry/record.ts";
import { isSourceLine, languageOf } from "../../../registry/source-line.ts";
import { quote } from "../../../text/printable.ts";
import { vocabularyFields } from "../../../registry/vocabulary-fields.ts";
import type { DomainLine } from "../../../registry/vocabulary-file.ts";
import type { Report, ReportTo } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";

/** Maps the source's identifier for a concept to its code, and back. */
export interface Links {
  readonly codeOf: (sourceId: string) => string | undefined;
  readonly iriOf: (code: string) => string;
}

export function linksOf(concepts: readonly SourceConcept[], codeOf: (concept: SourceConcept) => string): Links {
  const codes = new Map<string, string>();
  const iris = new Map<string, string>();
  for (const concept of concepts) {
    if (concept.sourceId === null) continue;
    codes.set(concept.sourceId, codeOf(concept));
    iris.set(codeOf(concept), concept.sourceId);
  }
  return { codeOf: (sourceId) => codes.get(sourceId), iriOf: (code) => iris.get(code) ?? code };
}

interface Importing {
  /** The other fields. */
  readonly record: ConceptRecord;
  readonly existing: ConceptRecord | undefined;
  readonly settings: ImportSettings;
  readonly links: Links;
}

export function importVocabulary(
  vocabulary: SourceVocabulary | undefined,
  importing: Importing,
  report: Report,
): VocabularyFields {
  const { existing, settings } = importing;
  if (vocabulary === undefined) return existing === undefined ? {} : present(vocabularyFields(existing));
  const said = vocabulary.kind === "fields" ? vocabulary.fields : fieldsOf(vocabulary, importing, report);
  const fields = settings.languages.length === 0 ? said : withOthers(said, existing, settings.languages);
  return present(fields.source === undefined ? fields : { ...fields, source: linesToKeep(fields.source, report) });
}

/** The source's statements about everything else, in the domain of the import if they name none. */
export function importSubjects(subjects: readonly SourceSubject[], ofImport: string, reportTo: ReportTo): DomainLine[] {
  return subjects.map(({ subject, source, domain = ofImport, ...place }) => {
    const report = reportTo({ ...place, sourceId: subject });
    return { subject, source: linesToKeep(source, report), domain };
  });
}

/**
 * RDF/XML and JSON-LD allow any text as a tag, even one with a space, which N-Triples cannot have.
 */
function linesToKeep(lines: readonly string[], report: Report): string[] {
  return lines.filter((line) => {
    if (isSourceLine(line)) return true;
    const tag = languageOf(line) ?? "";
    const text = `${quote(line)} has no form in N-Triples`;
    report(
      {
        rule: "source-line",
        text,
        remedy: "Write a BCP 47 tag, such as en or pt-BR; only texts with one are rdf:langString",
      },
      "left out",
      { tag },
    );
    return false;
  });
}

function fieldsOf(
  { notations, notes, relations, lines }: SourceStatements,
  { record, links }: Importing,
  report: Report,
): VocabularyFields {
  const codes = RELATIONS.map((name) => {
    for (const id of relations[name]) {
      if (links.codeOf(id) !== undefined) continue;
      const text = `The concept has ${quote(id)} as ${name}, which is not a concept of the source`;
      const remedy = "Nothing needs to be done: the statement is kept, and exports of the source have it; pages do not";
      report({ rule: "relation-dangling", text, remedy }, "kept");
    }
    return [name, codesOf(relations[name], links)] as const;
  });
  const fields = {
    notations: filled(notations),
    notes: notesOf(notes),
    ...Object.fromEntries(codes.map(([name, all]) => [name, filled(all)])),
  } as VocabularyFields;
  const said = saidByFields({ ...record, ...fields, source: [] }, links.iriOf);
  const stated = new Set(lines);
  return {
    ...fields,
    source: inOrder(lines.filter((line) => !said.has(line))),
    unsaid: filled(inOrder([...said].filter((line) => !stated.has(line) && isSourceLine(line)))),
  } as VocabularyFields;
}

/** The source's fields, with those that the registry has in other languages. */
function withOthers(
  said: VocabularyFields,
  before: ConceptRecord | undefined,
  languages: readonly string[],
): VocabularyFields {
  const speaksOf = chooseLanguages(languages);
  const isOther = (tag: string | undefined): boolean => tag !== undefined && !speaksOf(tag);
  const others = (lines: readonly string[] = []): readonly string[] =>
    lines.filter((line) => isOther(languageOf(line)));
  const unsaid = said.unsaid?.filter((line) => !isOther(languageOf(line))) ?? [];
  const notes = NOTES.map((name) => {
    const own = said.notes?.[name] ?? [];
    const isNew = ({ language, text }: Note): boolean =>
      isOther(language) && !own.some((one) => one.language === language && one.text === text);
    return [name, [...own, ...(before?.notes?.[name]?.filter(isNew) ?? [])]] as const;
  });
  const source = inOrder([...(said.source ?? []), ...others(before?.source)]);
  return {
    ...said,
    notes: notesIn(notes),
    source: source.length > 0 || said.source !== undefined ? source : undefined,
    unsaid: filled(inOrder([...unsaid, ...others(before?.unsaid)])),
  } as VocabularyFields;
}

function notesOf(notes: SourceStatements["notes"]): VocabularyFields["notes"] {
  return notesIn(
    NOTES.map((name) => {
      const texts = (notes[name] ?? []).filter(({ tag, text }) => isSourceLine(noteLine(name, text, tag)));
      return [name, texts.map(noteOf)];
    }),
  );
}

/** In order, without empty kinds. */
function notesIn(notes: readonly (readonly [(typeof NOTES)[number], readonly Note[]])[]): VocabularyFields["notes"] {
  const found = notes.filter(([, texts]) => texts.length > 0);
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, texts]) => [name, texts.toSorted(byNote)]));
}

function noteOf({ tag, text }: SourceText): Note {
  return tag === "" ? { text } : { language: tag, text };
}

function byNote(a: Note, b: Note): number {
  return compareCodePoints(a.language ?? "", b.language ?? "") || compareCodePoints(a.text, b.text);
}

/**
 * The codes of those that are concepts of the source; the others are kept as the source says them.
 */
function codesOf(sourceIds: readonly string[], { codeOf }: Links): string[] {
  return inOrder(sourceIds.flatMap((sourceId) => codeOf(sourceId) ?? []));
}

function inOrder(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareCodePoints);
}

function filled<T>(all: T[]): T[] | undefined {
  return all.length === 0 ? undefined : all;
}

function present(fields: VocabularyFields): VocabularyFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
