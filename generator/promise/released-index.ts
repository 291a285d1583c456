/** Answers for a release that is no longer there, from its memory. */
import { EXACT_STRENGTH, REVIEWED } from "../../runtime/contract/concept.ts";
import { memorySource } from "../../runtime/registry/byte-source.ts";
import { openIndex, type RegistryIndex } from "../../runtime/registry/index.ts";
import { compileIndex } from "../index/compile.ts";
import type { Concept } from "../registry/concept.ts";
import { Concepts } from "../registry/concepts.ts";
import type { ReleasedExpressions } from "../registry/memory.ts";
import type { PublishedRegistry } from "../registry/published-concept.ts";

/**
 * Returns an index that answers as the release's own did: the same code over the same expressions.
 */
export function releasedIndex(registryVersion: string, released: readonly ReleasedExpressions[]): RegistryIndex {
  const concepts = released.map((concept): Concept => ({
    code: concept.code,
    name: "",
    definition: "",
    domain: "",
    provenance: null,
    expressions: [...entries(concept.expressions, EXACT_STRENGTH), ...entries(concept.inexact ?? {}, 0)],
    renderings: [],
  }));
  return publishedIndex({ registryVersion, concepts: Concepts.of(concepts) });
}

/** Returns an index of these concepts, in memory; it holds no address and no near forms. */
export function publishedIndex(registry: Omit<PublishedRegistry["registry"], "nearForms">): RegistryIndex {
  return openIndex(memorySource(gathered(compileIndex({ registry: { ...registry, nearForms: false }, origin: "" }))));
}

const BLOCK_BYTES = 1 << 22;

/** Joins pieces: a large index has millions, so they are copied into a few blocks as they come. */
function gathered(chunks: Iterable<Uint8Array>): Uint8Array {
  const blocks: Buffer[] = [];
  let [block, used] = [Buffer.allocUnsafe(BLOCK_BYTES), 0];
  for (const chunk of chunks) {
    if (used + chunk.length > block.length) {
      blocks.push(block.subarray(0, used));
      [block, used] = [Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length)), 0];
    }
    block.set(chunk, used);
    used += chunk.length;
  }
  return Buffer.concat([...blocks, block.subarray(0, used)]);
}

/** A tag goes into `language`, even if it was a locale: the index does not distinguish them. */
function entries(byTag: Readonly<Record<string, readonly string[]>>, strength: number): Concept["expressions"] {
  return Object.entries(byTag).flatMap(([language, list]) =>
    list.map((expression) => ({
      language,
      locale: null,
      expression,
      type: "",
      equivalenceStrength: strength,
      reviewStatus: REVIEWED,
      provenance: null,
    })),
  );
}
