/**
 * A vocabulary as a file tells it, whatever the format: what readers give, what the import plans from. Nothing here is
 * judged yet: texts and tags are as they stand in the file.
 */
import type { Match, Provenance } from "../../../runtime/contract/concept.ts";
import type { NoteName, Relation } from "../../../runtime/contract/concept-notes.ts";
import type {
  CodeMapLine,
  ConceptRecord,
  ExpressionRecord,
  HistoryRecord,
  SubjectLine,
  VocabularyFields,
} from "../../registry/record.ts";
import type { Fault, Place } from "../../text/finding.ts";
import type { OwnRegistry } from "./skos-own.ts";

/** A text with the language tag it was written with; an empty tag where there is none. */
export interface SourceText {
  readonly tag: string;
  readonly text: string;
  /** Left out: that of the concept. */
  readonly place?: Place | undefined;
}

/** A tag as language and locale; the locale is a tag, null, or not there. */
export interface Parted {
  readonly language: string;
  readonly locale: string | null | undefined;
}

/** An expression in the making. What is left out takes the import's defaults. */
export interface SourceExpression {
  /** The whole language tag as written: `pt-BR`, `zh_CN`; empty where there is none. */
  readonly tag: string;
  /** How the tag is parted, where the file says so itself. */
  readonly parted?: Parted | undefined;
  readonly text: string;
  readonly type: ExpressionRecord["type"];
  readonly equivalenceStrength?: number | undefined;
  /** What the file claims; only the person who imports can make it count. */
  readonly reviewStatus?: ExpressionRecord["reviewStatus"] | undefined;
  /** Left out: the concept's own. */
  readonly provenance?: Provenance | null | undefined;
  /** Left out: that of the concept. */
  readonly place?: Place | undefined;
}

/**
 * With the IRIs of concepts that the source says are the same, close, wider, narrower or related; and the place of the
 * whole, in a file that is named without its folder.
 */
export interface SourceConcept extends Place, Readonly<Partial<Record<Match, readonly string[] | undefined>>> {
  /** What the source calls it: an IRI, or the sourceId of a CSV; null where the file names it by code alone. */
  readonly sourceId: string | null;
  /** The ConceptCode that the file gives it; our own exports do. */
  readonly code?: string | undefined;
  readonly notations: readonly string[];
  readonly domain?: string | undefined;
  /** The name that the file gives it for people. Left out: made from its labels. */
  readonly name?: string | undefined;
  readonly definitions: readonly SourceText[];
  readonly scopeNotes: readonly SourceText[];
  /** In the order that the record will keep. */
  readonly expressions: readonly SourceExpression[];
  /** Evidence that is never published. */
  readonly hiddenLabels: readonly SourceText[];
  /** What else the file says of it. Left out: the format has no place for it, so what the registry has stays. */
  readonly vocabulary?: SourceVocabulary | undefined;
  /** What the file says of its provenance, where it says all of it; matches are above. */
  readonly provenance?: Provenance | null | undefined;
  readonly renderings?: ConceptRecord["renderings"] | undefined;
  /** What our own exports say is there, and empty: a definition, the hidden labels. */
  readonly blank?: Pick<ConceptRecord, "definition" | "hiddenLabels"> | undefined;
  /** Set where the source says that it is not to be used any more. */
  readonly retired?: SourceRetirement | undefined;
}

export type SourceVocabulary =
  /** The fields as a registry has them, in our own exports. */
  { readonly kind: "fields"; readonly fields: VocabularyFields } | SourceStatements;

export interface SourceStatements {
  readonly kind: "statements";
  readonly notations: NonNullable<VocabularyFields["notations"]>;
  readonly notes: Readonly<Partial<Record<NoteName, readonly SourceText[]>>>;
  /** By what the source calls the others. */
  readonly relations: Readonly<Record<Relation, readonly string[]>>;
  /** All that the source says of it, as lines of registry/source-line.ts in order, each once. */
  readonly lines: readonly string[];
}

export interface SourceRetirement {
  /** What replaces it, by sourceId or by code: several, one or none. */
  readonly replacedBy: readonly string[];
  /** The registry version it was retired in, where the file says so. */
  readonly retiredIn?: string | undefined;
  readonly reason?: string | undefined;
}

/** One or more files of one vocabulary. */
export interface Source {
  /** In order of appearance. */
  readonly concepts: readonly SourceConcept[];
  /** Its title and licence, where it says them. */
  readonly title?: string | undefined;
  readonly license?: string | undefined;
  /** Our own exports carry the registry's own record and history. */
  readonly registry?: OwnRegistry | undefined;
  readonly history?: HistoryRecord | undefined;
  /** The languages of an export of ours of some of them. Left out: those that the registry's own record says. */
  readonly only?: readonly string[] | undefined;
  /** What it says of things that are not active concepts. Left out: nothing that replaces what the registry has. */
  readonly vocabulary?: readonly SourceSubject[] | undefined;
  /** Our own exports carry the lines of the code map that none of their records says. */
  readonly codeMap?: readonly CodeMapLine[] | undefined;
  /** Whether it holds what a registry publishes alone: it cannot say that what waits for review there is gone. */
  readonly isPublished?: boolean | undefined;
  readonly faults: readonly SourceFault[];
  /** What was read and left out on purpose, by what it is ("collections", "definitions in other languages"): how often. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** In order of subject; our own exports name the domain. */
export interface SourceSubject extends SubjectLine, Place {
  readonly domain?: string | undefined;
}

/** Something wrong in a file that does not keep the rest from being read, and what became of the thing that has it. */
export interface SourceFault extends Fault, Place {
  readonly outcome: "kept" | "left out";
  /** The concept as its source calls it, or its code. */
  readonly concept: string | null;
  /** The tag of the text, as written. */
  readonly language: string | null;
  /** What the concept is called, where nothing says which one it is, or what says so is another's. */
  readonly labels?: readonly string[] | undefined;
}

/** A file that cannot be read to its end; nothing of it is used. The message is one line for the person who named it. */
export class SourceError extends Error {
  override name = "SourceError";
}

/** What a parser says against a file, in one line, without what it says of the place, which stands before it already. */
export function unreadable(place: string, format: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const message = (error instanceof Error ? error.message : String(error))
    .replace(/^(?:\d+:\d+: |Line \d+ column \d+: )/, "")
    .replace(/ on line \d+\.?$/, "")
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim()
    .replace(/\.$/, "");
  const shown = message.length > 200 ? `${message.slice(0, 200).toWellFormed()}…` : message;
  return new SourceError(`${place}: Not readable as ${format}: ${shown}. Fix it there, or get the whole file again`);
}
