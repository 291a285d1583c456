/**
 * Reads a term base: TBX of ISO 30042:2019 in both styles, and of 2008 (`martif`). An entry is a
 * concept, a term an expression. The content of our own exports comes back; of others, everything
 * that is not a term, definition, subject field or status is counted and left out. A term that the
 * term base calls out of use becomes a hidden label: evidence, never matched.
 */
import { createRequire } from "node:module";
import { paths } from "../../../runtime/contract/policy.ts";
import type { Effects } from "../../effects/effects.ts";
import { quote } from "../../text/printable.ts";
import { addEntities, checkEncoding, ParseLimits, xmlEntities } from "./parse-bounds.ts";
import { type ReadOptions, Reading } from "./reading.ts";
import { type Source, type SourceConcept, SourceError, unreadable } from "./source.ts";
import { readPieces } from "./text-pieces.ts";
import { type Element, isPartOf, TbxEntry } from "./tbx-entry.ts";
import { ONLY } from "./tbx-write.ts";

/**
 * The members of the parser that are used here; its own types are not sound under this project's
 * settings.
 */
interface Sax {
  readonly line: number;
  ENTITIES: Record<string, string>;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "doctype" | "text" | "cdata", listener: (text: string) => void): void;
  on(event: "opentag", listener: (tag: { readonly local: string; readonly attributes: Attributes }) => void): void;
  on(event: "closetag", listener: () => void): void;
  write(text: string): void;
  close(): void;
}
type Attributes = Readonly<Record<string, { readonly value: string } | undefined>>;

const require = createRequire(import.meta.url);
const { SaxesParser } = require("@rubensworks/saxes") as {
  SaxesParser: new (options: { readonly xmlns: boolean; readonly position: boolean }) => Sax;
};

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
  const sax = new SaxesParser({ xmlns: true, position: true });
  sax.ENTITIES = xmlEntities();
  const reader = new Reader(base, file.replace(/^.*[/\\]/, ""));
  sax.on("error", (error) => {
    throw error;
  });
  sax.on("doctype", (doctype) => addEntities(sax.ENTITIES, doctype.replace(DIALECT, "$1"), limits));
  sax.on("opentag", ({ local, attributes }) => {
    limits.nest(1);
    reader.open(local, attributes, sax.line);
  });
  sax.on("closetag", () => {
    limits.nest(-1);
    if (reader.close()) limits.arrive();
  });
  sax.on("text", (text) => reader.text(text));
  sax.on("cdata", (text) => reader.text(text));
  try {
    for (const piece of readPieces(effects, file)) {
      checkEncoding(piece);
      limits.feed(piece.text.length);
      sax.write(piece.text);
    }
    sax.close();
  } catch (error) {
    throw unreadable(`${file}:${sax.line}`, "TBX", error);
  }
}

/** The content of all files. */
class TermBase extends Reading {
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
    } else this.#concepts.set(id, entry.concept(id, this));
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

/** The elements of one file. */
class Reader {
  readonly #base: TermBase;
  readonly #file: string;
  readonly #open: (Element & { text: string })[] = [];
  #entry: TbxEntry | undefined;

  constructor(base: TermBase, file: string) {
    this.#base = base;
    this.#file = file;
  }

  open(name: string, attributes: Attributes, line: number): void {
    if (this.#open.length === 0 && !ROOTS.includes(name)) throw new Error(`it begins with <${name}>, not with <tbx>`);
    const value = (of: string): string | undefined => attributes[of]?.value;
    const around = this.#open.at(-1);
    const tag = value("xml:lang") ?? around?.tag ?? "";
    const isPart = isPartOf(name, around);
    this.#open.push({ name, kind: isPart ? name : (value("type") ?? name), tag, text: "", isPart });
    if (ENTRIES.includes(name)) this.#entry = new TbxEntry({ id: value("id"), file: this.#file, line });
    // In our own exports the address of an entry ends with its id, which is its code.
    const entry = this.#entry;
    if (name === "xref" && entry?.id !== undefined)
      entry.isOwn ||= value("target")?.endsWith(`${paths.concepts}/${entry.id}`) === true;
    if (name === "term" && !isPart) this.#entry?.beginTerm(tag, line);
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (top !== undefined) top.text += text;
  }

  /** Returns whether an entry is complete. */
  close(): boolean {
    const closed = this.#open.pop();
    if (closed === undefined) return false;
    const { name, kind, text } = closed;
    if (closed.isPart) {
      this.text(text);
      return false;
    }
    if (name === "title" && this.#entry === undefined && text.trim() !== "") this.#base.title ??= text.trim();
    if (kind === ONLY && this.#entry === undefined) this.#base.only.push(...(text.match(/\S+/g) ?? []));
    if (ENTRIES.includes(name) && this.#entry !== undefined) {
      this.#base.add(this.#entry);
      this.#entry = undefined;
      return true;
    }
    this.#entry?.take(closed);
    return false;
  }
}
