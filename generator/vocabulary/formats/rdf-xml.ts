/**
 * Parses RDF/XML with rdfxml-streaming-parser; no other file uses that library. Entities come only
 * from the file's DOCTYPE and are counted; nothing is fetched.
 */
import { createRequire } from "node:module";
import { addEntities, checkEncoding, ParseLimits, xmlEntities } from "./parse-bounds.ts";
import { NO_BASE, type Parsing, type QuadLike, StatementBuffer, type Statement, written } from "./rdf-statement.ts";
import type { Piece } from "./text-pieces.ts";

/**
 * The members of the parser that are used here; its own types are not sound under this project's
 * settings.
 */
interface RdfXml {
  on(event: "error", listener: (error: Error) => void): void;
  push(quad: QuadLike | null): boolean;
  onTag(tag: Tag): void;
  onCloseTag(): void;
  onText(text: string): void;
  onDoctype(doctype: string): void;
  write(text: string, done: (error?: Error | null) => void): boolean;
  readonly saxParser: Sax;
  /** Elements in an XML literal share the list of its parts. */
  readonly activeTagStack: readonly { readonly childrenStringTags?: readonly string[] }[];
}

interface Tag {
  readonly uri: string;
  readonly local: string;
  readonly prefix: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, { readonly value: string }>>;
}

const require = createRequire(import.meta.url);
const { RdfXmlParser } = require("rdfxml-streaming-parser") as {
  RdfXmlParser: new (options: { baseIRI: string; trackPosition: boolean }) => RdfXml;
};

/** Private members of the underlying XML parser. */
interface Sax {
  readonly line: number;
  ENTITIES: Record<string, string>;
  close(): void;
}

/**
 * The element around the statements, which may be omitted if it would contain only one (RDF/XML
 * §2.6).
 */
const ROOT: Tag = {
  uri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  local: "RDF",
  prefix: "rdf",
  name: "rdf:RDF",
  attributes: {},
};

/**
 * Handles what the parser does not: text in several parts, text in XML literals that must be
 * escaped, entities without limits, truncated files, and an omitted root.
 */
class BoundedRdfXml extends RdfXmlParser {
  limits = new ParseLimits();
  text = "";
  buffer = new StatementBuffer();
  hasRoot = false;

  override push(quad: QuadLike | null): boolean {
    if (quad !== null) this.buffer.add(quad, this.saxParser.line);
    return true;
  }

  override onTag(tag: Tag): void {
    this.limits.nest(1);
    this.passText();
    // The parser skips a root's own statements, such as its rdf:about.
    if (!this.hasRoot && (tag.uri !== ROOT.uri || tag.local !== ROOT.local)) super.onTag(ROOT);
    this.hasRoot = true;
    super.onTag(this.isInLiteral ? { ...tag, attributes: escapeAttributes(tag.attributes) } : tag);
  }

  override onCloseTag(): void {
    this.limits.nest(-1);
    this.passText();
    super.onCloseTag();
  }

  /** A comment or a CDATA section splits a text; the parser would keep only the last part. */
  override onText(text: string): void {
    this.text += text;
  }

  override onDoctype(doctype: string): void {
    addEntities(this.saxParser.ENTITIES, doctype, this.limits);
  }

  private passText(): void {
    if (this.text !== "") super.onText(this.isInLiteral ? escapeXml(this.text, TEXT) : this.text);
    this.text = "";
  }

  private get isInLiteral(): boolean {
    return this.activeTagStack.at(-1)?.childrenStringTags !== undefined;
  }
}

function escapeAttributes(attributes: Tag["attributes"]): Tag["attributes"] {
  const escaped = Object.entries(attributes).map(([name, { value }]) => [name, { value: escapeXml(value, ATTRIBUTE) }]);
  return Object.fromEntries(escaped) as Tag["attributes"];
}

/** Source: Canonical XML 1.1 §2.3. */
const TEXT = /[&<>\r]/g;
const ATTRIBUTE = /[&<"\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

function escapeXml(text: string, special: RegExp): string {
  return text.replaceAll(special, (character) => ESCAPES[character] ?? character);
}

export function parseRdfXml(limits: ParseLimits): Parsing {
  const parser = new BoundedRdfXml({ baseIRI: NO_BASE, trackPosition: true });
  const { saxParser: sax, buffer } = parser;
  parser.limits = limits;
  sax.ENTITIES = xmlEntities();
  parser.on("error", (error: Error) => buffer.fail(error));
  const read = async (piece: Piece): Promise<readonly Statement[]> => {
    checkEncoding(piece);
    buffer.fail(await written(parser, piece.text));
    return buffer.take();
  };
  let last: number | undefined;
  const end = (): readonly Statement[] => {
    // Closing resets the line count.
    last = sax.line;
    sax.close();
    return buffer.take();
  };
  return {
    get line() {
      return last ?? sax.line;
    },
    read,
    end,
  };
}
