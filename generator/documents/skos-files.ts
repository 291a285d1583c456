/**
 * `/registry/concepts.ttl` and `/registry/concepts.jsonld`: all that is published, as SKOS. A release holds its documents
 * in memory, so a registry with more than MAX_BYTES in one of them has neither (O-70).
 */
import { beginJsonLd, beginTurtle, endJsonLd, formatJsonLd, formatTurtle } from "../vocabulary/formats/rdf-write.ts";
import { publishedNodes } from "../vocabulary/formats/skos-published.ts";
import type { View } from "../view/view.ts";

/** What a static asset of the strictest host may have, with some room. */
const MAX_BYTES = 24 * 2 ** 20;
/** Each exact expression is a label in JSON-LD, which is no shorter. */
const LABEL_BYTES = '{"@language":"en","@value":"a"},'.length;

export interface SkosFiles {
  readonly turtle: Uint8Array;
  readonly jsonld: Uint8Array;
  /** The statements in each. */
  readonly triples: number;
}

/** Undefined where it would be too much. */
export function printSkos(view: View, maxBytes = MAX_BYTES): SkosFiles | undefined {
  if (view.summary.reviewedExactExpressions * LABEL_BYTES > maxBytes) return undefined;
  const turtle = [beginTurtle()];
  const jsonld: string[] = [];
  let [bytes, triples] = [0, 0];
  for (const node of publishedNodes(view)) {
    const line = formatJsonLd(node);
    // JSON-LD is the longer one: it repeats what Turtle has prefixes and commas for.
    bytes += Buffer.byteLength(line) + 2;
    if (bytes > maxBytes) return undefined;
    jsonld.push(line);
    turtle.push(formatTurtle(node));
    triples += node.properties.length;
  }
  const text = beginJsonLd() + jsonld.join(",\n") + endJsonLd();
  return { turtle: encoder.encode(turtle.join("")), jsonld: encoder.encode(text), triples };
}

const encoder = new TextEncoder();
