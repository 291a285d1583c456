/** The statements of a file as the lines that registries keep (registry/source-line.ts). */
import { formatIri, formatText, iriLine } from "../../../skos/rdf-line.ts";
import { STRING, TYPE } from "../../../skos/terms.ts";
import type { Subject, Value } from "./skos-gather.ts";

/**
 * Returns the statements about a subject, one per line; `blank` gives the label of a blank node.
 */
export function formatSaid(
  { types, values }: Pick<Subject, "types" | "values">,
  blank: (id: string) => string,
): string[] {
  const lines = [...types].map((type) => iriLine(TYPE, type));
  for (const [predicate, objects] of values) {
    for (const object of objects)
      lines.push(`${formatIri(predicate)} ${object.kind === "blank" ? blank(object.value) : formatObject(object)}`);
  }
  return lines;
}

function formatObject(object: Exclude<Value, { readonly kind: "blank" }>): string {
  if (object.kind === "iri") return formatIri(object.value);
  const { value, language, datatype } = object as Extract<Value, { readonly kind: "literal" }>;
  if (language !== "") return `${formatText(value)}@${language}`;
  return datatype === "" || datatype === STRING ? formatText(value) : `${formatText(value)}^^${formatIri(datatype)}`;
}
