/** Graphs compared: as canonical N-Quads, without their blank nodes, and by predicate. */
import { canonicalLines } from "../support/canonical.ts";
import type { Literal, Resource } from "../../generator/tools/vocabulary/formats/rdf-statement.ts";
import { formatTerm, type Triple } from "../support/turtle-reader.ts";
import type { RegistryOnDisk } from "./registry-on-disk.ts";

/** The graph as canonical N-Quads (RDFC-1.0); RDF's language tags have no case. */
export async function canonical(triples: readonly Triple[]): Promise<ReadonlySet<string>> {
  const term = (node: Resource | Literal): object => {
    if (node.kind !== "literal")
      return { termType: node.kind === "iri" ? "NamedNode" : "BlankNode", value: node.value };
    const { value, language, datatype } = node;
    const type = language !== "" ? LANG_STRING : datatype === "" ? XSD_STRING : datatype;
    return {
      termType: "Literal",
      value,
      language: language.toLowerCase(),
      datatype: { termType: "NamedNode", value: type },
    };
  };
  const quads = triples.map(({ subject, predicate, object }) => ({
    subject: term(subject),
    predicate: term({ kind: "iri", value: predicate }),
    object: term(object),
    graph: { termType: "DefaultGraph", value: "" },
  }));
  return new Set(await canonicalLines(quads));
}

const XSD_STRING = "http://www.w3.org/2001/XMLSchema#string";
const LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";

/** Counts by predicate: in the file, as fields, as kept statements, and in the export. */
export function tableOf(before: readonly Triple[], after: readonly Triple[], { kept }: RegistryOnDisk): string {
  const byPredicate = (triples: readonly Triple[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { predicate } of triples) counts.set(predicate, (counts.get(predicate) ?? 0) + 1);
    return counts;
  };
  const [read, written] = [byPredicate(before), byPredicate(after)];
  const statements = new Map<string, number>();
  for (const line of kept) {
    const predicate = /^(?:_:\S+ )?<([^>]*)>/.exec(line)?.[1] ?? "";
    statements.set(predicate, (statements.get(predicate) ?? 0) + 1);
  }
  const rows = [...read]
    .sort(([, a], [, b]) => b - a)
    .map(([predicate, all]) => {
      const asStatements = statements.get(predicate) ?? 0;
      return [predicate, all, all - asStatements, asStatements, written.get(predicate) ?? 0];
    });
  return [["predicate", "in", "as fields", "as statements", "out"], ...rows].map((row) => row.join("\t")).join("\n");
}

/** Triples without blank nodes, in one form; RDF's language tags have no case. */
export function grounded(triples: readonly Triple[]): Set<string> {
  const lines = new Set<string>();
  for (const { subject, predicate, object } of triples) {
    if (subject.kind === "blank" || object.kind === "blank") continue;
    const term = object.kind === "literal" ? { ...object, language: object.language.toLowerCase() } : object;
    lines.add(`${formatTerm(subject)} ${predicate} ${formatTerm(term)}`);
  }
  return lines;
}
