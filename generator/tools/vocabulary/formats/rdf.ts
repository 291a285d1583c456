/**
 * Streams the statements of Turtle, N-Triples, RDF/XML and JSON-LD files. Nothing is fetched, and a
 * text or nesting that could fill the memory stops the reading. A fault is reported in one line
 * with its file and line; discard the statements that came before it.
 */
import type { Effects } from "../../../effects/effects.ts";
import { ParseLimits } from "./parse-bounds.ts";
import { JsonLdParsing } from "./rdf-jsonld.ts";
import { type Parsing, type Statement, StatementBuffer } from "./rdf-statement.ts";
import { readPieces } from "./text-pieces.ts";
import { parseTurtle } from "./rdf-turtle.ts";
import { RdfXmlParsing } from "./rdf-xml.ts";
import { SourceError, unreadable } from "./source.ts";

type Format = "Turtle" | "N-Triples" | "RDF/XML" | "JSON-LD";

const FORMATS: Readonly<Record<string, Format>> = {
  ".ttl": "Turtle",
  ".turtle": "Turtle",
  ".nt": "N-Triples",
  ".rdf": "RDF/XML",
  ".xml": "RDF/XML",
  ".owl": "RDF/XML",
  ".jsonld": "JSON-LD",
  ".json": "JSON-LD",
};

/**
 * Yields the statements of a file, as many at a time as a piece of it completes; throws SourceError
 * at the first fault.
 */
export async function* readStatements(
  effects: Effects,
  file: string,
  buffer = new StatementBuffer(),
): AsyncGenerator<readonly Statement[], void> {
  const format = formatOf(file);
  const limits = new ParseLimits();
  let line = 1;
  let parsing: Parsing | undefined;
  try {
    parsing = begin(format, limits, buffer);
    for (const piece of readPieces(effects, file)) {
      line = piece.line;
      limits.feed(piece.text.length);
      const statements = await parsing.read(piece);
      if (statements.length > 0) {
        limits.arrive();
        yield statements;
      }
    }
    const last = await parsing.end();
    if (last.length > 0) yield last;
  } catch (error) {
    throw unreadable(`${file}:${parsing?.line ?? line}`, format, error);
  }
}

function formatOf(file: string): Format {
  const extension = /\.[^./\\]*$/.exec(file)?.[0].toLowerCase() ?? "";
  const format = FORMATS[extension];
  if (format !== undefined) return format;
  throw new SourceError(
    `${file}: A vocabulary is read from ${Object.keys(FORMATS).join(" ")} files. Convert it to one`,
  );
}

function begin(format: Format, limits: ParseLimits, buffer: StatementBuffer): Parsing {
  switch (format) {
    case "Turtle":
    case "N-Triples":
      return parseTurtle(format, limits, buffer);
    case "RDF/XML":
      return new RdfXmlParsing(limits, buffer);
    case "JSON-LD":
      return new JsonLdParsing(limits, buffer);
  }
}
