/**
 * JSON-LD, through jsonld-streaming-parser; the only room for it. A context is read from the file alone. The parser holds
 * a graph until its end, so the whole file is bounded by ParseLimits: a larger one must be converted to Turtle first.
 */
import { JsonLdParser } from "jsonld-streaming-parser";
import type { ParseLimits } from "./rdf-bounds.ts";
import { NO_BASE, type Parsing, type QuadLike, type Statement, StatementBuffer } from "./rdf-statement.ts";
import { LANGUAGE_TEXT, STRING } from "./terms.ts";
import type { Piece } from "./text-pieces.ts";

export function parseJsonLd(limits: ParseLimits): Parsing {
  return new JsonLdParsing(limits);
}

class JsonLdParsing implements Parsing {
  line = 1;
  readonly #limits: ParseLimits;
  readonly #buffer = new StatementBuffer();
  #text = "";

  constructor(limits: ParseLimits) {
    this.#limits = limits;
  }

  read({ text }: Piece): readonly Statement[] {
    this.#text += text;
    return [];
  }

  async end(): Promise<readonly Statement[]> {
    this.#checkDepth();
    const parser = this.#begin();
    for (const text of this.#text.split(/(?<=\n)/)) {
      await new Promise<void>((resolve) => {
        parser.write(text, (error) => {
          this.#buffer.fail(error ?? undefined);
          resolve();
        });
      });
      this.#buffer.check();
      if (text.endsWith("\n")) this.line++;
    }
    checkLanguages(parseWhole(this.#text));
    return this.#buffer.take();
  }

  #checkDepth(): void {
    let inString = false;
    for (const [token] of this.#text.matchAll(/\\.|["[\]{}]/gs)) {
      if (token === '"') inString = !inString;
      else if (!inString && token.length === 1) this.#limits.nest(token === "[" || token === "{" ? 1 : -1);
    }
  }

  #begin(): JsonLdParser {
    // The context comes first; or there is none, since an array at the top is the expanded form.
    const isInOrder = /^\s*(?:\[|\{\s*"@context")/.test(this.#text);
    const parser = new JsonLdParser({
      baseIRI: NO_BASE,
      documentLoader: { load: (url) => this.#refuse(url) },
      dataFactory: this.#terms(isInOrder) as never,
      streamingProfile: isInOrder,
      streamingProfileAllowOutOfOrderPlainType: true,
    });
    parser.on("error", (error: Error) => this.#buffer.fail(error));
    parser.push = (quad: (QuadLike & { readonly object: { readonly line?: number } }) | null) => {
      if (quad !== null) this.#buffer.add(quad, quad.object.line);
      return true;
    };
    return parser;
  }

  /** RDF terms that remember the line they were read on, where they are made as the file is read. */
  #terms(isInOrder: boolean): object {
    let blanks = 0;
    const term = (termType: string, value: string) => ({
      termType,
      value,
      line: isInOrder ? this.line : undefined,
      equals: (other: { readonly termType: string; readonly value: string }) =>
        other.termType === termType && other.value === value,
    });
    return {
      namedNode: (iri: string) => term("NamedNode", iri),
      blankNode: (name?: string) => term("BlankNode", name ?? `:${++blanks}`),
      literal: (text: string, kind?: string | { readonly value: string } | null) =>
        typeof kind === "string"
          ? { ...term("Literal", text), language: kind, datatype: { value: LANGUAGE_TEXT } }
          : { ...term("Literal", text), datatype: kind ?? { value: STRING } },
      defaultGraph: () => term("DefaultGraph", ""),
      quad: (subject: object, predicate: object, object: object) => ({ subject, predicate, object }),
    };
  }

  #refuse(url: string): never {
    const error = new Error(`its context is ${url}, and nothing is fetched: write the context itself into the file`);
    this.#buffer.fail(error);
    throw error;
  }
}

/** The parser reports neither that a text is cut off nor that two follow each other. */
function parseWhole(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below: what JSON.parse says depends on the version of Node.
  }
  throw new Error("the file is not one JSON object or array from its first to its last bracket");
}

/** The parser drops a text whose language tag is ill-formed, such as `zh_CN`; a file with one is refused. */
function checkLanguages(whole: object): void {
  const names = new Set(["@language"]);
  const maps = new Set<string>();
  for (const [name, value] of membersIn(whole)) {
    if (value === "@language" && !name.startsWith("@")) names.add(name);
    const container = (value as { readonly "@container"?: unknown } | null)?.["@container"];
    if ([container].flat().includes("@language")) maps.add(name);
  }
  for (const [name, value] of membersIn(whole)) {
    if (names.has(name) && typeof value === "string") checkTag(value);
    if (maps.has(name) && typeof value === "object" && value !== null) Object.keys(value).forEach(checkTag);
  }
}

function checkTag(tag: string): void {
  if (!/^[a-z]+(?:-[a-z0-9]+)*$|^@/i.test(tag)) throw new Error(`${JSON.stringify(tag)} is not a language tag`);
}

function* membersIn(value: object): Generator<[name: string, value: unknown], void> {
  for (const [name, member] of Object.entries(value)) {
    yield [name, member];
    if (typeof member === "object" && member !== null) yield* membersIn(member as object);
  }
}
