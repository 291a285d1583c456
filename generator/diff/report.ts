/**
 * Prints a comparison for people: in plain words, the most important first, long lists cut. Texts
 * of a release are quoted, so that nothing in them can forge a line, hide one, or control a
 * terminal.
 */
import { RESOLUTION_KINDS, type ResolutionKind } from "../contract/changes.ts";
import { countOf } from "../effects/print.ts";
import { type Some, someOf, someOfEach } from "./change-list.ts";
import {
  type Comparison,
  type ConceptChange,
  type DocumentChange,
  type JsonChange,
  type ResolutionChange,
  type Side,
} from "./comparison.ts";
import { printableJson } from "../text/printable.ts";

/** How many items of a kind are shown, and how many characters of a value. */
const SHOWN = 20;
const VALUE_MAX = 160;
const LINES_SHOWN = 3;

export function* formatText(comparison: Comparison): Generator<string, void> {
  const { a, b, warnings, resolutions, concepts, documents, facts } = comparison;
  yield sideLine("A", a);
  yield sideLine("B", b);
  for (const warning of warnings) yield `Warning: ${warning}`;
  const ofAnswers = yield* formatResolutions(resolutions);
  const ofConcepts = someOfEach(concepts, ({ change }) => change, SHOWN);
  for (const change of ["retired", "added", "changed"] as const)
    yield* section(`Concepts ${change}`, ofConcepts(change), conceptLines);
  const ofDocuments = someOfEach(documents, ({ change, only }): string => only ?? change, SHOWN);
  for (const change of ["removed", "added"] as const)
    yield* section(`Documents ${change}`, ofDocuments(change), ({ path }) => [plain(path)]);
  yield* section("Documents changed", ofDocuments("changed"), documentLines);
  yield* section("Facts changed", someOf(facts, SHOWN), ({ file, ...change }) => [
    `${plain(file)} ${changeLine(change)}`,
  ]);
  for (const [only, words] of Object.entries(ONLY_WORDS)) {
    const { count, first } = ofDocuments(only);
    const paths = [...first.map(({ path }) => plain(path)), ...more(count, SHOWN)];
    if (count > 0) yield `${words}: ${count} (${paths.join(", ")})`;
  }
  yield `\n${verdictOf(comparison, ofAnswers)}`;
}

/** Returns the verdict on the answers of two releases that differ. */
export function* formatResolutions(resolutions: Iterable<ResolutionChange>): Generator<string, string> {
  const resolved = someOfEach(resolutions, ({ kind }) => kind, SHOWN);
  for (const kind of RESOLUTION_KINDS) yield* section(RESOLUTION_WORDS[kind], resolved(kind), resolutionLines);
  const { count } = resolved("reassigned");
  if (count > 0)
    return `Different, and ${count} ${count === 1 ? "resolution was" : "resolutions were"} reassigned to another code.`;
  const answers = resolved("now_abstains").count + resolved("now_resolves").count;
  return `Different; ${answers === 0 ? "every expression resolves as before" : "nothing was reassigned to another code"}.`;
}

const RESOLUTION_WORDS: Record<ResolutionKind, string> = {
  reassigned: "REASSIGNED: these resolve to another code, which breaks the promise of stability",
  now_abstains: "Resolved before and abstain now",
  now_resolves: "Abstained before and resolve now",
  reason_changed: "Abstain for another reason",
};

export const ONLY_WORDS: Record<NonNullable<DocumentChange["only"]>, string> = {
  digests: "Differ only in digests and sizes that follow from other changes",
  origin: "Differ only in the origin",
  bytes: "Differ only in bytes, not in meaning",
  concepts: "Follow from the concepts, the version and their counts",
  derived: "Differ because they are derived from the rest",
};

function verdictOf({ verdict, meaningful, a, b }: Comparison, ofAnswers: string): string {
  if (verdict === "same") return "The same: every file, byte for byte.";
  if (verdict === "reassigned") return ofAnswers;
  if (!meaningful) return "Different only in bytes: nothing that has a meaning differs.";
  const origin =
    a.origin === b.origin ? "" : " The origin differs; it is left out of everything above except the facts.";
  return ofAnswers + origin;
}

function sideLine(name: string, { given, kind, commit, registryVersion, concepts, expressions, origin }: Side): string {
  const what = commit === null ? kind : `${kind} ${commit}`;
  const count = expressions === null ? "unknown expressions" : countOf(expressions, "reviewed exact expression");
  const registry = `registry ${plain(registryVersion)}, ${countOf(concepts, "concept")}, ${count}`;
  return `${name}: ${plain(given)} (${what}), ${registry}, origin ${origin === null ? "unknown" : plain(origin)}`;
}

function* section<T>(title: string, { count, first }: Some<T>, lines: (item: T) => string[]): Generator<string, void> {
  if (count === 0) return;
  yield `\n${title}: ${count}`;
  for (const item of first) yield* indented(lines(item));
  yield* indented(more(count, SHOWN));
}

function resolutionLines({ expression, language, before, after }: ResolutionChange): string[] {
  const [was, is] = [before, after].map((answer) => ("code" in answer ? plain(answer.code) : answer.reason));
  return [`${shown(expression)} (${language === null ? "no language" : plain(language)}): ${was} → ${is}`];
}

function conceptLines({ code, name, changes }: ConceptChange): string[] {
  return [`${plain(code)} ${shown(name)}`, ...indented(cut(changes.map(changeLine)))];
}

function documentLines({ path, changes = [], lines, sizes, follows }: DocumentChange): string[] {
  const follow = follows === 0 ? "" : `; ${countOf(follows, "other")} ${follows === 1 ? "follows" : "follow"}`;
  if (sizes !== undefined) return [`${plain(path)}: ${sizes.before} bytes → ${sizes.after} bytes, not text`];
  if (lines === undefined) {
    return [`${plain(path)}: ${countOf(changes.length, "change")}${follow}`, ...indented(cut(changes.map(changeLine)))];
  }
  const { removed, added, reordered } = lines;
  if (reordered) return [`${plain(path)}: the same lines in another order${follow}`];
  const some = (sign: string, all: typeof added): string[] =>
    cut(
      all.map(({ line, text }) => `${sign} line ${line}: ${shown(text.trim())}`),
      LINES_SHOWN,
    );
  return [
    `${plain(path)}: ${countOf(added.length, "line")} added, ${removed.length} removed${follow}`,
    ...indented([...some("-", removed), ...some("+", added)]),
  ];
}

function changeLine({ pointer, kind, of, ...values }: JsonChange): string {
  const place = `${kind} ${pointer === "" ? "the whole" : plain(pointer)}${of === undefined ? "" : ` (${shown(of)})`}`;
  const from =
    typeof values.before === "string" && typeof values.after === "string" ? difference(values.before, values.after) : 0;
  const part = (value: unknown): string => (from > 0 ? `…${shown(String(value).slice(from))}` : shown(value));
  const texts = (["before", "after"] as const).filter((name) => name in values).map((name) => part(values[name]));
  return texts.length === 0 ? place : `${place}: ${texts.join(" → ")}`;
}

/**
 * Where to begin to show two texts so that their difference is visible; 0 if it is visible from the
 * beginning.
 */
function difference(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same < VALUE_MAX / 2 ? 0 : before.lastIndexOf(" ", same - VALUE_MAX / 4) + 1;
}

/** The first of many, and how many more there are. */
function cut(items: readonly string[], limit = SHOWN): string[] {
  return [...items.slice(0, limit), ...more(items.length, limit)];
}

function more(count: number, limit: number): string[] {
  return count > limit ? [`… and ${count - limit} more (--json lists all)`] : [];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** A name, quoted unless it consists of harmless characters. */
function plain(text: string): string {
  return /^[\w./:@!~^+=,{}[\]$-]+$/.test(text) ? text : shown(text);
}

/** A value as JSON; an ellipsis shows that it is cut. */
function shown(value: unknown): string {
  const text = printableJson(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
