/** Parses Turtle and N-Triples with n3; no other file uses that library. */
import { NO_BASE } from "../../../skos/terms.ts";
import { EventEmitter } from "node:events";
import { Lexer, Parser, type ParserOptions, type Token } from "n3";
import type { ParseLimits } from "./parse-bounds.ts";
import { type Parsing, type StatementBuffer, type Statement } from "./rdf-statement.ts";

export function parseTurtle(format: "Turtle" | "N-Triples", limits: ParseLimits, buffer: StatementBuffer): Parsing {
  const input = new EventEmitter();
  const inner = new Lexer({ lineMode: format === "N-Triples", n3: false });
  let line = 1;
  /** Wraps the parser's own lexer: only it knows the lines. */
  const lexer = {
    tokenize(source: EventEmitter, take: (error: Error | null, token?: Token) => void): void {
      inner.tokenize(source, (error: Error | null, token: Token | undefined) => {
        if (token !== undefined) {
          line = token.line;
          limits.nest(OPENING.has(token.type) ? 1 : CLOSING.has(token.type) ? -1 : 0);
        }
        take(error, token);
      });
    },
  };
  const parser = new Parser({ format, baseIRI: NO_BASE, lexer } as ParserOptions);
  parser.parse(input, (error: (Error & { context?: { line?: number } }) | null, quad) => {
    if (error !== null) {
      line = error.context?.line ?? line;
      buffer.fail(error);
    } else if (quad !== null) buffer.add(quad, line);
  });
  const take = (event: string, text?: string): readonly Statement[] => {
    input.emit(event, text);
    return buffer.take();
  };
  return {
    get line() {
      return line;
    },
    read: ({ text }) => take("data", text),
    end: () => take("end"),
  };
}

const OPENING = new Set(["[", "(", "<<", "<<("]);
const CLOSING = new Set(["]", ")", ">>", ")>>"]);
