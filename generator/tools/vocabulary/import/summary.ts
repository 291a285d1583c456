/**
 * Summarizes an import for a person: counts, findings by rule and language, the concepts with the
 * most findings, and next steps.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { invocation } from "../../../effects/invocation.ts";
import { folderArgument } from "../../../text/shell.ts";
import { largestFirst } from "../../../text/order.ts";
import { countOf } from "../../../effects/print.ts";
import { tagOf } from "../../../registry/concept.ts";
import { isWaiting } from "./expressions.ts";
import type { ImportFinding } from "./import-finding.ts";
import type { Plan } from "./plan.ts";
import { REPAIRS } from "./settings.ts";

export interface SummaryInput {
  readonly from: readonly string[];
  readonly into: string;
  readonly plan: Plan;
  /** The file with the full list, if one was written. */
  readonly findingsFile: string | undefined;
}

/** Lines without line ends. */
export function formatSummary({ from, into, plan, findingsFile }: SummaryInput): string[] {
  const { counts, findings, after, languages, leftOut } = plan;
  const { added, changed, unchanged, retired, gone } = counts;
  const expressions = after.concepts.flatMap(({ record }) => record.expressions);
  const waiting = expressions.filter(isWaiting).length;
  const reviewed = expressions.filter(({ reviewStatus }) => reviewStatus === REVIEWED).length;
  const isGone = gone === 0 ? "" : `, ${gone} of them because the source no longer has them`;
  const left = Object.entries(leftOut);
  return [
    `${from.join(", ")} into ${into}`,
    `  concepts: ${added} new, ${changed} changed, ${unchanged} unchanged; ${countOf(retired, "code")} newly retired${isGone}`,
    `  the registry now: ${countOf(after.concepts.length, "concept")}, ${countOf(after.retired.length, "retired code")}, ` +
      `${countOf(expressions.length, "expression")} in ${countOf(new Set(expressions.map(tagOf)).size, "language")}: ` +
      `${reviewed} reviewed, ${waiting} waiting for review`,
    ...(languages.length === 0
      ? []
      : [`  only in ${languages.join(", ")}: what the registry has in other languages stays`]),
    ...left.filter(([, number]) => number !== 0).map(([what, number]) => `  not taken: ${number} ${what}`),
    ...formatFindings(findings, findingsFile),
    ...nextSteps(into, waiting, plan),
  ];
}

function formatFindings(findings: readonly ImportFinding[], file: string | undefined): string[] {
  if (findings.length === 0) return ["No findings"];
  const where = file === undefined ? "--findings FILE writes them all" : `all of them are in ${file}`;
  return [
    `${countOf(findings.length, "finding")} (${where})`,
    ...table(byRule(findings)),
    ...repairable(findings),
    ...worst(findings),
  ];
}

/** The repairs that `--fix` would make, in the order in which they are written. */
function repairable(findings: readonly ImportFinding[]): string[] {
  const fixable = findings.filter(({ repairedBy }) => repairedBy !== undefined);
  if (fixable.length === 0) return [];
  const kinds = REPAIRS.filter((kind) => fixable.some(({ repairedBy }) => repairedBy === kind));
  const rules = groupBy(fixable, ({ rule }) => rule);
  return [`  import again with --fix ${kinds.join(",")} to repair ${fixable.length} of them: ${most(rules, SHOWN)}`];
}

/** Rule, outcome, number, and the most frequent languages. */
function byRule(findings: readonly ImportFinding[]): string[][] {
  const groups = groupBy(findings, ({ rule, outcome }) => `${rule}\n${outcome}`);
  return largestFirst(groups).map(([key, group]) => {
    const [rule = "", outcome = ""] = key.split("\n");
    const languages = groupBy(group, ({ language }) => language ?? "");
    languages.delete("");
    return [rule, outcome, String(group.length), most(languages, SHOWN)];
  });
}

function worst(findings: readonly ImportFinding[]): string[] {
  const named = findings.filter(({ concept }) => concept !== null);
  const groups = [...groupBy(named, ({ concept }) => concept ?? "")].filter(([, group]) => group.length > 1);
  return groups.length === 0 ? [] : [`  most findings: ${most(groups, WORST)}`];
}

function nextSteps(into: string, waiting: number, { after }: Plan): string[] {
  const registry = folderArgument("registry", into);
  const steps = [];
  if (waiting > 0) {
    steps.push(invocation("review", `${registry} --list`));
    steps.push(invocation("review", `${registry} --accept --as ROLE --on DATE`));
  }
  const isReleased = after.history.some(({ registryVersion }) => registryVersion === after.registry.registryVersion);
  // Accepting expressions raises the version.
  if (!isReleased || waiting > 0) steps.push(invocation("release-registry", `${registry} --version YYYY.MM.N`));
  steps.push(invocation("start", registry));
  return ["Next:", ...steps.map((step) => `  ${step}`)];
}

const SHOWN = 6;
const WORST = 5;

/** The largest groups with their sizes, and how many more there are. */
function most(groups: Iterable<readonly [string, readonly unknown[]]>, shown: number): string {
  const sizes = largestFirst(groups).map(([name, group]) => `${name} ${group.length}`);
  const more = sizes.length > shown ? `, ${sizes.length - shown} more` : "";
  return sizes.slice(0, shown).join(", ") + more;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([rule = "", outcome = "", number = "", languages = ""]) => {
    const [a = 0, b = 0, c = 0] = widths;
    return `  ${rule.padEnd(a)}  ${outcome.padEnd(b)}  ${number.padStart(c)}  ${languages}`.trimEnd();
  });
}
