/**
 * Compares the documents of two releases: JSON by pointers, other text by lines, anything else by
 * its size. The content of a file decides which of these it is, not its name. A difference that
 * only follows from another change is counted.
 */
import { parseJson } from "../../../runtime/text/json.ts";
import { BLOCKS_FILE, INDEX_FILE, ROOT_FILE } from "../../../runtime/contract/files.ts";
import type { DocumentChange, JsonChange, Line, LineChanges } from "./comparison.ts";
import { DERIVED } from "./facts.ts";
import { differingFiles, type Match, type ReleaseFile } from "./files.ts";
import { type Follow, originReplacer, Sizes } from "./follow.ts";
import { jsonChanges } from "./json-changes.ts";
import { Quotes } from "./quotes.ts";
import type { Snapshot } from "./snapshot.ts";

/** A larger file is not a document. */
const DOCUMENT_MAX_BYTES = 64 * 1024 * 1024;

export async function compareDocuments(a: Snapshot, b: Snapshot): Promise<DocumentChange[]> {
  const matches = await differingFiles(a, b);
  const sizes = new Sizes();
  for (const { before, after } of matches) {
    if (before !== undefined && after !== undefined) sizes.add(before.bytes, after.bytes);
  }
  const origins = { before: originReplacer(a.side.origin), after: originReplacer(b.side.origin) };
  const isIndexed = matches.some(({ path }) => path === INDEX_FILE);
  const follows: Setting["follows"] = [
    ["digests", sizes],
    ...(isIndexed ? [["concepts", new Quotes(sizes, [a, b])] as const] : []),
  ];
  const changes = matches.map((match) => compareFile(matches, match, { origins, isIndexed, follows }));
  // A digest follows from another change; if there is no other, the digest is the change.
  const digestsAlone = changes.every(
    ({ only, path }) => only === "digests" || (only === "derived" && path !== INDEX_FILE),
  );
  if (!digestsAlone) return changes;
  return matches.map((match) => compareFile(matches, match, { origins, isIndexed, follows: [] }));
}

/** Files that only arrange the index in another way. */
const FROM_INDEX: ReadonlySet<string> = new Set([BLOCKS_FILE, ROOT_FILE]);

/**
 * Documents that contain, count or list the concepts, also those that only one release has: their
 * differences are reported as those of the concepts. What people decided about codes and versions
 * is not: see the two exceptions.
 */
const OF_CONCEPTS = /^(?:registry\/(?!(?:retired|history)\.json$).+|(?:coverage|changes)\.html|sitemap\.xml)$/;

/** Differences that are not a document's own. */
interface Setting {
  readonly origins: Readonly<Record<"before" | "after", (text: string) => string>>;
  /** Whether the index differs. */
  readonly isIndexed: boolean;
  /** From narrow to wide: each also has what those before it have. */
  readonly follows: readonly (readonly [only: "digests" | "concepts", follow: Follow])[];
}

function compareFile(matches: readonly Match[], { path, before, after }: Match, setting: Setting): DocumentChange {
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const isOfConcepts = setting.isIndexed && OF_CONCEPTS.test(path);
  if (before === undefined || after === undefined)
    return { path, change, ...(isOfConcepts && { only: "concepts" }), follows: 0 };
  const isDerived =
    DERIVED.has(path) ||
    (setting.isIndexed && FROM_INDEX.has(path)) ||
    matches.some((other) => other.path.startsWith(`${path}!/`));
  if (isDerived) return { path, change, only: "derived", follows: 0 };
  return { path, change, ...compareContent([before, after], setting, isOfConcepts) };
}

type Content = Omit<DocumentChange, "path" | "change">;

function compareContent(
  files: readonly [ReleaseFile, ReleaseFile],
  { origins, follows }: Setting,
  isOfConcepts: boolean,
): Content {
  const [before, after] = [textOf(files[0]), textOf(files[1])];
  if (files[0].sha256 === files[1].sha256) return { only: "digests", follows: 1 };
  const areTexts = before !== undefined && after !== undefined;
  const texts = areTexts ? { before: origins.before(before), after: origins.after(after) } : undefined;
  if (texts !== undefined && texts.before === texts.after) return { only: "origin", follows: 0 };
  if (isOfConcepts) return { only: "concepts", follows: 0 };
  if (texts === undefined) return { follows: 0, sizes: { before: files[0].bytes, after: files[1].bytes } };
  return compareJson(texts, follows) ?? compareLines(texts, follows);
}

/** Undefined if the file is not text, or too large. */
function textOf({ bytes, read }: ReleaseFile): string | undefined {
  if (bytes > DOCUMENT_MAX_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

type Texts = Readonly<Record<"before" | "after", string>>;

/** Undefined if either is not JSON. */
function compareJson(texts: Texts, follows: Setting["follows"]): Content | undefined {
  const [before, after] = [valueOf(texts.before), valueOf(texts.after)];
  if (before === undefined || after === undefined) return undefined;
  const all = jsonChanges(before.value, after.value);
  if (all.length === 0) return { only: "bytes", follows: 0, changes: [] };
  let changes: readonly JsonChange[] = all;
  for (const [only, follow] of follows) {
    changes = all.filter((change) => !follow.explain(change));
    // A list whose elements are known by a version or digest has other elements, in the same text.
    const isSame = changes.length === 0 || follow.mask(texts.before, "before") === follow.mask(texts.after, "after");
    if (isSame) return { only, follows: all.length, changes: [] };
  }
  return { follows: all.length - changes.length, changes };
}

/** One JSON value, or one on each line. */
function valueOf(text: string): { readonly value: unknown } | undefined {
  const json = parseJson(encoder.encode(text));
  if (json.ok) return json;
  const lines = text.split("\n").filter((line) => line !== "");
  const values = lines.map((line) => parseJson(encoder.encode(line)));
  return values.every((value) => value.ok) ? { value: values.map(({ value }) => value) } : undefined;
}

function compareLines(texts: Texts, follows: Setting["follows"]): Content {
  const [before, after] = [texts.before.split("\n"), texts.after.split("\n")];
  const all = lineChanges(before, after);
  let lines = all;
  for (const [only, follow] of follows) {
    lines = lineChanges(
      before.map((line) => follow.mask(line, "before")),
      after.map((line) => follow.mask(line, "after")),
    );
    const isSame = lines.added.length === 0 && lines.removed.length === 0 && !lines.reordered;
    if (isSame) return { only, follows: followsOf(all, lines), lines };
  }
  return { follows: followsOf(all, lines), lines };
}

/** How many changed lines only follow. */
function followsOf(all: LineChanges, own: LineChanges): number {
  return Math.max(all.added.length - own.added.length, all.removed.length - own.removed.length);
}

/**
 * Compares two texts by lines: those that one side has more often than the other. A line that only
 * moved is not a change.
 */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  const [removed, added] = [unmatched(before, after), unmatched(after, before)];
  const same = removed.length === 0 && added.length === 0;
  return { removed, added, reordered: same && before.some((line, i) => line !== after[i]) };
}

/** The lines of a text that have no partner in the other. */
function unmatched(lines: readonly string[], others: readonly string[]): Line[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.flatMap((text, i) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [{ line: i + 1, text }];
  });
}

const encoder = new TextEncoder();
