/** How the concepts of a registry hang together, as numbers: there are millions. */
import { type Relation, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import { byGroup, type Grouped } from "./by-group.ts";

export interface RelationGraph {
  /** Concepts, and codes that no concept has. */
  readonly nodeCount: number;
  /** Of each relation the node that states it, the other one, and its kind as its place in RELATIONS. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly kinds: Uint8Array;
  /** The relations by the node that states them, and by the other one. */
  readonly stated: Grouped;
  readonly met: Grouped;
}

export function makeGraph(relations: Pick<RelationGraph, "nodeCount" | "from" | "to" | "kinds">): RelationGraph {
  const { nodeCount, from, to } = relations;
  return { ...relations, stated: byGroup(from, nodeCount), met: byGroup(to, nodeCount) };
}

/** What a node names by a relation. */
export function namedBy({ stated, kinds, to }: RelationGraph, node: number, relation: Relation): number[] {
  return nodesOf(stated, node, { kinds, relation, ends: to });
}

interface Wanted {
  readonly kinds: Uint8Array;
  readonly relation: Relation;
  readonly ends: Uint32Array;
}

function nodesOf({ numbers, starts }: Grouped, node: number, { kinds, relation, ends }: Wanted): number[] {
  const kind = RELATIONS.indexOf(relation);
  const found: number[] = [];
  for (const number of numbers.subarray(starts[node], starts[node + 1]))
    if (kinds[number] === kind) found.push(ends[number] ?? 0);
  return found;
}

/** Whether the other one is above the node, at any distance, by whichever side says so. */
export function isAbove(graph: RelationGraph, node: number, other: number): boolean {
  const { met, kinds, from } = graph;
  const above = (one: number): number[] => [
    ...namedBy(graph, one, "broader"),
    ...nodesOf(met, one, { kinds, relation: "narrower", ends: from }),
  ];
  const seen = new Set(above(node));
  for (const one of seen) for (const next of above(one)) seen.add(next);
  return seen.has(other);
}

/** Nodes that are above themselves by broader: the strongly connected parts of more than one, or of one that names itself. */
export function rings(graph: RelationGraph): number[][] {
  const found: number[][] = [];
  // By Tarjan, without recursion. Numbers from 1 on; 0 is not seen yet.
  const [index, low] = [new Uint32Array(graph.nodeCount), new Uint32Array(graph.nodeCount)];
  const open: number[] = [];
  const isOpen = new Uint8Array(graph.nodeCount);
  let count = 0;
  for (let root = 0; root < graph.nodeCount; root++) {
    if (index[root] !== 0) continue;
    const path: { readonly node: number; readonly broader: readonly number[]; next: number }[] = [];
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
