/**
 * The table of groups, a row for each. Texts of gaps come from anybody, so they are quoted: no text
 * can forge a row or reach the terminal as a command.
 */
import { quote, shortened } from "../../../text/printable.ts";
import type { GapGroup } from "./group.ts";
import { type FindNear, lackingOf, type NearConcept } from "./near.ts";

export const TABLE_HEAD = "count  files  expressions | reasons | near concepts and the languages that they lack";

export function rowOf(group: GapGroup, find: FindNear, languages: readonly string[]): string {
  const { count, sources, size, gaps } = group;
  const said = gaps.map(({ expression, language }) => `${quote(expression)} (${language ?? "no language"})`);
  const more = size > gaps.length ? [`${size - gaps.length} more`] : [];
  const reasons = new Set(gaps.flatMap((gap) => gap.gaps.map(({ reason }) => reason)));
  const near = find(gaps[0]?.expression ?? "").map((one) => nearWords(one, languages));
  const cells = [[...said, ...more].join(", "), [...reasons].join(", "), near.join("; ") || "none"];
  return `${String(count).padStart(5)}  ${String(sources).padStart(5)}  ${cells.join(" | ")}`;
}

function nearWords({ concept: { record }, expression, rule }: NearConcept, languages: readonly string[]): string {
  const lacking = lackingOf(languages, record);
  const how = rule === undefined ? "the same" : `${rule.name} ${rule.score}`;
  return (
    `${record.code} ${quote(record.name)} by ${quote(expression.expression)} (${how})` +
    (lacking.length === 0 ? "" : `, lacks ${shortened(lacking.join(" "))}`)
  );
}
