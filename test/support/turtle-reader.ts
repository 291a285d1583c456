/**
 * Turtle, and N-Triples within it, as triples with language tags as they are written, by n3 without
 * what the importer adds to it. That n3 reads what a file says, rapper confirms in test/external.
 */
import { Parser } from "n3";
import type { Literal, Resource, Statement } from "../../generator/tools/vocabulary/formats/rdf-statement.ts";

/** The language tag of a literal is as written. */
export type Triple = Pick<Statement, "subject" | "predicate" | "object">;

const XSD = "http://www.w3.org/2001/XMLSchema#";
const LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";

let blanks = 0;
/** n3's own terms have their tags in lower case. */
const factory = {
  namedNode: (value: string) => ({ kind: "iri", termType: "NamedNode", value }),
  blankNode: (value = `l-${blanks++}`) => ({ kind: "blank", termType: "BlankNode", value }),
  literal: (value: string, type?: string | { value: string }) => ({
    kind: "literal",
    termType: "Literal",
    value,
    language: typeof type === "string" ? type : "",
    datatype: typeof type === "string" ? LANG_STRING : (type?.value ?? `${XSD}string`),
  }),
  variable: (value: string) => ({ termType: "Variable", value }),
  defaultGraph: () => ({ termType: "DefaultGraph", value: "" }),
  quad: (subject: Resource, predicate: Resource, object: Resource | Literal) => ({
    subject,
    predicate: predicate.value,
    object,
  }),
};

/** The triples in the order of the text. Throws an Error with its line if it is not Turtle. */
export function parseTurtle(text: string): Triple[] {
  const parser = new Parser({ factory: factory as never, blankNodePrefix: "b-" });
  return parser.parse(text.replace(/^\uFEFF/, "")) as unknown as Triple[];
}

/** Lines of N-Triples, with every character but ASCII as it is. */
export function formatNTriples(triples: Iterable<Triple>): string {
  let text = "";
  for (const { subject, predicate, object } of triples)
    text += `${formatTerm(subject)} <${predicate}> ${formatTerm(object)} .\n`;
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { "\t": "t", "\b": "b", "\n": "n", "\r": "r", "\f": "f" };

/** A term as N-Triples writes it: two terms are the same if this is. */
export function formatTerm(term: Resource | Literal): string {
  if (term.kind !== "literal") return term.kind === "iri" ? `<${term.value}>` : `_:${term.value}`;
  const quoted = `"${term.value.replaceAll(/["\\\n\r\t\b\f]/g, (one) => `\\${ESCAPES[one] ?? one}`)}"`;
  if (term.language !== "") return `${quoted}@${term.language}`;
  return term.datatype === `${XSD}string` ? quoted : `${quoted}^^<${term.datatype}>`;
}
