/**
 * Compares the documents of two releases: JSON by pointers, other text by lines, anything else by
 * its size. The content of a file decides which of these it is, not its name. A difference that
 * only follows from another change is counted.
 */
import { parseJson } from "../../runtime/text/json.ts";
import { BLOCKS_FILE, BUNDLE_FILE, INDEX_FILE, ROOT_FILE } from "../../runtime/release/manifest.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { DocumentChange, Line, LineChanges } from "./comparison.ts";
import { DERIVED } from "./facts.ts";
import { differingFiles, type Match, type ReleaseFile } from "./files.ts";
import { type Follow, NOTHING, originReplacer, Sizes } from "./follow.ts";
import { jsonChanges } from "./json-changes.ts";
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
  const changes = matches.map((match) => compareFile(matches, match, { origins, follow: sizes }));
  // A digest follows from another change; if there is no other, the digest is the change.
  const digestsAlone = changes.every(
    ({ only, path }) => only === "digests" || (only === "derived" && path !== INDEX_FILE),
  );
  return digestsAlone ? matches.map((match) => compareFile(matches, match, { origins, follow: NOTHING })) : changes;
}

/**
 * Files that only contain, count or list the concepts of the index: if the index differs, its own
 * differences are reported.
 */
const FROM_INDEX: ReadonlySet<string> = new Set([
  BLOCKS_FILE,
  BUNDLE_FILE,
  ROOT_FILE,
  paths.coverage.slice(1),
  `${paths.coveragePage.slice(1)}.html`,
]);

/** Differences that are not a document's own. */
interface Setting {
  readonly origins: Readonly<Record<"before" | "after", (text: string) => string>>;
  readonly follow: Follow;
}

function compareFile(matches: readonly Match[], { path, before, after }: Match, setting: Setting): DocumentChange {
  if (before === undefined) return { path, change: "added", follows: 0 };
  if (after === undefined) return { path, change: "removed", follows: 0 };
  const isDerived =
    DERIVED.has(path) ||
    matches.some((other) => other.path.startsWith(`${path}!/`) || (FROM_INDEX.has(path) && other.path === INDEX_FILE));
  if (isDerived) return { path, change: "changed", only: "derived", follows: 0 };
  return { path, change: "changed", ...compareContent([before, after], setting) };
}

type Content = Omit<DocumentChange, "path" | "change">;

function compareContent(files: readonly [ReleaseFile, ReleaseFile], { origins, follow }: Setting): Content {
  const [before, after] = [textOf(files[0]), textOf(files[1])];
  if (files[0].sha256 === files[1].sha256) return { only: "digests", follows: 1 };
  if (before === undefined || after === undefined)
    return { follows: 0, sizes: { before: files[0].bytes, after: files[1].bytes } };
  const texts = { before: origins.before(before), after: origins.after(after) };
  if (texts.before === texts.after) return { only: "origin", follows: 0 };
  return compareJson(texts, follow) ?? compareLines(texts, follow);
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
function compareJson(texts: Texts, follow: Follow): Content | undefined {
  const [before, after] = [valueOf(texts.before), valueOf(texts.after)];
  if (before === undefined || after === undefined) return undefined;
  const all = jsonChanges(before.value, after.value);
  if (all.length === 0) return { only: "bytes", follows: 0, changes: [] };
  const changes = all.filter((change) => !follow.explain(change));
  const follows = all.length - changes.length;
  return { ...(changes.length === 0 && { only: "digests" }), follows, changes };
}

/** One JSON value, or one on each line. */
function valueOf(text: string): { readonly value: unknown } | undefined {
  const json = parseJson(encoder.encode(text));
  if (json.ok) return json;
  const lines = text.split("\n").filter((line) => line !== "");
  const values = lines.map((line) => parseJson(encoder.encode(line)));
  return values.every((value) => value.ok) ? { value: values.map(({ value }) => value) } : undefined;
}

function compareLines(texts: Texts, follow: Follow): Content {
  const [before, after] = [texts.before.split("\n"), texts.after.split("\n")];
  const all = lineChanges(before, after);
  const own = lineChanges(
    before.map((line) => follow.mask(line, "before")),
    after.map((line) => follow.mask(line, "after")),
  );
  const follows = Math.max(all.added.length - own.added.length, all.removed.length - own.removed.length);
  if (own.added.length > 0 || own.removed.length > 0 || own.reordered) return { follows, lines: own };
  return { only: "digests", follows, lines: own };
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
