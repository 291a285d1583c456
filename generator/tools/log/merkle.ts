/**
 * Merkle trees as in Certificate Transparency: the hashes of leaves and nodes, and the root of any
 * part of a tree, from its complete subtrees. Synchronous, for whoever builds a tree.
 * Source: RFC 6962 §2.1 (the same trees as RFC 9162 §2.1).
 */
import { hash } from "node:crypto";
import { splitOf } from "./paths.ts";

/** By way of a text, because Node makes that faster than a Buffer: half the time of a tree. */
export function sha256(bytes: Uint8Array | string): Buffer {
  return Buffer.from(hash("sha256", bytes, "binary"), "latin1");
}

/** The root of a tree without leaves: the hash of nothing (§2.1). */
export const EMPTY_ROOT: Uint8Array = sha256("");

const node = Buffer.alloc(65, 1);

/** §2.1: 0 goes before a leaf and 1 before a node, so that neither passes for the other. */
export function leafHash(data: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(data.length + 1);
  prefixed[0] = 0;
  prefixed.set(data, 1);
  return sha256(prefixed);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 33);
  return sha256(node);
}

/** The hash of the complete subtree over the leaves from `index * 2**height`. */
export type Subtrees = (height: number, index: number) => Uint8Array;

/** MTH(D[start:end]); `start` is a multiple of the smallest power of two that holds the range. */
export function rangeRoot(subtrees: Subtrees, start: number, end: number): Uint8Array {
  const count = end - start;
  if (count === 0) return EMPTY_ROOT;
  const half = splitOf(count);
  if (half === 0) return subtrees(0, start);
  if (half * 2 === count) return subtrees(Math.log2(count), start / count);
  return nodeHash(rangeRoot(subtrees, start, start + half), rangeRoot(subtrees, start + half, end));
}
