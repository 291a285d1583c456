/**
 * A comparison as Markdown (CommonMark), for the comment on a pull request: what matters most first, changes that are the
 * same in many places once. Texts of a release are in code spans, so that none of them is read as Markdown or HTML.
 */
import { groupBy } from "../../runtime/text/group-by.ts";
import { countOf } from "../effects/print.ts";
import { printableJson } from "../text/printable.ts";
import type { Comparison, ConceptChange, DocumentChange, JsonChange, ResolutionChange } from "./comparison.ts";
import { type Folded, foldChanges } from "./fold.ts";

/** A comment may have 65,536 characters, so lists and values are cut. */
const SHOWN = 20;
const CHANGES_SHOWN = 5;
const VALUE_MAX = 100;

export function* formatMarkdown(comparison: Comparison): Generator<string, void> {
  const { a, b, warnings, resolutions, concepts, documents } = comparison;
  yield `## Registry ${code(a.registryVersion)} → ${code(b.registryVersion)}`;
  yield `\n${verdictOf(comparison)}`;
  for (const warning of warnings) yield `\n> Warning: ${code(warning)}`;
  const ofKind = (kind: ResolutionChange["kind"]): string[] =>
    requestLines(resolutions.filter((change) => change.kind === kind));
  const ofConcepts = (change: ConceptChange["change"]): ConceptChange[] =>
    concepts.filter((concept) => concept.change === change);
  yield* section("Reassigned: lead to another code", ofKind("reassigned"));
  yield* section("Abstaining: resolved before", ofKind("now_abstains"));
  yield* section("New: abstained before", ofKind("now_resolves"));
  yield* section("Abstaining for another reason", ofKind("reason_changed"));
  yield* section("Concepts retired", ofConcepts("retired").map(conceptLine));
  yield* section("Concepts new", ofConcepts("added").map(conceptLine));
  yield* section("Concepts changed", foldedLines(foldConcepts(ofConcepts("changed")), "concept"));
  yield* section("Documents changed", documentLines(documents));
}

function verdictOf({ verdict, meaningful, resolutions, a, b }: Comparison): string {
  const counts = `${countOf(a.concepts, "concept")} → ${b.concepts}, ${countOf(a.expressions, "expression")} → ${b.expressions}.`;
  if (verdict === "same") return "**The same: every file, byte for byte.**";
  if (verdict === "reassigned") {
    const requests = countOf(resolutions.filter(({ kind }) => kind === "reassigned").length, "request");
    return `**The promise of stability is broken: ${requests} would get another code.** ${counts}`;
  }
  return meaningful
    ? `**Nothing is reassigned.** ${counts}`
    : "**Different in bytes alone: nothing that has a meaning differs.**";
}

function* section(title: string, lines: readonly string[]): Generator<string, void> {
  if (lines.length === 0) return;
  yield `\n### ${title} (${lines.length})\n`;
  for (const line of lines.slice(0, SHOWN)) yield `- ${line}`;
  if (lines.length > SHOWN) yield `- … and ${lines.length - SHOWN} more (\`--json\` lists all)`;
}

/** One line for an expression, with the languages in which its answer changes in the same way. */
function requestLines(changes: readonly ResolutionChange[]): string[] {
  const groups = groupBy(changes, ({ expression, before, after }) => JSON.stringify([expression, before, after]));
  return [...groups.values()].map((group) => {
    const [{ expression, before, after }] = group;
    const asked = group.map(({ language }) => (language === null ? "no language" : code(language))).join(", ");
    const [was, is] = [before, after].map((answer) => code("code" in answer ? answer.code : answer.reason));
    return `${value(expression)} (${asked}): ${was} → ${is}`;
  });
}

function conceptLine({ code: ofConcept, name }: ConceptChange): string {
  return `${code(ofConcept)} ${value(name)}`;
}

function foldConcepts(changed: readonly ConceptChange[]): Folded {
  return foldChanges(changed.map((concept) => ({ place: conceptLine(concept), changes: concept.changes })));
}

/** First what many places share, then what each has of its own. */
function foldedLines({ shared, own }: Folded, noun: string): string[] {
  return [
    ...shared.map(({ places, change, names }) => `in ${countOf(places.length, noun)}: ${changeText(change, names)}`),
    ...own.map(({ place, changes }) => {
      const some = changes.slice(0, CHANGES_SHOWN).map((change) => changeText(change, [change.pointer]));
      const more = changes.length > CHANGES_SHOWN ? [`… and ${changes.length - CHANGES_SHOWN} more`] : [];
      return `${place}${[...some, ...more].map((line) => `\n  - ${line}`).join("")}`;
    }),
  ];
}

function documentLines(documents: readonly DocumentChange[]): string[] {
  const own = documents.filter(({ change, only }) => change === "changed" && only === undefined);
  const json = own.flatMap(({ path, changes }) => (changes === undefined ? [] : [{ place: code(path), changes }]));
  const others = own.flatMap(({ path, lines, sizes }) => {
    if (sizes !== undefined) return [`${code(path)}: ${sizes.before} bytes → ${sizes.after} bytes`];
    if (lines === undefined) return [];
    const { added, removed, reordered } = lines;
    if (reordered) return [`${code(path)}: the same lines in another order`];
    return [`${code(path)}: ${countOf(added.length, "line")} added, ${removed.length} removed`];
  });
  const whole = documents.filter(({ change }) => change !== "changed");
  return [
    ...whole.map(({ path, change }) => `${code(path)}: ${change}`),
    ...foldedLines(foldChanges(json), "document"),
    ...others,
  ];
}

function changeText({ kind, of, ...values }: JsonChange, names: readonly string[]): string {
  const place = names.map((name) => code(name === "" ? "the whole" : name)).join(", ");
  const item = of === undefined ? "" : ` (${value(of)})`;
  const texts = (["before", "after"] as const).filter((name) => name in values).map((name) => value(values[name]));
  const shown = texts.length === 0 ? "" : `: ${texts.join(" → ")}`;
  return `${kind === "changed" ? "" : `${kind} `}${place}${item}${shown}`;
}

/** A value as JSON in a code span, so cut that the end says so. */
function value(of: unknown): string {
  const text = printableJson(of);
  return code(text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX).toWellFormed()}…` : text);
}

/** A code span holds anything between more backticks than it has in a row; a line in it would end a list. */
function code(text: string): string {
  const visible = printableJson(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = longest > 0 || visible.trim() !== visible || visible === "" ? " " : "";
  return `${fence}${padding}${visible}${padding}${fence}`;
}
