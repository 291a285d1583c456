/**
 * Prints a comparison for people: in plain words, the most important first, long lists cut. Texts
 * of a release are quoted, so that nothing in them can forge a line, hide one, or control a
 * terminal.
 */
import { COMPATIBILITY_WORDS } from "../../contract/changes.ts";
import { countOf } from "../../effects/print.ts";
import { someOf, someOfEach } from "../../promise/change-list.ts";
import { formatResolutions, indented, more, plain, section, shown, SHOWN, VALUE_MAX } from "../../promise/report.ts";
import type { Comparison, ConceptChange, DocumentChange, JsonChange, Side } from "./comparison.ts";

/** How many lines of a document are shown. */
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
  yield `\nCompatibility: ${comparison.compatibility}, ${COMPATIBILITY_WORDS[comparison.compatibility]}`;
  yield verdictOf(comparison, ofAnswers);
}

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

function sideLine(name: string, { given, kind, registryVersion, concepts, expressions, origin }: Side): string {
  const count = expressions === null ? "unknown expressions" : countOf(expressions, "reviewed exact expression");
  const registry = `registry ${plain(registryVersion)}, ${countOf(concepts, "concept")}, ${count}`;
  return `${name}: ${plain(given)} (${kind}), ${registry}, origin ${origin === null ? "unknown" : plain(origin)}`;
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
