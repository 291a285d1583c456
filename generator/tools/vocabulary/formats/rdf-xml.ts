/** Parses RDF/XML: what its parts are (xml.ts) and what they say (rdf-xml-grammar.ts). */
import type { ParseLimits } from "./parse-bounds.ts";
import type { Parsing, StatementBuffer, Statement } from "./rdf-statement.ts";
import { RdfXmlGrammar } from "./rdf-xml-grammar.ts";
import type { Piece } from "./text-pieces.ts";
import { XmlReader } from "./xml.ts";

export class RdfXmlParsing implements Parsing {
  readonly #buffer: StatementBuffer;
  readonly #xml: XmlReader;

  constructor(limits: ParseLimits, buffer: StatementBuffer) {
    this.#buffer = buffer;
    this.#xml = new XmlReader(new RdfXmlGrammar(buffer, () => this.line), limits);
  }

  get line(): number {
    return this.#xml.line;
  }

  read(piece: Piece): readonly Statement[] {
    this.#xml.read(piece);
    return this.#buffer.take();
  }

  end(): readonly Statement[] {
    this.#xml.end();
    return this.#buffer.take();
  }
}
