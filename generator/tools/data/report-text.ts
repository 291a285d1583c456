/** The report for people: counts by verdict, then the first rows of each and what to do. */
import { nameOfInput } from "../../commands/stream-table.ts";
import { countOf } from "../../effects/print.ts";
import { quote } from "../../text/printable.ts";
import type { DataRow } from "./records.ts";
import type { Counts, Report, Subject } from "./report.ts";
import type { Judgement } from "./scheme.ts";

/** How many rows of a verdict are shown. */
export const SHOWN = 20;

export class TextReport implements Report {
  readonly #subject: Subject;
  readonly #first = new Map<string, string[]>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  begin(): string {
    return "";
  }

  row(row: DataRow, judgement: Judgement): string {
    const { verdict } = judgement;
    const { scheme, allowed } = this.#subject;
    if (scheme.isFine(verdict, allowed)) return "";
    const first = this.#first.get(verdict) ?? [];
    this.#first.set(verdict, first);
    if (first.length < SHOWN) first.push(`  line ${row.line}: ${scheme.sentenceOf(judgement, row)}\n`);
    return "";
  }

  end(counts: Counts): string {
    const { file, registryVersion, allowed, scheme } = this.#subject;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const found = scheme.verdicts.filter((verdict) => counts.has(verdict));
    const from = file === undefined ? nameOfInput("-") : quote(file);
    const lines = found.map((verdict) => {
      const note = allowed.has(verdict) ? ", allowed" : "";
      return `  ${verdict}: ${counts.get(verdict)}${note}\n`;
    });
    const parts = found.flatMap((verdict) => {
      const first = this.#first.get(verdict);
      if (first === undefined) return [];
      const more = (counts.get(verdict) ?? 0) - first.length;
      const rest = more > 0 ? `  … and ${more} more (--report csv, ndjson or sarif has all)\n` : "";
      const { title, remedy } = scheme.meaningOf(verdict);
      return `\n${verdict}: ${title}\n${first.join("")}${rest}  ${remedy}\n`;
    });
    return `${countOf(total, "row")} of ${from} against registry ${registryVersion}\n${lines.join("")}${parts.join("")}`;
  }
}
