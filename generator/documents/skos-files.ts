/**
 * `/registry/concepts.ttl` and `/registry/concepts.jsonld`: everything that is published, as SKOS.
 * A release holds its documents in memory, so neither file exists if one of them would exceed
 * MAX_BYTES (O-70).
 */
import { beginJsonLd, beginTurtle, endJsonLd, formatJsonLd, formatTurtle } from "../skos/rdf-write.ts";
import { publishedNodes } from "../skos/published.ts";
import type { View } from "../view/view.ts";

/** The limit of the strictest host for a static asset, minus some room. */
const MAX_BYTES = 24 * 2 ** 20;
/** Each exact expression is a label in JSON-LD, at least as long as this one. */
const LABEL_BYTES = '{"@language":"en","@value":"a"},'.length;

export interface SkosFiles {
  readonly turtle: Uint8Array;
  readonly jsonld: Uint8Array;
  /** The number of statements in each file. */
  readonly triples: number;
}

/** Undefined if a file would be too long. */
export function printSkos(view: View, maxBytes = MAX_BYTES): SkosFiles | undefined {
  if (view.summary.reviewedExactExpressions * LABEL_BYTES > maxBytes) return undefined;
  const turtle = [beginTurtle()];
  const jsonld: string[] = [];
  let [bytes, triples] = [0, 0];
  for (const node of publishedNodes(view)) {
    const line = formatJsonLd(node);
    // JSON-LD is longer: it repeats text that Turtle abbreviates by prefixes and commas.
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
