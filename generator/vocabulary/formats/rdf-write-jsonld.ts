/** JSON-LD 1.1 that any JSON tool reads too: the context inline, one subject a line. */
import { groupBy } from "../../../runtime/text/group-by.ts";
import type { Node, RdfObject } from "./rdf-node.ts";
import { PREFIXES } from "./terms.ts";

export function beginJsonLd(): string {
  return `{"@context":${JSON.stringify(PREFIXES)},"@graph":[\n`;
}

export function endJsonLd(): string {
  return "\n]}\n";
}

/** The subject on a line without its end. */
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
