/** JSON-LD, through jsonld-streaming-parser; the only room for it. A context is read from the file alone. */
import { JsonLdParser } from "jsonld-streaming-parser";
import { JsonShape, type Reach } from "./rdf-bounds.ts";
import { NO_BASE, type Parsing, type QuadLike, Sink, type Statement } from "./rdf-statement.ts";
import type { Piece } from "./text-pieces.ts";

export function parseJsonLd(reach: Reach): Parsing {
  return new JsonLdParsing(reach);
}

class JsonLdParsing implements Parsing {
  line = 1;
  readonly #shape: JsonShape;
  readonly #sink = new Sink();
  #parser: JsonLdParser | undefined;
  /** What stands before the parser begins, and the same without white space. */
  readonly #held: string[] = [];
  #head = "";

  constructor(reach: Reach) {
    this.#shape = new JsonShape(reach);
  }

  async read(piece: Piece): Promise<readonly Statement[]> {
    this.line = piece.line;
    for (const text of piece.text.split(/(?<=\n)/)) {
      await this.#readLine(text);
      this.#sink.check();
      if (text.endsWith("\n")) this.line++;
    }
    return this.#sink.take();
  }

  end(): readonly Statement[] {
    this.#shape.end();
    return this.#sink.take();
  }

  async #readLine(text: string): Promise<void> {
    this.#shape.read(text);
    this.#held.push(text);
    if (this.#parser === undefined) this.#head += text.replaceAll(/\s+/g, "");
    if (this.#head.length < CONTEXT_FIRST.length && !this.#shape.isClosed) return;
    const parser = (this.#parser ??= this.#begin());
    const pieces = this.#held.splice(0).join("");
    await new Promise<void>((resolve) => {
      parser.write(pieces, (error) => {
        this.#sink.fail(error ?? undefined);
        resolve();
      });
    });
    this.#passGraphs(parser);
  }

  #begin(): JsonLdParser {
    const parser = new JsonLdParser({
      baseIRI: NO_BASE,
      documentLoader: { load: (url) => this.#refuse(url) },
      // Where the context comes first; or with an array at the top, which says that it is the expanded form, without one.
      streamingProfile: this.#head.startsWith("[") || this.#head.startsWith(CONTEXT_FIRST),
      streamingProfileAllowOutOfOrderPlainType: true,
    });
    keepOddTags(parser);
    parser.on("error", (error: Error) => this.#sink.fail(error));
    parser.push = (quad: QuadLike | null) => {
      if (quad !== null) this.#add(quad);
      return true;
    };
    return parser;
  }

  #refuse(url: string): never {
    const error = new Error(`its context is ${url}, and nothing is fetched: write the context itself into the file`);
    this.#sink.fail(error);
    throw error;
  }

  /** What waited for its context comes out at the end, and could stand anywhere. */
  #add(quad: QuadLike): void {
    this.#sink.add(quad, this.#shape.isClosed ? undefined : this.line);
  }

  /** The parser holds what is in @graph until the graph has a name, which may come last; here the name says nothing. */
  #passGraphs(parser: JsonLdParser): void {
    const { unidentifiedGraphsBuffer } = (parser as unknown as Held).parsingContext;
    for (const held of unidentifiedGraphsBuffer) for (const quad of held?.splice(0) ?? []) this.#add(quad);
  }
}

const CONTEXT_FIRST = '{"@context"';

/** The parser passes silently over a text whose language tag is ill-formed (`zh_CN`); here such a tag is told, as in Turtle. */
function keepOddTags(parser: JsonLdParser): void {
  const { util } = parser as unknown as Held;
  const original: ValueToTerm = util.valueToTerm.bind(util);
  util.valueToTerm = async (...given) => {
    const terms = await original(...given);
    const [context, , value, depth, keys] = given;
    if (terms.length > 0 || typeof value !== "object" || value === null) return terms;
    const members = new Map<string, unknown>();
    for (const [key, member] of Object.entries(value))
      members.set(await util.unaliasKeyword(key, keys, depth, true, context), member);
    const [text, language] = [members.get("@value"), members.get("@language")];
    if (typeof text !== "string" || typeof language !== "string") return terms;
    return [util.dataFactory.literal(text, language)];
  };
}

type ValueToTerm = (
  ...given: [context: unknown, key: string, value: unknown, depth: number, keys: unknown]
) => Promise<readonly unknown[]>;

/** What the parser keeps to itself. */
interface Held {
  readonly util: {
    valueToTerm: ValueToTerm;
    unaliasKeyword(key: string, keys: unknown, depth: number, disableCache: boolean, context: unknown): Promise<string>;
    readonly dataFactory: { literal(value: string, language: string): unknown };
  };
  readonly parsingContext: { readonly unidentifiedGraphsBuffer: readonly (QuadLike[] | undefined)[] };
}
