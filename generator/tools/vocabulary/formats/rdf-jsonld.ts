/**
 * Parses JSON-LD with jsonld-streaming-parser; no other file uses that library. A context must be
 * in the file itself. The code uses private members of the parser, because its public interface
 * drops ill-formed tags and some IRIs, and holds a graph back until its end (decision 012); its
 * version is pinned, and tests cover these members.
 */
import { isDeepStrictEqual } from "node:util";
import { JsonLdParser } from "jsonld-streaming-parser";
import { quote } from "../../../text/printable.ts";
import { JsonShape, type ParseLimits } from "./parse-bounds.ts";
import {
  NOT_IN_IRI,
  type Parsing,
  type QuadLike,
  SCHEME,
  type Statement,
  type StatementBuffer,
  type TermLike,
  written,
} from "./rdf-statement.ts";
import { NO_BASE, DOUBLE } from "../../../skos/terms.ts";
import type { Piece } from "./text-pieces.ts";

export class JsonLdParsing implements Parsing {
  line = 1;
  readonly #shape: JsonShape;
  readonly #buffer: StatementBuffer;
  #parser: JsonLdParser | undefined;
  /** The text before the parser is created; `#head` is the same without white space. */
  readonly #held: string[] = [];
  #head = "";

  constructor(limits: ParseLimits, buffer: StatementBuffer) {
    this.#shape = new JsonShape(limits);
    this.#buffer = buffer;
  }

  async read(piece: Piece): Promise<readonly Statement[]> {
    this.line = piece.line;
    for (const text of piece.text.split(/(?<=\n)/)) {
      await this.#readLine(text);
      this.#buffer.check();
      if (text.endsWith("\n")) this.line++;
    }
    return this.#buffer.take();
  }

  end(): readonly Statement[] {
    this.#shape.end();
    return this.#buffer.take();
  }

  async #readLine(text: string): Promise<void> {
    this.#shape.read(text);
    this.#held.push(text);
    if (this.#parser === undefined) this.#head += text.replaceAll(/\s+/g, "");
    if (this.#head.length < CONTEXT_FIRST.length && !this.#shape.isClosed) return;
    const parser = (this.#parser ??= this.#begin());
    this.#fail(await written(parser, this.#held.splice(0).join("")));
    this.#passGraphs((parser as unknown as ParserInternals).parsingContext);
  }

  #begin(): JsonLdParser {
    const parser = new JsonLdParser({
      baseIRI: NO_BASE,
      documentLoader: { load: (url) => this.#refuse(url) },
      // If the context comes first, or an array at the top shows that this is the expanded form,
      // which has no context.
      streamingProfile: this.#head.startsWith("[") || this.#head.startsWith(CONTEXT_FIRST),
      streamingProfileAllowOutOfOrderPlainType: true,
    });
    const fail = (error: Error): void => this.#buffer.fail(error);
    keepValues(parser, fail);
    dropDirections(parser);
    keepIris(parser, fail);
    parser.on("error", (error: Error) => this.#fail(error));
    parser.push = (quad: QuadLike | null) => {
      if (quad !== null) this.#add(quad);
      return true;
    };
    return parser;
  }

  /** The parser's own message names an option of it that nobody can set. */
  #fail(error: Error | undefined): void {
    const late = OUT_OF_ORDER.exec(error?.message ?? "");
    const member = late?.[1] === undefined ? "a @context" : "a @type with its own context";
    this.#buffer.fail(late === null ? error : new Error(`${member} is not the first member of its object: move it`));
  }

  #refuse(url: string): never {
    const error = new Error(`its context is ${url}, and nothing is fetched: write the context itself into the file`);
    this.#buffer.fail(error);
    throw error;
  }

  /** Statements that waited for their context come out at the end and have no known line. */
  #add(quad: QuadLike): void {
    this.#buffer.add(quad, this.#shape.isClosed ? undefined : this.line);
  }

  /**
   * The parser holds the content of @graph until the graph has a name, which may come last. Here
   * the name does not matter. And it holds the lists of language maps to the end of the file, for
   * nothing, and walks them at each value.
   */
  #passGraphs({ unidentifiedGraphsBuffer, pendingContainerFlushBuffers }: ParserInternals["parsingContext"]): void {
    pendingContainerFlushBuffers.length = 0;
    for (const held of unidentifiedGraphsBuffer) for (const quad of held?.splice(0) ?? []) this.#add(quad);
  }
}

const OUT_OF_ORDER = /^Found an out-of-order (type-scoped )?context/;
const CONTEXT_FIRST = '{"@context"';

/**
 * The parser silently skips a text whose language tag is ill-formed (`zh_CN`); here the tag is kept
 * and reported, as in Turtle. It gives a number or a boolean that names its datatype as it is, not
 * as the text of a literal, and a language map without texts as a blank node. And it skips a @set
 * that is not a list; here that is refused.
 */
function keepValues(parser: JsonLdParser, fail: (error: Error) => void): void {
  const { util } = parser as unknown as ParserInternals;
  const original: ValueToTerm = util.valueToTerm.bind(util);
  util.valueToTerm = async (...given) => {
    const [context, key, value, depth, keys] = given;
    const container = context.getContextRaw()[key]?.["@container"] ?? {};
    refuseMap(container, [key, value], fail);
    const terms = "@language" in container && isDeepStrictEqual(value, {}) ? [] : await original(...given);
    if (terms.length > 0) return terms.map((term) => asText(term, util));
    if (typeof value !== "object" || value === null) return terms;
    const members = new Map<string, unknown>();
    for (const [name, member] of Object.entries(value))
      members.set(await util.unaliasKeyword(name, keys, depth, true, context), member);
    const [text, language, direction, set = []] = ["@value", "@language", "@direction", "@set"].map((name) =>
      members.get(name),
    );
    // JSON-LD 1.1 §9.5: the parser would skip the text.
    if (typeof direction === "string" && !["ltr", "rtl"].includes(direction))
      fail(new Error(`the @direction ${quote(direction)} is neither "ltr" nor "rtl": write one of them`));
    if (set !== null && !Array.isArray(set))
      fail(new Error(`the @set of ${quote(key)} is not a list: write it as one`));
    if (typeof text !== "string" || typeof language !== "string") return terms;
    return [util.dataFactory.literal(text, language)];
  };
}

/**
 * JSON-LD 1.1 API §10.6 (Object to RDF Conversion), steps 11 to 13: a direction counts only if the
 * option rdfDirection says how, and here nothing does. The parser would make it a datatype, even of
 * a text without a language.
 */
function dropDirections(parser: JsonLdParser): void {
  const { util } = parser as unknown as ParserInternals;
  util.createLanguageDirectionLiteral = (_depth, value, language) =>
    language ? util.dataFactory.literal(value, language) : util.dataFactory.literal(value);
}

function asText(term: ParserTerm, util: ParserInternals["util"]): ParserTerm {
  if (typeof term.value === "string" || term.datatype === undefined) return term;
  // A number without a fraction is written as a double from 10^21 on, whatever its datatype.
  const isLarge = typeof term.value === "number" && Math.abs(term.value) >= 1e21;
  const form = isLarge ? util.dataFactory.namedNode(DOUBLE) : term.datatype;
  return util.dataFactory.literal(String(util.intToString(term.value, form)), term.datatype);
}

/**
 * The parser silently skips IRIs with brackets (`http://[::1]/a`) and texts that are not IRIs
 * (`http://a/b c`), with their statements. Here the first are kept and the second refused, as in
 * Turtle. A key that expands to no scheme still says nothing.
 */
function keepIris(parser: JsonLdParser, fail: (error: Error) => void): void {
  const { util, parsingContext } = parser as unknown as ParserInternals;
  for (const name of Object.keys(EXPANSIONS) as (keyof typeof EXPANSIONS)[]) {
    const original = util[name].bind(util);
    util[name] = (context, key) => {
      const term = original(context, key);
      const expand = (isVocab: boolean): string =>
        context.expandTerm(key, isVocab, parsingContext.getExpandOptions()) ?? "";
      const iri = term?.value ?? EXPANSIONS[name](expand, key);
      if (!SCHEME.test(iri)) return term;
      if (NOT_IN_IRI.test(iri)) fail(new Error(`${quote(iri)} is not an IRI`));
      return term ?? util.dataFactory.namedNode(iri);
    };
  }
}

/**
 * The parser loses links of maps that are not by language, or gives them to another node. A text or
 * a list of texts is no map; but where a map by @type or @graph may be, it is no text either.
 */
function refuseMap(container: object, [key, value]: [string, unknown], fail: (error: Error) => void): void {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const kind = ["@type", "@graph", ...(isObject ? ["@id", "@index"] : [])].find((one) => one in container);
  if (kind !== undefined)
    fail(new Error(`${quote(key)} is a map (@container ${kind}): write its entries as a list, without the container`));
}

/** How the parser makes an IRI of a key. */
const EXPANSIONS = {
  resourceToTerm: (expand: Expand) => expand(false),
  predicateToTerm: (expand: Expand) => expand(true),
  createVocabOrBaseTerm: (expand: Expand, key: string) => {
    const inVocab = expand(true);
    return inVocab === key ? expand(false) : inVocab;
  },
};

type Expand = (isVocab: boolean) => string;

type ToTerm = (context: ParserContext, key: string) => TermLike | null;

interface ParserContext {
  expandTerm(key: string, isVocab: boolean, options: unknown): string | null;
  getContextRaw(): Readonly<Record<string, { readonly "@container"?: object } | undefined>>;
}

type ValueToTerm = (
  ...given: [context: ParserContext, key: string, value: unknown, depth: number, keys: unknown]
) => Promise<readonly ParserTerm[]>;

/** A term as the parser makes it. */
interface ParserTerm {
  readonly value: unknown;
  readonly datatype?: object;
}

/** Private members of the parser. */
interface ParserInternals {
  readonly util: Record<keyof typeof EXPANSIONS, ToTerm> & {
    valueToTerm: ValueToTerm;
    unaliasKeyword(key: string, keys: unknown, depth: number, disableCache: boolean, context: unknown): Promise<string>;
    createLanguageDirectionLiteral(depth: number, value: string, language?: string | null): ParserTerm;
    intToString(value: unknown, datatype: object): unknown;
    readonly dataFactory: {
      literal(value: string, languageOrDatatype?: string | object): ParserTerm;
      namedNode(iri: string): TermLike;
    };
  };
  readonly parsingContext: {
    readonly pendingContainerFlushBuffers: unknown[];
    readonly unidentifiedGraphsBuffer: readonly (QuadLike[] | undefined)[];
    getExpandOptions(): unknown;
  };
}
