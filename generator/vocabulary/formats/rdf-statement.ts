/**
 * The statements of RDF, whatever the format, and what every parser of one does. Blank nodes are numbered within their
 * file, so that a file reads the same each time. A relative IRI in a file without a base begins with NO_BASE; who uses
 * it judges it.
 */
import { detached } from "../../text/detached.ts";
import type { Piece } from "./text-pieces.ts";

/** A thing: by its IRI, or by a number within its file. */
export interface Resource {
  readonly kind: "iri" | "blank";
  readonly value: string;
}

export interface Literal {
  readonly kind: "literal";
  readonly value: string;
  /** In lower case; empty where there is none. */
  readonly language: string;
  readonly datatype: string;
}

export interface Statement {
  readonly subject: Resource;
  readonly predicate: string;
  readonly object: Resource | Literal;
  /** The line that it ends on. */
  readonly line: number | undefined;
}

/** What relative IRIs begin with where the file names no base; RFC 2606 keeps the name free. */
export const NO_BASE = "https://no-base.invalid/";

/** A parser at work. */
export interface Parsing {
  /** Where it is, if it knows better than the pieces. */
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

/** Gives a parser that is a stream more text, and waits until it took that; the error, where there is one. */
export function written(
  parser: { write(text: string, done: (error?: Error | null) => void): unknown },
  text: string,
): Promise<Error | undefined> {
  return new Promise((resolve) => parser.write(text, (error) => resolve(error ?? undefined)));
}

/** Where a parser puts its statements, or the first thing that went wrong. */
export class StatementBuffer {
  #statements: Statement[] = [];
  #failure: Error | undefined;
  readonly #blanks = new Map<string, string>();
  /** Predicates, languages and datatypes: few, and again and again. */
  readonly #names = new Map<string, string>();

  add({ subject, predicate, object }: QuadLike, line: number | undefined): void {
    const from = this.#resource(subject);
    const to = object.termType === "Literal" ? this.#literal(object) : this.#resource(object);
    // A statement about a statement says nothing of a vocabulary.
    if (from === undefined || to === undefined) return;
    this.#statements.push({ subject: from, predicate: this.#name(predicate.value), object: to, line });
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

  /** The parsers number blank nodes through all that a process reads. */
  #resource({ termType, value }: TermLike): Resource | undefined {
    if (termType === "NamedNode") return { kind: "iri", value: detached(value) };
    if (termType !== "BlankNode") return undefined;
    const number = this.#blanks.get(value) ?? `b${this.#blanks.size + 1}`;
    this.#blanks.set(value, number);
    return { kind: "blank", value: number };
  }

  #literal({ value, language = "", datatype }: TermLike): Literal {
    const [tag, type] = [this.#name(language.toLowerCase()), this.#name(datatype?.value ?? "")];
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
