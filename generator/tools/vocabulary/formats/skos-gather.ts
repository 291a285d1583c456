/**
 * Gathers all statements of SKOS files by subject: they may come in any order and from several
 * files. Blank nodes of different files are different.
 */
import path from "node:path";
import type { Effects } from "../../../effects/effects.ts";
import type { Location } from "../../../text/finding.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { readStatements } from "./rdf.ts";
import type { ReadOptions } from "./reader-state.ts";
import { type Literal, type Resource, type Statement, StatementBuffer } from "./rdf-statement.ts";
import { SourceError } from "./source.ts";
import * as terms from "../../../skos/terms.ts";

export type Value = Resource | Literal;

/** A subject with its statements. Its place is where it first appears. */
export interface Subject extends Location {
  /** Its IRI, or a name that begins with `_:`. */
  readonly id: string;
  readonly isBlank: boolean;
  readonly types: Set<string>;
  /** By predicate, with repetitions; types that are IRIs are in `types`. */
  readonly values: Map<string, Value[]>;
}

/** In order of appearance, by id. */
export type Graph = ReadonlyMap<string, Subject>;

export interface Gathered {
  readonly graph: Graph;
  /** How much of the files is left out, by what it is. */
  readonly skipped: readonly (readonly [what: string, count: number])[];
}

/**
 * Reads all files; throws SourceError if they have no concept and are not our export. `progress`
 * gets the number of concepts so far.
 */
export async function gatherSkos(
  effects: Effects,
  files: readonly string[],
  progress: ReadOptions["progress"],
): Promise<Gathered> {
  const graph = new Map<string, Subject>();
  /** The number of subjects with each type. */
  const types = new Map<string, number>();
  const skipped: (readonly [string, number])[] = [];
  for (const [number, file] of files.entries()) {
    const name = path.basename(file);
    const buffer = new StatementBuffer();
    for await (const statements of readStatements(effects, file, buffer)) {
      for (const statement of statements) {
        const type = add(graph, statement, { file: name, number });
        if (type === undefined) continue;
        const count = (types.get(type) ?? 0) + 1;
        types.set(type, count);
        if (type === terms.CONCEPT) progress?.(count);
      }
    }
    skipped.push(...buffer.skipped);
  }
  if (!types.has(terms.CONCEPT) && ![...graph.values()].some(isOwnScheme)) throw noConcepts(files, types);
  return { graph, skipped };
}

/** Our export of a registry, which may have no concepts yet. */
export function isOwnScheme({ values }: Subject): boolean {
  return values.has(terms.ownTerm("registry"));
}

function noConcepts(files: readonly string[], types: ReadonlyMap<string, number>): SourceError {
  const found = [...types]
    .sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))
    .slice(0, 5)
    .map(([type, count]) => `${count} of <${type}>`);
  const instead = found.length === 0 ? "nothing in it has a type" : `it has ${found.join(", ")}`;
  return new SourceError(`${files.join(", ")}: There is no skos:Concept; ${instead}. Name a SKOS vocabulary`);
}

/** Returns the type if the statement is the first to give it to the subject. */
function add(graph: Map<string, Subject>, statement: Statement, source: Source): string | undefined {
  const { subject, predicate, line } = statement;
  const id = idOf(subject, source);
  let found = graph.get(id);
  if (found === undefined) {
    const isBlank = subject.kind === "blank";
    found = { id, isBlank, file: source.file, line, types: new Set(), values: new Map() };
    graph.set(id, found);
  }
  const object: Value =
    statement.object.kind === "blank" ? { kind: "blank", value: idOf(statement.object, source) } : statement.object;
  if (predicate === terms.TYPE && object.kind === "iri") {
    if (found.types.has(object.value)) return undefined;
    found.types.add(object.value);
    return object.value;
  }
  const values = found.values.get(predicate);
  if (values === undefined) found.values.set(predicate, [object]);
  else values.push(object);
  return undefined;
}

interface Source {
  readonly file: string;
  readonly number: number;
}

function idOf({ kind, value }: Resource, { number }: Source): string {
  return kind === "blank" ? `_:${number}.${value}` : value;
}
