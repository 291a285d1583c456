/**
 * Merkle trees as in Certificate Transparency: the hashes of leaves and nodes, and the root of any
 * part of a tree, from its complete subtrees. Synchronous, for whoever builds a tree.
 * Source: RFC 6962 §2.1 (the same trees as RFC 9162 §2.1).
 */
import { hash } from "node:crypto";
import { splitOf } from "./paths.ts";
import { HASH_BYTES } from "./tile-reader.ts";

/** Writes the digest at a place. By way of a text, because Node makes that faster than a Buffer. */
export function putSha256(target: Buffer, at: number, bytes: Uint8Array | string): void {
  target.write(hash("sha256", bytes, "binary"), at, HASH_BYTES, "latin1");
}

/** The root of a tree without leaves: the hash of nothing (§2.1). */
export const EMPTY_ROOT: Uint8Array = hash("sha256", "", "buffer");

let leaf = Buffer.alloc(1 << 12, 0);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** §2.1: 0 goes before a leaf and 1 before a node, so that neither passes for the other. */
export function putLeafHash(target: Buffer, at: number, data: Uint8Array): void {
  if (data.length >= leaf.length) leaf = Buffer.alloc(2 * data.length, 0);
  leaf.set(data, 1);
  putSha256(target, at, leaf.subarray(0, data.length + 1));
}

/** Of two hashes that follow each other, at another place of the same bytes. */
export function putNodeHash(hashes: Buffer, at: number, from: number): void {
  hashes.copy(node, 1, from, from + 2 * HASH_BYTES);
  putSha256(hashes, at, node);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const hashes = Buffer.concat([left, right]);
  putNodeHash(hashes, 0, 0);
  return hashes.subarray(0, HASH_BYTES);
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
