/**
 * A vocabulary as its file has it, in any format: readers return it and the import plans from it.
 * Nothing is judged yet: texts and tags are as in the file.
 */
import type { Match, Provenance } from "../../../../runtime/contract/concept.ts";
import type { NoteName, Relation } from "../../../../runtime/contract/concept-notes.ts";
import type {
  CodeMapLine,
  ConceptRecord,
  ExpressionRecord,
  SubjectLine,
  VocabularyFields,
} from "../../../registry/record.ts";
import type { Fault, Location } from "../../../text/finding.ts";
import type { OwnRegistry } from "../../../skos/own.ts";

/** A text with the language tag it was written with; the tag is empty if there is none. */
export interface SourceText {
  readonly tag: string;
  readonly text: string;
  /** Left out: that of the concept. */
  readonly place?: Location | undefined;
}

/** A tag as language and locale; the locale is a tag, null, or absent. */
export interface Parted {
  readonly language: string;
  readonly locale: string | null | undefined;
}

/** An expression as read. What is left out takes the import's defaults. */
export interface SourceExpression {
  /** The whole language tag as written: `pt-BR`, `zh_CN`; empty if there is none. */
  readonly tag: string;
  /** How the tag is split, if the file itself says so. */
  readonly parted?: Parted | undefined;
  readonly text: string;
  readonly type: ExpressionRecord["type"];
  readonly equivalenceStrength?: number | undefined;
  /** The file's claim; only the person who imports can make it count. */
  readonly reviewStatus?: ExpressionRecord["reviewStatus"] | undefined;
  /** Left out: the concept's own. */
  readonly provenance?: Provenance | null | undefined;
  /** Left out: that of the concept. */
  readonly place?: Location | undefined;
}

/**
 * Has the IRIs of concepts that the source calls the same, close, wider, narrower or related, and
 * its own place; the file is named without its folder.
 */
export interface SourceConcept extends Location, Readonly<Partial<Record<Match, readonly string[] | undefined>>> {
  /**
   * The source's identifier for it: an IRI, or the sourceId of a CSV; null if the file has only its
   * code.
   */
  readonly sourceId: string | null;
  /** The ConceptCode in the file; our own exports have it. */
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
  /**
   * The rest of what the file says about it. Left out: the format has no place for it, so the
   * registry's fields stay.
   */
  readonly vocabulary?: SourceVocabulary | undefined;
  /** Its provenance, if the file says all of it; matches are above. */
  readonly provenance?: Provenance | null | undefined;
  readonly renderings?: ConceptRecord["renderings"] | undefined;
  /** A definition or hidden labels that our own export has, but empty. */
  readonly blank?: Pick<ConceptRecord, "definition" | "hiddenLabels"> | undefined;
  /** Set if the source says that the concept is no longer to be used. */
  readonly retired?: SourceRetirement | undefined;
}

export type SourceVocabulary =
  /** The fields as a registry has them, in our own exports. */
  { readonly kind: "fields"; readonly fields: VocabularyFields } | SourceStatements;

export interface SourceStatements {
  readonly kind: "statements";
  readonly notations: NonNullable<VocabularyFields["notations"]>;
  readonly notes: Readonly<Partial<Record<NoteName, readonly SourceText[]>>>;
  /** By the source's identifiers for the other concepts. */
  readonly relations: Readonly<Record<Relation, readonly string[]>>;
  /**
   * All statements of the source about it, as lines of registry/source-line.ts in order, each once.
   */
  readonly lines: readonly string[];
}

export interface SourceRetirement {
  /** Its replacements, by sourceId or by code: several, one or none. */
  readonly replacedBy: readonly string[];
  /** The registry version it was retired in, if the file says so. */
  readonly retiredIn?: string | undefined;
  readonly reason?: string | undefined;
}

/** One or more files of one vocabulary. */
export interface Source {
  /** In order of appearance. */
  readonly concepts: readonly SourceConcept[];
  /** Its title and licence, if it has them. */
  readonly title?: string | undefined;
  readonly license?: string | undefined;
  /** Our own exports carry the registry's own record. */
  readonly registry?: OwnRegistry | undefined;
  /** The languages of a partial export of ours. Left out: those in the registry's own record. */
  readonly only?: readonly string[] | undefined;
  /**
   * Statements about subjects that are not active concepts. Left out: there are none that replace
   * those of the registry.
   */
  readonly vocabulary?: readonly SourceSubject[] | undefined;
  /** Our own exports carry the lines of the code map that none of their records has. */
  readonly codeMap?: readonly CodeMapLine[] | undefined;
  /**
   * Whether it has only published content: it cannot show that expressions which wait for review in
   * the registry are gone.
   */
  readonly isPublished?: boolean | undefined;
  readonly faults: readonly SourceFault[];
  /**
   * Counts of what was read and left out on purpose, by kind ("collections", "definitions in other
   * languages").
   */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** In order of subject; our own exports name the domain. */
export interface SourceSubject extends SubjectLine, Location {
  readonly domain?: string | undefined;
}

/**
 * A fault in a file that does not prevent reading the rest, and what became of the thing that has
 * it.
 */
export interface SourceFault extends Fault, Location {
  readonly outcome: "kept" | "left out";
  /** The source's identifier for the concept, or its code. */
  readonly concept: string | null;
  /** The tag of the text, as written. */
  readonly language: string | null;
  /** Labels of the concept, if it has no identifier or shares it with another. */
  readonly labels?: readonly string[] | undefined;
}

/**
 * A file that cannot be read to its end; nothing of it is used. The message is one line for the
 * person who named it.
 */
export class SourceError extends Error {
  override name = "SourceError";
}

/**
 * Turns a parser's error into one line, without the parser's own position, because the place
 * already comes first.
 */
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
