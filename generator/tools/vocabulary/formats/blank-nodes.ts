/**
 * Names the blank nodes of a file by their statements, so that the order of the file decides
 * nothing. Blank nodes that lead to each other form a group. A group that only one subject leads to
 * belongs to that subject, and its labels begin with `b`. Any other group is named for the whole
 * vocabulary, with labels that begin with `x`. Nodes with equal statements keep the order of the
 * file.
 */
import { createHash } from "node:crypto";
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { formatSaid } from "./statement-lines.ts";
import type { Graph, Subject } from "./skos-gather.ts";

export interface BlankNodes {
  /** The label of a blank node, unique within its owner or, without one, within the vocabulary. */
  readonly labelOf: (id: string) => string;
  /** The blank nodes that a subject owns, in order of label. */
  readonly ownedBy: (id: string) => readonly string[];
  /** The blank nodes that no subject owns. */
  readonly shared: readonly string[];
}

export function nameBlankNodes(graph: Graph): BlankNodes {
  const hashes = new Map<string, string>();
  const labels = new Map<string, string>();
  const owned = new Map<string, string[]>();
  const shared: string[] = [];
  const taken = new Map<string, number>();
  for (const { members, pointers } of groupsOf(graph)) {
    const [owner, ...others] = new Set(pointers.map(({ from }) => from));
    for (const [id, hash] of hashMembers(graph, members, pointers)) hashes.set(id, hash);
    if (owner === undefined || others.length > 0) {
      for (const id of sortBy(hashes, members)) {
        labels.set(id, uniqueLabel(hashes.get(id) ?? "", taken));
        shared.push(id);
      }
    } else {
      const ids = owned.get(owner) ?? [];
      for (const id of members) ids.push(id);
      owned.set(owner, ids);
    }
  }
  for (const ids of owned.values()) sortBy(hashes, ids).forEach((id, i) => labels.set(id, `_:b${i}`));
  return {
    labelOf: (id) => labels.get(id) ?? "_:x",
    ownedBy: (id) => owned.get(id) ?? [],
    shared: sortBy(labels, shared),
  };
}

function sortBy(texts: ReadonlyMap<string, string>, ids: string[]): string[] {
  return ids.sort((a, b) => compareCodePoints(texts.get(a) ?? "", texts.get(b) ?? ""));
}

/** Twelve digits of the hash; a further node with the same digits also gets a number. */
function uniqueLabel(hash: string, taken: Map<string, number>): string {
  const label = `_:x${hash.slice(0, 12)}`;
  const number = (taken.get(label) ?? 0) + 1;
  taken.set(label, number);
  return number === 1 ? label : `${label}n${number}`;
}

interface Group {
  readonly members: string[];
  /** Statements of subjects with IRIs that lead to a member. */
  readonly pointers: Pointer[];
}

interface Pointer {
  readonly from: string;
  readonly predicate: string;
  readonly to: string;
}

/** Groups of blank nodes that statements connect, in order of appearance. */
function groupsOf(graph: Graph): Group[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) {
      // Path halving: shortens the way for the next search.
      parents.set(root, parents.get(next) ?? next);
      root = next;
    }
    parents.set(id, root);
    return root;
  };
  const outer: Pointer[] = [];
  for (const subject of graph.values()) {
    if (subject.isBlank) parents.set(rootOf(subject.id), rootOf(subject.id));
    for (const pointer of pointersOf(subject)) {
      parents.set(rootOf(pointer.to), rootOf(subject.isBlank ? subject.id : pointer.to));
      if (!subject.isBlank) outer.push(pointer);
    }
  }
  const groups = new Map<string, Group>();
  for (const [root, members] of groupBy(parents.keys(), rootOf)) groups.set(root, { members, pointers: [] });
  for (const pointer of outer) groups.get(rootOf(pointer.to))?.pointers.push(pointer);
  return [...groups.values()];
}

function* pointersOf({ id, values }: Subject): Generator<Pointer, void> {
  for (const [predicate, objects] of values)
    for (const { kind, value } of objects) if (kind === "blank") yield { from: id, predicate, to: value };
}

/**
 * Hashes each node by its statements and by those that lead to it, then again with the hashes of
 * its neighbours, until that distinguishes no more nodes.
 */
function hashMembers(graph: Graph, members: readonly string[], outer: readonly Pointer[]): ReadonlyMap<string, string> {
  const inner = members.flatMap((id) => [...pointersOf(graph.get(id) ?? NOBODY)]);
  const incoming = groupBy([...inner, ...outer], ({ to }) => to);
  let hashes: ReadonlyMap<string, string> = new Map();
  for (let distinct = 1; ;) {
    const before = hashes;
    const nameOf = (id: string): string => before.get(id) ?? (id.startsWith("_:") ? "" : id);
    hashes = new Map(
      members.map((id) => {
        const said = formatSaid(graph.get(id) ?? NOBODY, (other) => `_:${nameOf(other)}`).sort(compareCodePoints);
        const of = (incoming.get(id) ?? []).map(({ from, predicate }) => `${predicate} ${nameOf(from)}`);
        const text = [...said, "", ...of.sort(compareCodePoints)].join("\n");
        return [id, createHash("sha256").update(text).digest("hex")];
      }),
    );
    const now = new Set(hashes.values()).size;
    if (now === distinct || now === members.length) return hashes;
    distinct = now;
  }
}

const NOBODY: Subject = { id: "", file: "", isBlank: true, types: new Set(), values: new Map() };
