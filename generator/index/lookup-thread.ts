/** The thread that makes the sections of lookup-sections.ts for another one. */
import type { Scratch } from "../effects/effects.ts";
import { fileSystem, scratchOf } from "../effects/file-system.ts";
import { answerThread } from "../effects/thread.ts";
import { Concepts } from "../registry/concepts.ts";
import { type LookupAnswer, lookupSections, type LookupTask, type Written } from "./lookup-sections.ts";

answerThread(({ heads, memoryBytes, words, pages }: LookupTask): LookupAnswer => {
  const room = { memoryBytes, scratch: () => fileSystem.scratch() };
  const made = lookupSections(Concepts.ofHeads(room, heads, scratchOf(heads.bytes.descriptor)));
  const { seed, pageCount, languages, strengths } = made;
  return {
    seed,
    pageCount,
    languages,
    strengths,
    words: written(scratchOf(words), made.words()),
    pages: written(scratchOf(pages), made.pages()),
  };
});

function written<T>(scratch: Scratch, chunks: Generator<Uint8Array, T>): Written<T> {
  let length = 0;
  for (let step = chunks.next(); ; step = chunks.next()) {
    if (step.done === true) return { length, value: step.value };
    scratch.append(step.value);
    length += step.value.length;
  }
}
