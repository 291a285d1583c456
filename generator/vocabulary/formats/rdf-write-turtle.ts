/**
 * Turtle as people read it: prefixes, one value a line, characters as they are. A library would write every emoji as
 * a number.
 * Source: RDF 1.1 Turtle §6.5 (IRIREF, STRING_LITERAL_QUOTE).
 */
import { groupBy } from "../../../runtime/text/group-by.ts";
import { formatText } from "./rdf-line.ts";
import type { Node, RdfObject } from "./rdf-node.ts";
import { PREFIXES } from "./terms.ts";

export function beginTurtle(): string {
  return Object.entries(PREFIXES)
    .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
    .join("");
}

/** The subject with an empty line before it; several objects of one predicate have a line each, for comparing. */
export function formatTurtle({ iri, properties }: Node): string {
  const lines: string[] = [];
  for (const [predicate, all] of groupBy(properties, ([name]) => name)) {
    const objects = all.map(([, object]) => formatObject(object));
    const between = objects.length === 1 ? " " : "\n        ";
    lines.push(`${predicate === "rdf:type" ? "a" : predicate}${between}${objects.join(` ,${between}`)}`);
  }
  return `\n${formatIri(iri)}\n    ${lines.join(" ;\n    ")} .\n`;
}

function formatObject(object: RdfObject): string {
  if ("iri" in object) return formatIri(object.iri);
  if ("json" in object) return `${formatText(JSON.stringify(object.json))}^^rdf:JSON`;
  if ("datatype" in object) {
    return object.datatype === "xsd:boolean"
      ? object.text
      : `${formatText(object.text)}^^${formatIri(object.datatype)}`;
  }
  return formatText(object.text) + (object.language === undefined ? "" : `@${object.language}`);
}

const PREFIXED = new RegExp(`^(?:${Object.keys(PREFIXES).join("|")}):`);

function formatIri(iri: string): string {
  return PREFIXED.test(iri) ? iri : `<${iri}>`;
}
