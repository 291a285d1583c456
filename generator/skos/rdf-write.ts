/**
 * Writes subjects as Turtle and as JSON-LD. Turtle is written for people: prefixes, one value per
 * line, and characters as they are, where a library would write every emoji as a number. Any JSON
 * tool can read the JSON-LD: an inline context, one subject per line.
 * Source: RDF 1.1 Turtle §6.5 (IRIREF, STRING_LITERAL_QUOTE); JSON-LD 1.1.
 */
import { groupBy } from "../../runtime/text/group-by.ts";
import { formatText } from "./rdf-line.ts";
import { PREFIXES } from "./terms.ts";

/**
 * A subject with all its statements, ready for any format. Predicates and types are prefixed names.
 */
export interface Node {
  readonly iri: string;
  /** Properties of one predicate are adjacent. */
  readonly properties: readonly Property[];
}

export type Property = readonly [predicate: string, object: RdfObject];

/** A resource, a text with or without a language, a typed literal, or a value as a JSON literal. */
type RdfObject =
  | { readonly iri: string }
  | { readonly text: string; readonly language?: string }
  | { readonly text: string; readonly datatype: string }
  | { readonly json: unknown };

export function beginTurtle(): string {
  return Object.entries(PREFIXES)
    .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
    .join("");
}

/**
 * The subject after an empty line. Several objects of one predicate have a line each, which makes
 * comparing easy.
 */
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

export function beginJsonLd(): string {
  return `{"@context":${JSON.stringify(PREFIXES)},"@graph":[\n`;
}

export function endJsonLd(): string {
  return "\n]}\n";
}

/** The subject on one line, without a line end. */
export function formatJsonLd({ iri, properties }: Node): string {
  const byPredicate = groupBy(properties, ([predicate]) => predicate);
  const types = (byPredicate.get("rdf:type") ?? []).map(([, object]) => ("iri" in object ? object.iri : ""));
  byPredicate.delete("rdf:type");
  // Streaming readers want the types first, then the name.
  const node: Record<string, unknown> = { ...(types.length > 0 && { "@type": types }), "@id": iri };
  for (const [predicate, all] of byPredicate) node[predicate] = all.map(([, object]) => toValue(object));
  return JSON.stringify(node);
}

function toValue(object: RdfObject): object {
  if ("iri" in object) return { "@id": object.iri };
  // As text: a JSON value would come back with its members in another order.
  if ("json" in object) return { "@type": "rdf:JSON", "@value": JSON.stringify(object.json) };
  if ("datatype" in object) return { "@type": object.datatype, "@value": object.text };
  return object.language === undefined
    ? { "@value": object.text }
    : { "@language": object.language, "@value": object.text };
}
