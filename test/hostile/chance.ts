/** Random choices from a seed, the time of each part, and where sums are printed. */
import { numbers } from "../support/random.ts";

export const SEED = Number(process.env["HOSTILE_SEED"] ?? 1);
const SECONDS = Number(process.env["HOSTILE_SECONDS"] ?? 600);
/** Whether there is time for what takes a minute and shows little more. */
export const IS_LONG = SECONDS >= 300;
/** What the service may hold after any number of hostile requests. */
export const MEMORY_MAX_MB = 220;

/** As the unit and the image start the service. */
export const AS_DEPLOYED = { NODE_OPTIONS: process.env["NODE_OPTIONS"] ?? "--max-semi-space-size=4" };

/** A list with weights: `[3, "a"]` is drawn three times as often as `[1, "b"]`. */
export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

export class Chance {
  /** At least 0, less than 1. */
  readonly next: () => number;

  /** `turn` makes an independent sequence of the same seed. */
  constructor(turn: number, seed = SEED) {
    this.next = numbers(Math.imul(seed, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b));
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True once in `n` times. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  draw<T>(values: Weighted<T>): T {
    let left = this.next() * values.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of values) if ((left -= weight) < 0) return value;
    return (values.at(-1) as Weighted<T>[number])[1];
  }

  /** `min` to `max` times what `make` gives. */
  many<T>(min: number, max: number, make: () => T): T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, make);
  }
}

/** The time at which a part must end that may take this share of the run. */
export function deadline(share: number): number {
  return performance.now() + SECONDS * share * 1000;
}

/** The count for this run of what is done `whole` times in ten minutes; at least `least`. */
export function times(whole: number, least: number): number {
  return Math.max(least, Math.min(whole, Math.round((whole * SECONDS) / 600)));
}

/** Whether to go on until `end`: at least twice, or as often as HOSTILE_KILLS says. */
export function goesOn(done: number, end: number): boolean {
  const { HOSTILE_KILLS: asked } = process.env;
  return asked ? done < Number(asked) : done < 2 || performance.now() < end;
}

/** One line of the table that a run gives. */
export function report(what: string, sums: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(sums).map(([name, sum]) => `${name} ${sum}`);
  process.stdout.write(`hostile | ${what} | ${text.join(", ")}\n`);
}
