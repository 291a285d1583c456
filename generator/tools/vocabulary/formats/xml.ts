/**
 * Reads XML in pieces with saxes; no other file uses that library. Entities come only from the
 * file's DOCTYPE and are counted; nothing is fetched, and nesting is limited.
 */
import { createRequire } from "node:module";
import { addEntities, checkEncoding, type ParseLimits, xmlEntities } from "./parse-bounds.ts";
import type { Piece } from "./text-pieces.ts";

/**
 * The members of the parser that are used here; its own types are not sound under this project's
 * settings.
 */
interface Sax {
  readonly line: number;
  ENTITIES: Record<string, string>;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "doctype" | "text" | "cdata" | "comment", listener: (text: string) => void): void;
  on(event: "processinginstruction", listener: (instruction: Instruction) => void): void;
  on(event: "opentag", listener: (tag: Tag) => void): void;
  on(event: "closetag", listener: () => void): void;
  write(text: string): void;
  close(): void;
}

interface Named {
  readonly prefix: string;
  readonly local: string;
  /** The name of its namespace; empty if it is in none. */
  readonly uri: string;
}

export interface Attribute extends Named {
  readonly value: string;
}

export interface Tag extends Named {
  /** With its prefix, as written. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

interface Instruction {
  readonly target: string;
  readonly body: string;
}

const require = createRequire(import.meta.url);
const { SaxesParser } = require("@rubensworks/saxes") as {
  SaxesParser: new (options: { readonly xmlns: boolean; readonly position: boolean }) => Sax;
};

/** What a format does with the parts of a file; a text may come in several parts. */
export interface XmlHandler {
  startElement(tag: Tag): void;
  endElement(): void;
  text(text: string): void;
  comment?(text: string): void;
  processingInstruction?(target: string, content: string): void;
}

export class XmlReader {
  readonly #sax = new SaxesParser({ xmlns: true, position: true });
  /** After the end, which resets the parser's own count. */
  #last: number | undefined;

  /** `doctypeOf` returns the part of a DOCTYPE that counts. */
  constructor(handler: XmlHandler, limits: ParseLimits, doctypeOf = (doctype: string): string => doctype) {
    const sax = this.#sax;
    sax.ENTITIES = xmlEntities();
    sax.on("error", (error) => {
      throw error;
    });
    sax.on("doctype", (doctype) => addEntities(sax.ENTITIES, doctypeOf(doctype), limits));
    sax.on("opentag", (tag) => {
      limits.nest(1);
      handler.startElement(tag);
    });
    sax.on("closetag", () => {
      limits.nest(-1);
      handler.endElement();
    });
    sax.on("text", (text) => handler.text(text));
    sax.on("cdata", (text) => handler.text(text));
    sax.on("comment", (text) => handler.comment?.(text));
    sax.on("processinginstruction", ({ target, body }) => handler.processingInstruction?.(target, body));
  }

  get line(): number {
    return this.#last ?? this.#sax.line;
  }

  read(piece: Piece): void {
    checkEncoding(piece);
    this.#sax.write(piece.text);
  }

  end(): void {
    this.#last = this.#sax.line;
    this.#sax.close();
  }
}
