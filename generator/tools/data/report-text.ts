/** The report for people: counts by verdict, then the first rows of each and what to do. */
import { nameOfInput } from "../../commands/stream-table.ts";
import { countOf } from "../../effects/print.ts";
import { quote } from "../../text/printable.ts";
import type { DataRow } from "./records.ts";
import { type Counts, isFine, type Report, type Subject } from "./report.ts";
import { type Judgement, sentenceOf, type Verdict, VERDICT_NAMES, VERDICTS } from "./verdicts.ts";

/** How many rows of a verdict are shown. */
export const SHOWN = 20;

export class TextReport implements Report {
  readonly #subject: Subject;
  readonly #first = new Map<Verdict, string[]>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  begin(): string {
    return "";
  }

  row(row: DataRow, judgement: Judgement): string {
    const { verdict } = judgement;
    if (isFine(verdict, this.#subject)) return "";
    const first = this.#first.get(verdict) ?? [];
    this.#first.set(verdict, first);
    if (first.length < SHOWN) first.push(`  line ${row.line}: ${sentenceOf(judgement, row)}\n`);
    return "";
  }

  end(counts: Counts): string {
    const { file, registryVersion, allowed } = this.#subject;
    const total = VERDICT_NAMES.reduce((sum, verdict) => sum + counts[verdict], 0);
    const found = VERDICT_NAMES.filter((verdict) => counts[verdict] > 0);
    const from = file === undefined ? nameOfInput("-") : quote(file);
    const lines = found.map((verdict) => {
      const note = allowed.has(verdict) ? ", allowed" : "";
      return `  ${verdict}: ${counts[verdict]}${note}\n`;
    });
    const parts = found.flatMap((verdict) => {
      const first = this.#first.get(verdict);
      if (first === undefined) return [];
      const more = counts[verdict] - first.length;
      const rest = more > 0 ? `  … and ${more} more (--report csv, ndjson or sarif has all)\n` : "";
      return `\n${verdict}: ${VERDICTS[verdict].title}\n${first.join("")}${rest}  ${VERDICTS[verdict].remedy}\n`;
    });
    return `${countOf(total, "row")} of ${from} against registry ${registryVersion}\n${lines.join("")}${parts.join("")}`;
  }
}
