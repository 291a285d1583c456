/** The relations between the concepts of a registry, as numbers: there are millions. */
import { type Relation, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import { byGroup, type Grouped, membersOf } from "./by-group.ts";

/** Relations, and the matches that are relations too (SKOS S41) or that exclude them (S46). */
export const EDGES = [...RELATIONS, "broadMatch", "narrowMatch", "relatedMatch", "exactMatch"] as const;
export type Edge = (typeof EDGES)[number];

export interface RelationGraph {
  /** Concepts, and the codes and IRIs that no concept has. */
  readonly nodeCount: number;
  /**
   * For each relation: the node that states it, the other node, and its kind as an index into
   * EDGES.
   */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly kinds: Uint8Array;
  /**
   * The relations grouped by kind and stating node, and by kind and other node; each group is in
   * the order of the node at the other end.
   */
  readonly stated: Grouped;
  readonly met: Grouped;
}

export function makeGraph(relations: Pick<RelationGraph, "nodeCount" | "from" | "to" | "kinds">): RelationGraph {
  const { nodeCount, from, to, kinds } = relations;
  const inOrder = (nodes: Uint32Array, ends: Uint32Array): Grouped => {
    const groups = nodes.map((node, number) => node * EDGES.length + (kinds[number] ?? 0));
    const groupCount = nodeCount * EDGES.length;
    const grouped = byGroup(groups, groupCount);
    for (let group = 0; group < groupCount; group++) {
      const own = membersOf(grouped, group);
      if (own.length > 1) own.sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
    }
    return grouped;
  };
  return { ...relations, stated: inOrder(from, to), met: inOrder(to, from) };
}

/** The nodes that a node names by a relation, in order. */
function namedBy({ stated, to }: RelationGraph, node: number, relation: Edge): Uint32Array {
  return relationsOf(stated, node, relation).map((number) => to[number] ?? 0);
}

function relationsOf(relations: Grouped, node: number, relation: Edge): Uint32Array {
  return membersOf(relations, node * EDGES.length + EDGES.indexOf(relation));
}

/** The nodes that name a node by a relation. */
function namers({ met, from }: RelationGraph, node: number, relation: Edge): Uint32Array {
  return relationsOf(met, node, relation).map((number) => from[number] ?? 0);
}

/** Whether node `by` names `node` by the relation. */
export function isNamed({ stated, to }: RelationGraph, node: number, [by, relation]: [number, Relation]): boolean {
  const own = relationsOf(stated, by, relation);
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((to[own[middle] ?? 0] ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low < own.length && to[own[low] ?? 0] === node;
}

/**
 * Whether `other` is above `node` at any distance, whichever side states it (SKOS S22, S24, S25),
 * and by relations or matches (S41, S43).
 */
export function isAbove(graph: RelationGraph, node: number, other: number): boolean {
  const seen = new Set([node]);
  for (const one of seen) {
    const above = [
      ...namedBy(graph, one, "broader"),
      ...namedBy(graph, one, "broadMatch"),
      ...namers(graph, one, "narrower"),
      ...namers(graph, one, "narrowMatch"),
    ];
    for (const next of above) {
      if (next === other) return true;
      seen.add(next);
    }
  }
  return false;
}

/**
 * For each node the lowest one that exact matches make the same: they hold in both directions and
 * lead on (SKOS S44, S45).
 */
export function sameByMatch({ nodeCount, from, to, kinds }: RelationGraph): Uint32Array {
  const same = new Uint32Array(nodeCount).map((_, node) => node);
  const lowest = (node: number): number => {
    let low = node;
    while (same[low] !== low) low = same[low] = same[same[low] ?? 0] ?? 0;
    return low;
  };
  const exact = EDGES.indexOf("exactMatch");
  kinds.forEach((kind, edge) => {
    if (kind !== exact) return;
    const [a, b] = [lowest(from[edge] ?? 0), lowest(to[edge] ?? 0)];
    same[Math.max(a, b)] = Math.min(a, b);
  });
  return same.map((_, node) => lowest(node));
}

/**
 * Nodes that are above themselves by broader: the strongly connected components with more than one
 * node, or with one node that names itself.
 */
export function rings(graph: RelationGraph): number[][] {
  const found: number[][] = [];
  // Tarjan's algorithm without recursion. Indexes begin at 1; 0 means not visited.
  const [index, low] = [new Uint32Array(graph.nodeCount), new Uint32Array(graph.nodeCount)];
  const open: number[] = [];
  const isOpen = new Uint8Array(graph.nodeCount);
  let count = 0;
  for (let root = 0; root < graph.nodeCount; root++) {
    if (index[root] !== 0) continue;
    const path: { readonly node: number; readonly broader: Uint32Array; next: number }[] = [];
    const enter = (node: number): void => {
      index[node] = low[node] = ++count;
      open.push(node);
      isOpen[node] = 1;
      path.push({ node, broader: namedBy(graph, node, "broader"), next: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node, broader } = step;
      const next = broader[step.next++];
      if (next === undefined) {
        path.pop();
        const above = path.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[node] ?? 0);
        if (low[node] !== index[node]) continue;
        const part = open.splice(open.lastIndexOf(node));
        for (const one of part) isOpen[one] = 0;
        if (part.length > 1 || broader.includes(node)) found.push(part);
      } else if (index[next] === 0) enter(next);
      else if (isOpen[next] === 1) low[node] = Math.min(low[node] ?? 0, index[next] ?? 0);
    }
  }
  return found;
}
