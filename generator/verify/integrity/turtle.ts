/** The Turtle of a release, as it follows from its JSON-LD: the same subjects, and of each the same in the same order. */
import { NAMESPACES } from "./context.ts";
import { asObject, textAt } from "./json.ts";

export const TURTLE_HEAD = Object.entries(NAMESPACES)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
  .join("");

/** A subject of the graph with all that is said of it, after an empty line. */
export function turtleOf(node: Readonly<Record<string, unknown>>): string {
  const { "@type": types, "@id": _, ...properties } = node;
  const lines = [["a", types] as const, ...Object.entries(properties)].map(([predicate, values]) => {
    const objects = (Array.isArray(values) ? values : []).map((value) => printObject(predicate === "a" ? { "@id": value as unknown } : value)); // prettier-ignore
    const between = objects.length === 1 ? " " : "\n        ";
    return `${predicate}${between}${objects.join(` ,${between}`)}`;
  });
  return `\n${printIri(textAt(node, "@id"))}\n    ${lines.join(" ;\n    ")} .\n`;
}

function printObject(value: unknown): string {
  const { "@id": id, "@language": language, "@type": type } = asObject(value) ?? {};
  if (id !== undefined) return printIri(textAt(value, "@id"));
  const text = textAt(value, "@value");
  if (type === "xsd:boolean") return text;
  const quoted = `"${text.replaceAll(ESCAPED, escape)}"`;
  if (type !== undefined) return `${quoted}^^${printIri(textAt(value, "@type"))}`;
  return language === undefined ? quoted : `${quoted}@${textAt(value, "@language")}`;
}

function printIri(iri: string): string {
  return Object.keys(NAMESPACES).some((prefix) => iri.startsWith(`${prefix}:`)) ? iri : `<${iri}>`;
}

/** What Turtle must escape, and what nobody would see. */
const ESCAPED = /["\\\p{Cc}\u2028\u2029\uFEFF]/gu;
const LETTERS = new Map([["\n", "n"], ["\r", "r"], ["\t", "t"], ['"', '"'], ["\\", "\\"]]); // prettier-ignore

function escape(character: string): string {
  const letter = LETTERS.get(character);
  return `\\${letter ?? `u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`}`;
}
