/**
 * The sections of the index in which keys and words are looked up. They are made from the heads of
 * the concepts alone, and take half of the time of an index. If memory does not hold the heads, a
 * thread makes them (lookup-thread.ts) while documents and bundle are written. The bytes are the
 * same.
 */
import type { Effects, Scratch } from "../effects/effects.ts";
import { Spool } from "../effects/spool.ts";
import type { Thread } from "../effects/thread.ts";
import type { ConceptHeads, Concepts } from "../registry/concepts.ts";
import { type KeyPages, type PagesEnd, planKeyPages } from "./key-pages.ts";
import { type BlockStarts, wordBlocks } from "./words.ts";

export interface LookupSections extends KeyPages {
  words(): Generator<Uint8Array, BlockStarts>;
}

/** Each section is made while it is read. */
export function lookupSections(concepts: Concepts): LookupSections {
  return { ...planKeyPages(concepts), words: () => wordBlocks(concepts) };
}

/** The input of the thread: `words` and `pages` are open scratch files to write. */
export interface LookupTask {
  readonly heads: ConceptHeads;
  readonly memoryBytes: number;
  readonly words: number;
  readonly pages: number;
}

/** The answer of the thread: for each section, its length and what its generator returned. */
export interface LookupAnswer extends Omit<KeyPages, "pages"> {
  readonly words: Written<BlockStarts>;
  readonly pages: Written<PagesEnd>;
}

export interface Written<T> {
  readonly length: number;
  readonly value: T;
}

/** Sections that are being made; whoever began them must end them. */
export interface BegunLookups {
  readonly made: () => Promise<LookupSections>;
  readonly end: () => Promise<void>;
}

export function beginLookups(effects: Effects, concepts: Concepts): BegunLookups {
  const heads = concepts.shareHeads();
  const aside = heads && beginAside(effects, heads);
  return aside ?? { made: async () => lookupSections(concepts), end: async () => undefined };
}

/** Undefined if the system allows no more threads. */
function beginAside(effects: Effects, heads: ConceptHeads): BegunLookups | undefined {
  const [words, pages] = [effects.scratch(), effects.scratch()];
  const task = { heads, memoryBytes: effects.memoryBytes, words: words.descriptor, pages: pages.descriptor };
  let thread: Thread<LookupAnswer>;
  try {
    thread = effects.startThread(new URL("./lookup-thread.js", import.meta.url), task);
  } catch {
    return undefined;
  }
  return {
    end: thread.end,
    async made() {
      const made = await thread.answer;
      return { ...made, words: () => readBack(words, made.words), pages: () => readBack(pages, made.pages) };
    },
  };
}

function* readBack<T>(scratch: Scratch, { length, value }: Written<T>): Generator<Uint8Array, T> {
  yield* Spool.over(scratch, length).chunks();
  return value;
}
