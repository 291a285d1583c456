/**
 * The concepts as linked data against the registry (O-70): the JSON-LD speaks of every published concept and retired code
 * and of nothing else, with the labels that resolve and no others; the Turtle says the same; and their description has their
 * digests.
 */
import { isDeepStrictEqual } from "node:util";
import { DATASET_PATH, SKOS_JSONLD_PATH, SKOS_TURTLE_PATH } from "../../../runtime/contract/added-resources.ts";
import { type ConceptDetail, EXACT_STRENGTH } from "../../../runtime/contract/concept.ts";
import { paths } from "../../../runtime/contract/policy.ts";
import { NAMESPACES } from "./context.ts";
import { asObject, memberAt, readJson, textAt } from "./json.ts";
import type { Dist, Documents, Faults } from "./parts.ts";

const [TURTLE = "", JSONLD = "", DATASET = ""] = [SKOS_TURTLE_PATH, SKOS_JSONLD_PATH, DATASET_PATH].map((path) =>
  path.slice(1),
);

export function checkLinkedData({ dist, details, documents, codes, origin }: Given): Faults {
  const files = [TURTLE, JSONLD, DATASET].filter((name) => dist.names.includes(name));
  if (files.length === 0) return [];
  const bytes = dist.read(JSONLD);
  const json = bytes === undefined ? undefined : readJson(bytes);
  const { "@graph": graph, "@context": names } = (json?.ok === true && asObject(json.value)) || {};
  if (files.length < 3 || !Array.isArray(graph)) return [`${JSONLD}: not all concepts with Turtle and a description`];
  const nodes = graph.map((node) => asObject(node) ?? {});
  const faults: Faults = [];
  const wanted = subjects(codes, documents, `${origin}${paths.concepts}`);
  const named = nodes.map((node) => textAt(node, "@id"));
  const turtle = dist.text(TURTLE) ?? "";
  const inTurtle = [...turtle.matchAll(/^<(.*)>$/gm)].map(([, iri]) => iri);
  if (named.join("\n") !== wanted.join("\n")) faults.push(`${JSONLD}: does not speak of what the registry has`);
  if (inTurtle.join("\n") !== wanted.join("\n")) faults.push(`${TURTLE}: does not speak of what the registry has`);
  if (!isDeepStrictEqual(names, NAMESPACES)) faults.push(`${JSONLD}: its prefixes have another meaning`);
  const other = differsAt(turtle, nodes);
  if (other !== undefined) faults.push(`${TURTLE}: does not say what ${JSONLD} does of ${other}`);
  // The first node is the scheme.
  let at = 0;
  for (const { code, expressions } of details) {
    const node = nodes[++at];
    const said = new Set([...labelsOf(node, "skos:prefLabel"), ...labelsOf(node, "skos:altLabel")]);
    const due = new Set(
      expressions.filter(isExact).map(({ language, locale, expression }) => `${locale ?? language} ${expression}`),
    );
    if (said.size !== due.size || [...due].some((label) => !said.has(label)))
      faults.push(`${JSONLD}: ${code} has other labels than in the registry`);
  }
  const dataset = dist.text(DATASET) ?? "";
  for (const name of [TURTLE, JSONLD])
    if (!dataset.includes(`"${dist.digests.get(name)?.sha256}"`))
      faults.push(`${DATASET}: lacks the digest of ${name}`);
  const triples = nodes.flatMap((node) => Object.values({ ...node, "@id": [] }).flat()).length;
  const counts = [
    `void:triples ${triples}`,
    `void:classPartition [ void:class skos:Concept ; void:entities ${nodes.length - 1} ]`,
  ];
  const counted = dataset.split("\n").filter((line) => /^ *void:(?:triples|classPartition) /.test(line));
  if (counted.join("\n") !== counts.map((count) => `    ${count} ;`).join("\n"))
    faults.push(`${DATASET}: does not count what ${JSONLD} says`);
  return faults;
}

interface Given {
  readonly dist: Dist;
  /** Of all concepts, in the order of their codes. */
  readonly details: Iterable<ConceptDetail>;
  readonly documents: Documents;
  readonly codes: readonly string[];
  readonly origin: string;
}

/** The scheme, its concepts and its retired codes, in their order. */
function subjects(codes: readonly string[], documents: Documents, scheme: string): string[] {
  const retired = memberAt(documents.get(paths.retired), "retired");
  const gone = Array.isArray(retired) ? retired.map((one) => textAt(one, "code")) : [];
  return [scheme, ...[...codes, ...gone].map((code) => `${scheme}/${encodeURIComponent(code)}`)];
}

/** Where the Turtle first is another one than that of these subjects: its IRI, or its prefixes or its end. */
function differsAt(turtle: string, nodes: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  if (!turtle.startsWith(TURTLE_HEAD)) return "its prefixes";
  let at = TURTLE_HEAD.length;
  for (const node of nodes) {
    const text = turtleOf(node);
    if (!turtle.startsWith(text, at)) return textAt(node, "@id");
    at += text.length;
  }
  return at === turtle.length ? undefined : "its subjects alone";
}

function labelsOf(node: Readonly<Record<string, unknown>> | undefined, name: string): string[] {
  const labels = node?.[name];
  return Array.isArray(labels) ? labels.map((label) => `${textAt(label, "@language")} ${textAt(label, "@value")}`) : [];
}

function isExact({ equivalenceStrength }: ConceptDetail["expressions"][number]): boolean {
  return equivalenceStrength === EXACT_STRENGTH;
}

const TURTLE_HEAD = Object.entries(NAMESPACES)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
  .join("");

/** A subject of the graph with all that is said of it, after an empty line. */
function turtleOf(node: Readonly<Record<string, unknown>>): string {
  const { "@type": types, "@id": _, ...properties } = node;
  const lines = [["a", types] as const, ...Object.entries(properties)].map(([predicate, values]) => {
    const objects = (Array.isArray(values) ? values : []).map((value) =>
      printObject(predicate === "a" ? { "@id": value as unknown } : value),
    );
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
