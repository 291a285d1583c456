/**
 * RDF statements of any format, and the part that every parser shares. Blank nodes are numbered
 * within their file, so that a file reads the same each time. A relative IRI in a file without a
 * base begins with NO_BASE; the consumer decides what to do with it.
 */
import { detached } from "../../../text/detached.ts";
import { quote } from "../../../text/printable.ts";
import { LANGUAGE_TEXTS } from "../../../registry/source-line.ts";
import { LANGUAGE_TEXT } from "../../../skos/terms.ts";
import type { Piece } from "./text-pieces.ts";

/** An IRI, or a blank node by its number within the file. */
export interface Resource {
  readonly kind: "iri" | "blank";
  readonly value: string;
}

export interface Literal {
  readonly kind: "literal";
  readonly value: string;
  /** In lower case; empty if there is none. */
  readonly language: string;
  readonly datatype: string;
}

export interface Statement {
  readonly subject: Resource;
  readonly predicate: string;
  readonly object: Resource | Literal;
  /** The line on which it ends. */
  readonly line: number | undefined;
}

/** The scheme of an absolute IRI. */
export const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** Source: RDF 1.1 Turtle §6.5 (IRIREF). */
export const NOT_IN_IRI = /[\0-\x20<>"{}|^`\\]/;

export interface Parsing {
  /** The current line, if the parser knows it more exactly than the pieces do. */
  readonly line: number | undefined;
  read(piece: Piece): readonly Statement[] | Promise<readonly Statement[]>;
  end(): readonly Statement[] | Promise<readonly Statement[]>;
}

/** A term of any of the parsers (RDF/JS). */
export interface TermLike {
  readonly termType: string;
  readonly value: string;
  readonly language?: string;
  readonly datatype?: { readonly value: string };
}

export interface QuadLike {
  readonly subject: TermLike;
  readonly predicate: TermLike;
  readonly object: TermLike;
}

/**
 * Writes text to a parser that is a stream and waits until it is taken; resolves to the error, if
 * any.
 */
export function written(
  parser: { write(text: string, done: (error?: Error | null) => void): unknown },
  text: string,
): Promise<Error | undefined> {
  return new Promise((resolve) => parser.write(text, (error) => resolve(error ?? undefined)));
}

/** Collects a parser's statements, or its first error. */
export class StatementBuffer {
  #statements: Statement[] = [];
  #failure: Error | undefined;
  /** How many, by what they are. */
  readonly skipped = new Map<string, number>();
  readonly #blanks = new Map<string, string>();
  /** Predicates, languages and datatypes: a few that are often repeated. */
  readonly #names = new Map<string, string>();

  add({ subject, predicate, object }: QuadLike, line: number | undefined): void {
    const from = this.#resource(subject);
    const to = object.termType === "Literal" ? this.#literal(object) : this.#resource(object);
    if (from === undefined || to === undefined) this.skip();
    else this.#statements.push({ subject: from, predicate: this.#name(predicate.value), object: to, line });
  }

  /** Counts what says nothing about a vocabulary; usually a statement about a statement. */
  skip(what = "statements about statements"): void {
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + 1);
  }

  fail(error: Error | undefined): void {
    this.#failure ??= error;
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  take(): readonly Statement[] {
    this.check();
    const statements = this.#statements;
    this.#statements = [];
    return statements;
  }

  /** The parsers number blank nodes across everything that a process reads. */
  #resource({ termType, value }: TermLike): Resource | undefined {
    if (termType === "NamedNode") return { kind: "iri", value: detached(value) };
    if (termType !== "BlankNode") return undefined;
    const number = this.#blanks.get(value) ?? `b${this.#blanks.size + 1}`;
    this.#blanks.set(value, number);
    return { kind: "blank", value: number };
  }

  #literal({ value, language = "", datatype }: TermLike): Literal {
    const tag = this.#name(language.toLowerCase());
    // RDF 1.1 Concepts §3.3: a text has a language exactly if its datatype says so. The direction
    // of RDF 1.2 is not kept.
    const type = tag === "" ? this.#name(datatype?.value ?? "") : LANGUAGE_TEXT;
    if (tag === "" && LANGUAGE_TEXTS.includes(type))
      this.fail(
        new Error(`${quote(value)} has the datatype ${type} and no language: name one, or leave the datatype out`),
      );
    return { kind: "literal", value: detached(value), language: tag, datatype: type };
  }

  #name(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = detached(text);
    this.#names.set(name, name);
    return name;
  }
}
