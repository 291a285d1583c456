/**
 * Prints a comparison as Markdown (CommonMark), for the comment on a pull request: the most
 * important first, and changes that are the same in many places once. Texts of a release are in
 * code spans, so that none of them is read as Markdown or HTML.
 */
import { groupBy } from "../../../runtime/text/group-by.ts";
import { countOf } from "../../effects/print.ts";
import { printableJson } from "../../text/printable.ts";
import { type Some, someOf, someOfEach } from "../../promise/change-list.ts";
import type { Comparison, ConceptChange, DocumentChange, JsonChange } from "./comparison.ts";
import { COMPATIBILITY_WORDS, type ResolutionChange } from "../../contract/changes.ts";
import { type Changed, foldChanges } from "./fold.ts";
import { ONLY_WORDS } from "./report.ts";

/** A comment may have 65,536 characters, so lists and values are cut. */
const SHOWN = 20;
const CHANGES_SHOWN = 5;
const VALUE_MAX = 100;

export function* formatMarkdown(comparison: Comparison): Generator<string, void> {
  const { a, b, warnings, resolutions, concepts, documents } = comparison;
  yield `## Registry ${code(a.registryVersion)} → ${code(b.registryVersion)}`;
  yield `\n${verdictOf(comparison)}`;
  yield `\nCompatibility: **${comparison.compatibility}**, ${COMPATIBILITY_WORDS[comparison.compatibility]}.`;
  for (const warning of warnings) yield `\n> Warning: ${code(warning)}`;
  const ofKind = someOfEach(requests(resolutions), ([{ kind }]) => kind, SHOWN);
  const ofConcepts = someOfEach(concepts, ({ change }) => change, SHOWN);
  yield* section("Reassigned: lead to another code", ofKind("reassigned"), requestLine);
  yield* section("Abstaining: resolved before", ofKind("now_abstains"), requestLine);
  yield* section("New: abstained before", ofKind("now_resolves"), requestLine);
  yield* section("Abstaining for another reason", ofKind("reason_changed"), requestLine);
  yield* section("Concepts retired", ofConcepts("retired"), conceptLine);
  yield* section("Concepts new", ofConcepts("added"), conceptLine);
  yield* section(
    "Concepts changed",
    someOf(foldedLines({ [Symbol.iterator]: () => changedOf(concepts) }, "concept"), SHOWN),
    String,
  );
  const ofDocuments = section("Documents changed", someOf(documentLines(documents), SHOWN), String);
  yield* resolutions.length + concepts.length > 0 ? closed(ofDocuments) : ofDocuments;
  yield* followingLine(documents);
}

/** Behind what matters more, a section is closed; its title, which is ours alone, opens it. */
function* closed(lines: Iterable<string>): Generator<string, void> {
  const [title, ...items] = lines;
  if (title === undefined) return;
  yield `\n<details><summary>${title.replaceAll(/[\n#]/g, "").trim()}</summary>\n`;
  yield* items;
  yield "\n</details>";
}

/** How many documents have no changes of their own, by what their differences follow from. */
function* followingLine(documents: readonly DocumentChange[]): Generator<string, void> {
  const following = someOfEach(documents, ({ only }): string | undefined => only, 0);
  const kinds = Object.entries(ONLY_WORDS).map(([only, words]) => [words, following(only).count] as const);
  const counted = kinds.filter(([, count]) => count > 0).map(([words, count]) => `${words.toLowerCase()}: ${count}`);
  if (counted.length > 0) yield `\nDocuments without changes of their own: ${counted.join("; ")}.`;
}

function verdictOf({ verdict, meaningful, resolutions, a, b }: Comparison): string {
  const counts = `${countOf(a.concepts, "concept")} → ${b.concepts}, reviewed exact expressions ${a.expressions ?? "unknown"} → ${b.expressions ?? "unknown"}.`;
  if (verdict === "same") return "**The same: every file, byte for byte.**";
  if (verdict === "reassigned") {
    const { count } = someOfEach(resolutions, ({ kind }) => kind, 0)("reassigned");
    return `**The promise of stability is broken: ${countOf(count, "request")} would get another code.** ${counts}`;
  }
  return meaningful
    ? `**Nothing is reassigned.** ${counts}`
    : "**Different only in bytes: nothing that has a meaning differs.**";
}

function* section<T>(title: string, { count, first }: Some<T>, line: (item: T) => string): Generator<string, void> {
  if (count === 0) return;
  yield `\n### ${title} (${count})\n`;
  for (const item of first) yield `- ${line(item)}`;
  if (count > SHOWN) yield `- … and ${count - SHOWN} more (\`--json\` lists all)`;
}

/** Requests for one expression, whose answer changes in the same way. */
type Requests = readonly [ResolutionChange, ...ResolutionChange[]];

function* requests(changes: Iterable<ResolutionChange>): Generator<Requests, void> {
  let own: ResolutionChange[] = [];
  const grouped = (): Iterable<Requests> =>
    groupBy(own, ({ before, after }) => JSON.stringify([before, after])).values();
  for (const change of changes) {
    const [first] = own;
    if (first !== undefined && (first.kind !== change.kind || first.expression !== change.expression)) {
      yield* grouped();
      own = [];
    }
    own.push(change);
  }
  yield* grouped();
}

function requestLine(group: Requests): string {
  const [{ expression, before, after }] = group;
  const asked = group.map(({ language }) => (language === null ? "no language" : code(language))).join(", ");
  const [was, is] = [before, after].map((answer) => code("code" in answer ? answer.code : answer.reason));
  return `${value(expression)} (${asked}): ${was} → ${is}`;
}

function conceptLine({ code: ofConcept, name }: ConceptChange): string {
  return `${code(ofConcept)} ${value(name)}`;
}

function* changedOf(concepts: Iterable<ConceptChange>): Generator<Changed, void> {
  for (const concept of concepts)
    if (concept.change === "changed") yield { place: conceptLine(concept), changes: concept.changes };
}

/** First the changes that several places share, then the others by place. */
function* foldedLines(changed: Iterable<Changed>, noun: string): Generator<string, void> {
  const { shared, own } = foldChanges(changed);
  for (const { places, change, names } of shared)
    yield `in ${countOf(places.size, noun)}: ${changeText(change, [...names])}`;
  for (const { place, changes } of own) {
    const some = changes.slice(0, CHANGES_SHOWN).map((change) => changeText(change, [change.pointer]));
    const more = changes.length > CHANGES_SHOWN ? [`… and ${changes.length - CHANGES_SHOWN} more`] : [];
    yield `${place}${[...some, ...more].map((line) => `\n  - ${line}`).join("")}`;
  }
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
  const whole = documents.filter(({ change, only }) => change !== "changed" && only === undefined);
  return [...whole.map(({ path, change }) => `${code(path)}: ${change}`), ...foldedLines(json, "document"), ...others];
}

function changeText({ kind, of, ...values }: JsonChange, names: readonly string[]): string {
  const place = names.map((name) => code(name === "" ? "the whole" : name)).join(", ");
  const item = of === undefined ? "" : ` (${value(of)})`;
  const texts = (["before", "after"] as const).filter((name) => name in values).map((name) => value(values[name]));
  const shown = texts.length === 0 ? "" : `: ${texts.join(" → ")}`;
  return `${kind === "changed" ? "" : `${kind} `}${place}${item}${shown}`;
}

/** A value as JSON in a code span; an ellipsis shows that it is cut. */
function value(of: unknown): string {
  const text = printableJson(of);
  return code(text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX).toWellFormed()}…` : text);
}

/**
 * A code span takes any text if its fence is longer than every run of backticks in it; a line break
 * would end the list.
 */
function code(text: string): string {
  const visible = printableJson(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = longest > 0 || visible.trim() !== visible || visible === "" ? " " : "";
  return `${fence}${padding}${visible}${padding}${fence}`;
}
