/** Reads one entry of a term base: which of its elements describe a concept, and how. */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { Location } from "../../../text/finding.ts";
import type { ReaderState } from "./reader-state.ts";
import type { SourceConcept, SourceExpression, SourceFault, SourceText } from "./source.ts";
import { NEAR_NOTE, SYMBOL_NOTE } from "./tbx-write.ts";

export interface Element {
  readonly name: string;
  /** Its data category: `type`, or its own name in the other style. */
  readonly kind: string;
  readonly tag: string;
  readonly text: string;
  /** Whether it is inside a text and a part of it. */
  readonly isPart: boolean;
}

interface Term {
  readonly tag: string;
  readonly place: Location;
  text: string;
  /** All of them, since one kind of status may say what another does not. */
  readonly statuses: string[];
  type: SourceExpression["type"] | undefined;
  equivalenceStrength?: number;
}

/**
 * Values of the data category `administrativeStatus`, as dialects write it and as tools shorten it;
 * TBX-Min, whose root is `TBX`, calls it `termStatus`.
 */
const PREFERRED = /^preferred(?:Term)?(?:-admn-sts)?$/i;
const OUT_OF_USE = /^(?:deprecated|superseded|obsolete|forbidden)(?:Term)?(?:-admn-sts)?$/i;
const ABBREVIATIONS = ["abbreviation", "acronym", "initialism"];

/** Elements that mark up a part of a text, whatever their type. */
const INLINE: readonly string[] = ["hi", "foreign", "sc", "ec", "ph"];
/**
 * Elements read as a text: everything inside is a part of it, even elements that TBX does not know.
 */
const TEXTS: readonly string[] = [
  "term",
  "termType",
  "administrativeStatus",
  "normativeAuthorization",
  "termStatus",
  "definition",
  "subjectField",
  "title",
];

/** Whether an element is a part of the text around it. */
export function isPartOf(name: string, around: Element | undefined): boolean {
  return INLINE.includes(name) || (around !== undefined && (around.isPart || TEXTS.includes(around.kind)));
}

export class TbxEntry {
  readonly id: string | undefined;
  readonly file: string;
  readonly line: number;
  /** Whether its id is a ConceptCode of ours. */
  isOwn = false;
  #domain: string | undefined;
  #others = 0;
  readonly faults: SourceFault[] = [];
  readonly #definitions: SourceText[] = [];
  readonly #terms: Term[] = [];

  constructor({ id, file, line }: { readonly id: string | undefined; readonly file: string; readonly line: number }) {
    this.id = id;
    this.file = file;
    this.line = line;
  }

  get labels(): string[] {
    return this.#terms.map(({ text }) => text);
  }

  beginTerm(tag: string, place: Location): void {
    this.#terms.push({ tag, place, text: "", statuses: [], type: undefined });
  }

  /** Its terms are held, since they name no language. */
  noLanguage(section: string, place: Location): void {
    const text = `A ${section} has no xml:lang, so nothing says which language its texts are in`;
    const remedy = "Write xml:lang on it; that of an element around it, or lang alone, does not count";
    const about = { concept: this.id ?? null, language: null, outcome: "kept" } as const;
    this.faults.push({ rule: "tbx-language", text, remedy, ...place, ...about });
  }

  take({ name, kind, tag, text }: Element): void {
    const term = this.#terms.at(-1);
    switch (kind) {
      case "term":
        if (term !== undefined) term.text = text;
        return;
      case "definition":
        this.#definitions.push({ tag, text: text.trim() });
        return;
      case "subjectField":
        this.#takeField(text.trim());
        return;
      case "administrativeStatus":
      case "normativeAuthorization":
      case "termStatus":
        term?.statuses.push(text.trim());
        return;
      case "termType":
        if (term !== undefined && ABBREVIATIONS.includes(text.trim())) term.type = "abbreviation";
        if (term !== undefined && text.trim() === "symbol") term.type = "symbol";
        return;
      case "note":
        this.#takeNote(text, term);
        return;
      default:
        if (text.trim() !== "" && name !== "xref") this.#others++;
    }
  }

  concept(id: string, reading: ReaderState): SourceConcept {
    reading.leaveOut("texts of other types", this.#others);
    const definitions = this.#definitions.filter(({ tag }) => reading.admits(tag, "definitions"));
    // A record has one definition, and a term base has no notes for the others.
    reading.leaveOut("further definitions of an entry", Math.max(0, definitions.length - 1));
    const terms = this.#terms.filter(({ tag }) => reading.admits(tag, "terms"));
    const inUse = terms.filter(isInUse);
    const byTag = groupBy(inUse, ({ tag }) => tag);
    // If no term of a tag has a status, the first is preferred, as in a table.
    const first = new Set(
      [...byTag.values()].flatMap((same) => (same.every(({ statuses }) => statuses.length === 0) ? [same[0]] : [])),
    );
    return {
      file: this.file,
      line: this.line,
      sourceId: this.isOwn ? null : id,
      code: this.isOwn ? id : undefined,
      notations: [],
      domain: this.#domain,
      definitions,
      scopeNotes: [],
      expressions: inUse.map((term) => expressionOf(term, first.has(term))),
      hiddenLabels: terms.filter((term) => !isInUse(term)).map(({ tag, text, place }) => ({ tag, text, place })),
    };
  }

  /** A concept has one domain: other fields are counted. An empty element names none. */
  #takeField(field: string): void {
    if (field === "" || field === this.#domain) return;
    if (this.#domain === undefined) this.#domain = field;
    else this.#others++;
  }

  /** Reads the notes in which our own exports put what TBX has no element for. */
  #takeNote(text: string, term: Term | undefined): void {
    const strength = text.startsWith(NEAR_NOTE) ? Number(text.slice(NEAR_NOTE.length, -1)) : NaN;
    if (term !== undefined && text === SYMBOL_NOTE) term.type = "symbol";
    else if (term !== undefined && strength >= 0 && strength <= 1) term.equivalenceStrength = strength;
    else if (text.trim() !== "") this.#others++;
  }
}

function isInUse({ statuses }: Term): boolean {
  return !statuses.some((status) => OUT_OF_USE.test(status));
}

function expressionOf({ tag, text, place, statuses, ...term }: Term, isFirst: boolean): SourceExpression {
  const type = term.type ?? (isFirst || statuses.some((status) => PREFERRED.test(status)) ? "preferred" : "alternate");
  const { equivalenceStrength } = term;
  return { tag, text, type, ...(equivalenceStrength !== undefined && { equivalenceStrength }), place };
}
