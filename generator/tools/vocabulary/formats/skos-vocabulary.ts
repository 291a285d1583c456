/**
 * Reads the rest of a SKOS file after labels, matches and deprecation: notations, notes and
 * relations of its concepts, and every statement. Our own exports carry these as the record's
 * fields and the lines of `vocabularies/`; changes that another tool made to their plain statements
 * are not read.
 */
import { MATCHES } from "../../../../runtime/contract/concept.ts";
import { NOTES, RELATIONS } from "../../../../runtime/contract/concept-notes.ts";
import { languageOf } from "../../../registry/source-line.ts";
import { locationOf } from "../../../text/finding.ts";
import type { BareConcept } from "./skos-concept.ts";
import { isOwnScheme, type Subject } from "./skos-gather.ts";
import { compareTexts } from "../../../skos/labels.ts";
import { Statements } from "./skos-statements.ts";
import { isStable, notationsOf, recordsOf, type SkosReader, textOf, valuesOf } from "./skos-values.ts";
import type { Source, SourceConcept, SourceStatements, SourceSubject, SourceText } from "./source.ts";
import * as terms from "../../../skos/terms.ts";

interface Read {
  readonly subject: Subject;
  readonly concept: BareConcept;
}

/** Returns the concepts with all their statements, and the statements about everything else. */
export function readVocabulary(reading: SkosReader, read: readonly Read[]): Pick<Source, "concepts" | "vocabulary"> {
  const subjects = [...reading.graph.values()];
  if (reading.isOwn) {
    countOthers(reading, subjects);
    const vocabulary = ownSubjects(reading, subjects.filter(isOwnScheme));
    return { concepts: read.map((one) => withFields(reading, one)), vocabulary };
  }
  const statements = new Statements(reading.graph);
  const active = new Set(read.flatMap(({ concept, subject }) => (concept.retired === undefined ? [subject.id] : [])));
  const concepts = read.map(({ subject, concept }): SourceConcept => {
    if (!active.has(subject.id)) return concept;
    // Before the spread: after it, Node 20 gives each object its own hidden class.
    return { vocabulary: vocabularyOf(reading, subject, statements.linesOf(subject)), ...concept };
  });
  return { concepts, vocabulary: statements.others(active) };
}

/** Counts properties that another tool added to our export and that are not read. */
function countOthers(reading: SkosReader, subjects: readonly Subject[]): void {
  for (const { values } of subjects) {
    for (const [predicate, said] of values)
      if (!KNOWN.has(predicate) && !predicate.startsWith(terms.PREFIXES.srs))
        reading.leaveOut("statements of other properties", said.length);
  }
}

/** Properties that are read, or that an export writes again from what is read. */
const KNOWN: ReadonlySet<string> = new Set([
  ...[...NOTES, ...RELATIONS, ...MATCHES].map(terms.termOf),
  terms.IN_SCHEME,
  terms.NOTATION,
  terms.LABEL,
  terms.PREF_LABEL,
  terms.ALT_LABEL,
  terms.HIDDEN_LABEL,
  terms.XL_PREF_LABEL,
  terms.XL_ALT_LABEL,
  terms.XL_HIDDEN_LABEL,
  terms.LITERAL_FORM,
  terms.VALUE,
  terms.DEPRECATED,
  terms.IS_REPLACED_BY,
  terms.LICENSE,
  terms.SOURCE,
  terms.VERSION,
]);

function withFields(reading: SkosReader, { subject, concept }: Read): SourceConcept {
  const [fields = {}] = recordsOf(reading, subject, "fields");
  return { vocabulary: { kind: "fields", fields }, ...concept };
}

function ownSubjects(reading: SkosReader, schemes: readonly Subject[]): SourceSubject[] {
  return schemes.flatMap((scheme) =>
    recordsOf(reading, scheme, "vocabulary").map((line) => ({ ...locationOf(scheme), ...line })),
  );
}

function vocabularyOf(reading: SkosReader, subject: Subject, all: readonly string[]): SourceStatements {
  const takes = (tag: string | undefined): boolean => tag === undefined || reading.takes(tag);
  const lines = all.filter((line) => takes(languageOf(line)));
  const notes = NOTES.map((name): [string, SourceText[]] => {
    const texts = valuesOf(subject, terms.termOf(name)).flatMap((value) => plainText(value) ?? []);
    return [name, texts.filter(({ tag }) => takes(tag === "" ? undefined : tag)).sort(compareTexts)];
  });
  const relations = RELATIONS.map((name) => [
    name,
    valuesOf(subject, terms.termOf(name)).flatMap((value) => (isStable(value) ? [value.value] : [])),
  ]);
  return {
    kind: "statements",
    notations: notationsOf(subject).map(({ notation, datatype }) =>
      datatype === "" ? { notation } : { notation, datatype },
    ),
    notes: Object.fromEntries(notes.filter(([, texts]) => texts.length > 0)),
    relations: Object.fromEntries(relations) as SourceStatements["relations"],
    lines,
  };
}

function plainText(value: Parameters<typeof textOf>[0]): SourceText | undefined {
  return value.kind === "literal" && value.datatype !== terms.JSON_LITERAL ? textOf(value) : undefined;
}
