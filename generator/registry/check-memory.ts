/**
 * The rule that a code stays what it was: every code that a release gave is still in the registry
 * or retired, and none that is retired or was removed is used again.
 */
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords, textsByKey } from "../scratch/sorted-records.ts";
import { errorAt, type Finding, type Location, locationOf } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { type CodeState, type Memory, stateOf } from "./memory.ts";
import { type Located, RETIRED_FILE } from "./read.ts";
import type { ConceptRecord, RetiredRecord } from "./record.ts";

/** A code as the memory has it, or the concept that has it now. */
type Mention = { readonly was: CodeState } | { readonly place: Location } | { readonly isRetired: true };

/** Must see every concept once. */
export class MemoryRules {
  readonly #memory: Memory | undefined;
  readonly #byCode: SortedRecords;

  constructor(memory: Memory | undefined, retired: RetiredRecord, budget: MemoryBudget) {
    this.#memory = memory;
    this.#byCode = new SortedRecords(budget);
    if (memory === undefined) return;
    for (const line of memory.codes) this.#add(line.code, { was: stateOf(line) });
    for (const { code } of retired) this.#add(code, { isRetired: true });
  }

  add(concept: Located<ConceptRecord>): void {
    if (this.#memory !== undefined) this.#add(concept.record.code, { place: locationOf(concept) });
  }

  /** Call it after every concept was added. */
  *findings(): Generator<Finding, void> {
    for (const { key, texts } of textsByKey(this.#byCode)) {
      const mentions = texts.map((text) => JSON.parse(text) as Mention);
      const was = mentions.flatMap((mention) => ("was" in mention ? mention.was : []))[0];
      if (was === undefined) continue;
      const isRetired = mentions.some((mention) => "isRetired" in mention);
      const [place] = mentions.flatMap((mention) => ("place" in mention ? mention.place : []));
      yield* this.#judge({ code: key, was, isRetired, place });
    }
  }

  #judge({ code, was, isRetired, place }: Judged): Finding[] {
    if (isRetired) return [];
    const version = this.#memory?.release.registryVersion ?? "";
    if (was === "retired") {
      const text = `${quote(code)} is retired in ${version} and is no longer listed`;
      const remedy = "Restore its entry: a retired code is never used again, so its concept needs another one";
      return [errorAt({ file: RETIRED_FILE }, "", { rule: "retired-gone", text, remedy })];
    }
    if (was === "removed") {
      if (place === undefined) return [];
      const text = `${quote(code)} was given before ${version} and removed`;
      return [errorAt(place, "/code", { rule: "code-reused", text, remedy: "Give the concept a new code" })];
    }
    if (was === "waiting" || place !== undefined) return [];
    const text = `${quote(code)} was published ${was === "published" ? "in" : "before"} ${version} and is neither in the registry nor retired`;
    const remedy = "Restore the concept, or list its code in retired.yaml";
    return [errorAt({ file: RETIRED_FILE }, "", { rule: "concept-gone", text, remedy })];
  }

  #add(code: string, mention: Mention): void {
    this.#byCode.addText(code, JSON.stringify(mention));
  }
}

interface Judged {
  readonly code: string;
  readonly was: CodeState;
  readonly isRetired: boolean;
  readonly place: Location | undefined;
}
