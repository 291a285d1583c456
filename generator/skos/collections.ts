/**
 * Reads collections out of the statements of vocabularies, with the published concepts in them. A
 * collection in which none is, neither in it nor in its parts, is left out.
 * Source: SKOS Reference (W3C, 2009) §9; S36 for ordered collections.
 */
import type { Collection } from "../../runtime/contract/collection.ts";
import { NAMES_MAX_CONCEPTS } from "../../runtime/contract/limits.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import type { Concepts } from "../registry/concepts.ts";
import { type Statement, statementOf } from "../registry/source-line.ts";
import type { DomainLine } from "../registry/vocabulary-file.ts";
import { COLLECTIONS, LABEL, MEMBER, MEMBER_LIST, PREF_LABEL, PREFIXES, TYPE } from "./terms.ts";

const FIRST = `${PREFIXES.rdf}first`;
const REST = `${PREFIXES.rdf}rest`;

/** A collection as its source states it: members are identifiers of the source. */
interface Stated extends Omit<Collection, "members" | "parts"> {
  readonly items: readonly string[];
}

/** None for a registry too large for lists by name, which show them. */
export function collectionsIn(lines: readonly DomainLine[], concepts: Concepts): Collection[] {
  if (concepts.length > NAMES_MAX_CONCEPTS) return [];
  const stated = Array.from(
    groupBy(lines.filter(isCollection), ({ subject }) => subject),
    ([id, own]) =>
      read(
        id,
        own.flatMap(({ source }) => source.map(statementOf)),
      ),
  );
  if (stated.length === 0) return [];
  const codes = codesOf(concepts, new Set(stated.flatMap(({ items }) => items)));
  const ids = new Set(stated.map(({ id }) => id));
  const all = stated.map(({ items, ...collection }) => {
    const members = items.flatMap((item) => codes.get(item) ?? []);
    return { ...collection, members, parts: items.filter((item) => ids.has(item)) };
  });
  return withMembers(all);
}

const TYPES = COLLECTIONS.map((type) => `<${TYPE}> <${type}>`);

function isCollection({ source }: DomainLine): boolean {
  return source.some((line) => TYPES.includes(line));
}

function read(id: string, statements: readonly Statement[]): Stated {
  const own = statements.filter(({ subject }) => subject === undefined);
  const valuesOf = (predicate: string): Statement[] => own.filter((one) => one.predicate === predicate);
  const preferred = valuesOf(PREF_LABEL);
  const labels = (preferred.length > 0 ? preferred : valuesOf(LABEL)).filter(({ isText }) => isText);
  const list = valuesOf(MEMBER_LIST).flatMap(({ value }) => [...itemsOf(value, statements)]);
  const items = [...list, ...valuesOf(MEMBER).map(({ value }) => value)];
  return {
    id,
    labels: labels.map(({ value: text, language }) => (language === undefined ? { text } : { language, text })),
    ordered: list.length > 0,
    items: [...new Set(items)],
  };
}

/** The items of an RDF list, whose nodes are blank; one that is not well-formed ends early. */
function* itemsOf(list: string, statements: readonly Statement[]): Generator<string, void> {
  const nodes = groupBy(statements, ({ subject }) => subject);
  const seen = new Set<string>();
  for (let node: string | undefined = list; node !== undefined && !seen.has(node);) {
    seen.add(node);
    const said: readonly Statement[] = nodes.get(node) ?? [];
    const item = said.find(({ predicate }) => predicate === FIRST);
    if (item !== undefined) yield item.value;
    node = said.find(({ predicate }) => predicate === REST)?.value;
  }
}

/** The codes of the concepts that are these things in their source. */
function codesOf({ identifiers }: Concepts, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const codes = new Map<string, readonly string[]>();
  for (const { key, claims } of identifiers) {
    const own = wanted.has(key) ? claims.filter(({ by }) => by === "sourceId") : [];
    if (own.length > 0)
      codes.set(
        key,
        own.map(({ code }) => code),
      );
  }
  return codes;
}

function withMembers(all: readonly Collection[]): Collection[] {
  let kept: readonly Collection[] = all.filter(({ members }) => members.length > 0);
  for (let before = -1; before < kept.length;) {
    before = kept.length;
    const ids = new Set(kept.map(({ id }) => id));
    kept = all.filter(({ id, parts }) => ids.has(id) || parts.some((part) => ids.has(part)));
  }
  const ids = new Set(kept.map(({ id }) => id));
  return kept.map((one) => ({ ...one, parts: one.parts.filter((part) => ids.has(part)) }));
}
