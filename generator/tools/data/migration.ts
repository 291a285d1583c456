/**
 * The table of retired codes that a data set holds, with the code that each leads to: for a person
 * who reads and applies it. Chains of successors are followed to a published code; a chain that
 * ends before, or comes back to itself, has no successor and says so.
 */
import { formatRows } from "../../text/delimited.ts";
import { guardFormula } from "../../text/formula.ts";
import type { Judge } from "./judge.ts";

export class Migration {
  readonly #judge: Judge;
  /** Rows by code; only codes that were published once, so that the registry bounds it. */
  readonly #rows = new Map<string, number>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  see({ code }: { readonly code: string }): void {
    if (!this.#judge.past.retired.has(code) || this.#judge.isPublished(code)) return;
    this.#rows.set(code, (this.#rows.get(code) ?? 0) + 1);
  }

  /** CSV with a line for each code, in the order in which the data has them. */
  *table(): Generator<string, void> {
    yield formatRows([["code", "successor", "via", "rows", "reason", "note"]]);
    for (const [code, rows] of this.#rows) {
      const { successor, via, note } = this.#follow(code);
      const reason = this.#judge.past.retired.get(code)?.reason ?? "";
      yield formatRows([[code, successor, via.join(" "), String(rows), guardFormula(reason), note]]);
    }
  }

  #follow(code: string): { readonly successor: string; readonly via: readonly string[]; readonly note: string } {
    const via: string[] = [];
    for (let at = code; ;) {
      const next = this.#judge.past.retired.get(at)?.replacedBy;
      if (next === undefined || next === null) return { successor: "", via, note: `${at} has no successor` };
      if (this.#judge.isPublished(next)) return { successor: next, via, note: "" };
      if (next === code || via.includes(next)) return { successor: "", via, note: `a cycle: ${next} leads to itself` };
      if (!this.#judge.past.retired.has(next))
        return { successor: "", via, note: `${next} is neither published nor retired` };
      via.push((at = next));
    }
  }
}
