/** RDF as canonical N-Quads (RDFC-1.0), by libraries that the generator does not use for it. */
import { Parser } from "n3";
import { canonize } from "rdf-canonize";

/** The lines of a Turtle text; tags are in lower case, as RDF compares them. */
export function canonicalTurtle(text: string): Promise<string[]> {
  return canonicalLines(new Parser().parse(text));
}

/** Of quads in the form of RDF/JS. */
export async function canonicalLines(quads: readonly unknown[]): Promise<string[]> {
  const text = await canonize([...quads], { algorithm: "RDFC-1.0", format: "application/n-quads" });
  return text.split("\n").filter((line) => line !== "");
}
