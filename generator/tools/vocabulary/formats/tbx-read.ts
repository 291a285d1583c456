/**
 * Reads a term base: TBX of ISO 30042:2019 in both styles, and of 2008 (`martif`). An entry is a
 * concept, a term an expression. The content of our own exports comes back; of others, everything
 * that is not a term, definition, subject field or status is counted and left out. A term that the
 * term base calls out of use becomes a hidden label: evidence, never matched.
 */
import { paths } from "../../../../runtime/contract/paths.ts";
import type { Effects } from "../../../effects/effects.ts";
import { quote } from "../../../text/printable.ts";
import { ParseLimits } from "./parse-bounds.ts";
import { type ReadOptions, ReaderState } from "./reader-state.ts";
import { type Source, type SourceConcept, SourceError, unreadable } from "./source.ts";
import { readPieces } from "./text-pieces.ts";
import { type Element, isPartOf, TbxEntry } from "./tbx-entry.ts";
import { ONLY } from "./tbx-write.ts";
import { type Tag, type XmlHandler, XmlReader } from "./xml.ts";

/** Reads the files of one vocabulary; throws SourceError if one cannot be read to its end. */
export function readTbx(effects: Effects, files: readonly string[], options: ReadOptions = {}): Source {
  const base = new TermBase(options);
  for (const file of files) readFile(effects, file, base);
  if (base.entries === 0)
    throw new SourceError(`${files.join(", ")}: There is no conceptEntry or termEntry. Name a TBX file`);
  return base.source();
}

/**
 * The DTD of the dialect that a term base of 2008 names. It is not fetched, which XML permits, and
 * defines no entities that texts use.
 */
const DIALECT = /^(\s*[^\s[]+)\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?:"[^"]*"|'[^']*')/;

function readFile(effects: Effects, file: string, base: TermBase): void {
  const limits = new ParseLimits();
  const reader = new Reader(base, { file: file.replace(/^.*[/\\]/, ""), line: () => xml.line, limits });
  const xml = new XmlReader(reader, limits, (doctype) => doctype.replace(DIALECT, "$1"));
  try {
    for (const piece of readPieces(effects, file)) {
      limits.feed(piece.text.length);
      xml.read(piece);
    }
    xml.end();
  } catch (error) {
    throw unreadable(`${file}:${xml.line}`, "TBX", error);
  }
}

/** The content of all files. */
class TermBase extends ReaderState {
  entries = 0;
  title: string | undefined;
  /** The languages to which our own export says it is limited. */
  readonly only: string[] = [];
  readonly #progress: ReadOptions["progress"];
  readonly #concepts = new Map<string, SourceConcept>();

  constructor(options: ReadOptions) {
    super(options);
    this.#progress = options.progress;
  }

  add(entry: TbxEntry): void {
    this.entries++;
    this.#progress?.(this.entries);
    const { id, file, line, labels } = entry;
    const about = { file, line, concept: id ?? null, language: null, labels, outcome: "left out" } as const;
    if (id === undefined) {
      const text = "The entry has no id, so nothing could identify it again";
      this.faults.push({ rule: "tbx-entry-without-id", text, remedy: "Give it an id", ...about });
    } else if (this.#concepts.has(id)) {
      const text = `Another entry has the id ${quote(id)}; this one is left out`;
      this.faults.push({ rule: "tbx-entry-twice", text, remedy: "Give it another", ...about });
    } else {
      this.faults.push(...entry.faults);
      this.#concepts.set(id, entry.concept(id, this));
    }
  }

  source(): Source {
    const { title, faults, leftOut } = this;
    const concepts = [...this.#concepts.values()];
    // Our own exports name codes.
    const isPublished = concepts.some(({ code }) => code !== undefined);
    const only = isPublished && this.only.length > 0 ? this.only : undefined;
    return { concepts, title, only, isPublished, faults, leftOut };
  }
}

const ENTRIES = ["conceptEntry", "termEntry"];
const ROOTS = ["tbx", "martif", "TBX"];

/** ISO 30042 requires xml:lang on each of these; that of an element around it does not count. */
const LANGUAGE_SECTIONS = ["langSec", "langSet", "langGroup"];

interface OfFile {
  readonly file: string;
  readonly line: () => number;
  readonly limits: ParseLimits;
}

/** The elements of one file. */
class Reader implements XmlHandler {
  readonly #base: TermBase;
  readonly #of: OfFile;
  readonly #open: (Element & { text: string })[] = [];
  #entry: TbxEntry | undefined;

  constructor(base: TermBase, of: OfFile) {
    this.#base = base;
    this.#of = of;
  }

  startElement({ local: name, attributes }: Tag): void {
    if (this.#open.length === 0 && !ROOTS.includes(name)) throw new Error(`it begins with <${name}>, not with <tbx>`);
    const value = (of: string): string | undefined => attributes[of]?.value;
    const around = this.#open.at(-1);
    const own = value("xml:lang");
    const isSection = LANGUAGE_SECTIONS.includes(name);
    const tag = own ?? (isSection ? "" : (around?.tag ?? ""));
    const isPart = isPartOf(name, around);
    const place = { file: this.#of.file, line: this.#of.line() };
    this.#open.push({ name, kind: isPart ? name : (value("type") ?? name), tag, text: "", isPart });
    if (ENTRIES.includes(name)) this.#entry = new TbxEntry({ id: value("id"), ...place });
    // In our own exports the address of an entry ends with its id, which is its code.
    const entry = this.#entry;
    if (name === "xref" && entry?.id !== undefined)
      entry.isOwn ||= value("target")?.endsWith(`${paths.concepts}/${entry.id}`) === true;
    if (isSection && tag === "") entry?.noLanguage(name, place);
    const isInSection = this.#open.some((one) => LANGUAGE_SECTIONS.includes(one.name));
    if (name === "term" && !isPart) entry?.beginTerm(isInSection ? tag : (own ?? ""), place);
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (top !== undefined) top.text += text;
  }

  endElement(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const { name, kind, text } = closed;
    if (closed.isPart) {
      this.text(text);
      return;
    }
    if (name === "title" && this.#entry === undefined && text.trim() !== "") this.#base.title ??= text.trim();
    if (kind === ONLY && this.#entry === undefined) this.#base.only.push(...(text.match(/\S+/g) ?? []));
    if (ENTRIES.includes(name) && this.#entry !== undefined) {
      this.#base.add(this.#entry);
      this.#entry = undefined;
      this.#of.limits.arrive();
    } else this.#entry?.take(closed);
  }
}
