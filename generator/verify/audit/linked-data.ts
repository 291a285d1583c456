/**
 * Checks the concepts as linked data against the registry (O-70): the JSON-LD and the Turtle follow
 * byte for byte from the published concepts and the retired codes, and their description has their
 * digests.
 */
import { DATASET_PATH, SKOS_JSONLD_PATH, SKOS_TURTLE_PATH } from "../../../runtime/contract/added-resources.ts";
import { type ConceptNotes, INVERSE, RELATIONS } from "../../../runtime/contract/concept-notes.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import type { RetiredCodes } from "../../contract/history.ts";
import { detailsOf, notesOf } from "./concept.ts";
import { NAMESPACES } from "./context.ts";
import { asObject, readObject, textAt } from "./json.ts";
import { conceptIri, conceptNode, type Node, retiredNode, schemeNode } from "./linked-nodes.ts";
import type { Faults, Parts } from "./parts.ts";

const [TURTLE = "", JSONLD = "", DATASET = ""] = [SKOS_TURTLE_PATH, SKOS_JSONLD_PATH, DATASET_PATH].map((path) =>
  path.slice(1),
);

/** `codes` are those of the concepts, in their order. */
export function checkLinkedData({ dist, index, manifest, documents, codes }: Given): Faults {
  const files = [TURTLE, JSONLD, DATASET].filter((name) => dist.names.includes(name));
  if (files.length === 0) return [];
  if (files.length < 3) return [`${JSONLD}: JSON-LD, Turtle and their description must come together`];
  const scheme = `${manifest.origin}${paths.concepts}`;
  const [opening, ...lines] = (dist.text(JSONLD) ?? "").split("\n");
  const given = lines.map((line) => readObject(Buffer.from(line.replace(/,$/, ""))) ?? {});
  const relations = new Relations(scheme, codes);
  const nodes = [schemeNode(scheme, manifest, given[0]?.["dcterms:license"])];
  const faults: Faults = [];
  for (const detail of detailsOf(index)) {
    const at = nodes.length;
    const said = { notes: notesOf(index, at - 1), relations: relations.of(detail.code, given[at]) };
    nodes.push(conceptNode(scheme, { detail, ...said }));
  }
  const { retired = [] } = (documents.get(paths.retired) ?? {}) as Partial<RetiredCodes>;
  nodes.push(...retired.map((one) => retiredNode(scheme, one)));
  const due = nodes.map((node, i) => JSON.stringify(node) + (i < nodes.length - 1 ? "," : ""));
  const other = nodes.find((_, i) => lines[i] !== due[i]);
  if (other !== undefined) faults.push(`${JSONLD}: ${textAt(other, "@id")} differs from the registry`);
  else if (opening !== JSONLD_HEAD || lines.slice(nodes.length).join("\n") !== "]}\n")
    faults.push(`${JSONLD}: says more than the registry, or with other prefixes`);
  const otherTurtle = differsAt(dist.text(TURTLE) ?? "", nodes);
  if (otherTurtle !== undefined) faults.push(`${TURTLE}: ${otherTurtle} differs from the registry`);
  for (const [id, code] of codes.entries())
    if (!relations.areThose(code, notesOf(index, id)))
      faults.push(`${JSONLD}: ${code} has other relations than on its page`);
  const dataset = dist.text(DATASET) ?? "";
  for (const name of [TURTLE, JSONLD])
    if (!dataset.includes(`"${dist.digests.get(name)?.sha256}"`))
      faults.push(`${DATASET}: lacks the digest of ${name}`);
  const license = asArray(nodes[0]?.["dcterms:license"]).map(printObject).join();
  if ([...dataset.matchAll(/dcterms:license (.+) ;$/gm)].some(([, one]) => one !== license))
    faults.push(`${DATASET}: names another licence than ${JSONLD}`);
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

interface Given extends Pick<Parts, "dist" | "documents"> {
  readonly index: RegistryIndex;
  readonly manifest: Manifest;
  readonly codes: readonly string[];
}

/**
 * The relations between concepts: one of two related concepts says so, or both do, and both pages
 * show it.
 */
class Relations {
  readonly #codes: ReadonlyMap<string, string>;
  readonly #others = new Map<string, Set<string>>();

  constructor(scheme: string, codes: readonly string[]) {
    this.#codes = new Map(codes.map((code) => [conceptIri(scheme, code), code]));
  }

  /**
   * The relations from the node of a concept to other concepts of the registry; recorded for both
   * ends.
   */
  of(code: string, node: Node | undefined): Node {
    const said = RELATIONS.map((relation) => {
      const iris = asArray(node?.[`skos:${relation}`]).map((value) => textAt(value, "@id"));
      return [relation, iris.filter((iri) => this.#codes.has(iri))] as const;
    }).filter(([, iris]) => iris.length > 0);
    for (const [relation, iris] of said) {
      for (const other of iris.map((iri) => this.#codes.get(iri) ?? "")) {
        this.#add(relation, code, other);
        this.#add(INVERSE[relation], other, code);
      }
    }
    return Object.fromEntries(
      said.map(([relation, iris]) => [`skos:${relation}`, iris.map((iri) => ({ "@id": iri }))]),
    );
  }

  /**
   * Whether the notes show the recorded relations; call it after all nodes. A page names only the
   * first of very many.
   */
  areThose(code: string, notes: ConceptNotes): boolean {
    return RELATIONS.every((relation) => {
      const others = this.#others.get(`${relation} ${code}`) ?? new Set();
      const { count = 0, concepts = [] } = notes[relation] ?? {};
      return count === others.size && concepts.every((one) => others.has(one.code));
    });
  }

  #add(relation: string, code: string, other: string): void {
    const key = `${relation} ${code}`;
    this.#others.set(key, (this.#others.get(key) ?? new Set()).add(other));
  }
}

/**
 * Where the Turtle first differs from these subjects: the IRI of a subject, or another place in
 * words.
 */
function differsAt(turtle: string, nodes: readonly Node[]): string | undefined {
  if (!turtle.startsWith(TURTLE_HEAD)) return "its list of prefixes";
  let at = TURTLE_HEAD.length;
  for (const node of nodes) {
    const text = turtleOf(node);
    if (!turtle.startsWith(text, at)) return textAt(node, "@id");
    at += text.length;
  }
  return at === turtle.length ? undefined : "its end";
}

const JSONLD_HEAD = `{"@context":${JSON.stringify(NAMESPACES)},"@graph":[`;
const TURTLE_HEAD = Object.entries(NAMESPACES)
  .map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`)
  .join("");

/** A subject of the graph with all its statements, after an empty line. */
function turtleOf(node: Node): string {
  const { "@type": types, "@id": _, ...properties } = node;
  const lines = [["a", types] as const, ...Object.entries(properties)].map(([predicate, values]) => {
    const objects = asArray(values).map((value) => printObject(predicate === "a" ? { "@id": value } : value));
    const between = objects.length === 1 ? " " : "\n        ";
    return `${predicate}${between}${objects.join(` ,${between}`)}`;
  });
  return `\n${printIri(textAt(node, "@id"))}\n    ${lines.join(" ;\n    ")} .\n`;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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

/** Characters that Turtle must escape, and invisible ones. */
const ESCAPED = /["\\\p{Cc}\u2028\u2029\uFEFF]/gu;
const LETTERS = new Map([["\n", "n"], ["\r", "r"], ["\t", "t"], ['"', '"'], ["\\", "\\"]]); // prettier-ignore

function escape(character: string): string {
  const letter = LETTERS.get(character);
  return `\\${letter ?? `u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`}`;
}
