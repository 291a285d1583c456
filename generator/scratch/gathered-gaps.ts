/**
 * Gaps of several files, added up by expression, language and reason. They may be more than memory
 * holds: they are sorted in scratch files, and what is held at once grows only with the number of
 * files.
 */
import type { AbstentionReason } from "../../runtime/contract/resolution.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { formatGap, type Gap } from "../text/gap.ts";
import { compareCodePoints } from "../text/order.ts";
import { SortedRecords } from "./sorted-records.ts";

/** An expression in a language. */
export interface GatheredGap {
  readonly expression: string;
  readonly language: string | null;
  /** How many of the files have it. */
  readonly sources: number;
  /** Of all reasons. */
  readonly count: number;
  /** One for each reason, in their order. */
  readonly gaps: readonly Gap[];
}

/** What is stored of a gap; the key has the rest. */
type Stored = readonly [reason: AbstentionReason, count: number, day: string, source: number];

export class GatheredGaps implements Iterable<GatheredGap> {
  readonly #records: SortedRecords;

  constructor(budget: MemoryBudget) {
    this.#records = new SortedRecords(budget);
  }

  /** `source` is the number of the file. */
  add({ expression, language, reason, count, day }: Gap, source: number): void {
    const stored: Stored = [reason, count, day, source];
    this.#records.addText(JSON.stringify([expression, language]), JSON.stringify(stored));
  }

  /** In the order of their expressions and languages as JSON. */
  *[Symbol.iterator](): Generator<GatheredGap, void> {
    let gathering: Gathering | undefined;
    for (const { key, head } of this.#records) {
      if (gathering?.key !== key) {
        if (gathering !== undefined) yield gathering.whole();
        gathering = new Gathering(key);
      }
      gathering.add(JSON.parse(decoder.decode(head)) as Stored);
    }
    if (gathering !== undefined) yield gathering.whole();
  }
}

/** The lines of a gaps file. */
export function* gapLines(gathered: Iterable<GatheredGap>): Generator<string, void> {
  for (const { gaps } of gathered) for (const gap of gaps) yield formatGap(gap);
}

class Gathering {
  readonly key: string;
  readonly #sources = new Set<number>();
  readonly #byReason = new Map<AbstentionReason, { count: number; day: string }>();

  constructor(key: string) {
    this.key = key;
  }

  add([reason, count, day, source]: Stored): void {
    this.#sources.add(source);
    const known = this.#byReason.get(reason);
    this.#byReason.set(reason, {
      count: sumOf(known?.count ?? 0, count),
      day: known === undefined || day > known.day ? day : known.day,
    });
  }

  whole(): GatheredGap {
    const [expression, language] = JSON.parse(this.key) as [string, string | null];
    const gaps = [...this.#byReason]
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([reason, { count, day }]) => ({ expression, language, reason, count, day }));
    const count = gaps.reduce((sum, gap) => sumOf(sum, gap.count), 0);
    return { expression, language, sources: this.#sources.size, count, gaps };
  }
}

/** More than that is not counted. */
function sumOf(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

const decoder = new TextDecoder();
