/**
 * Changes YAML that people write, by the `yaml` library: comments, order and styles of what is not changed stay. A file in
 * the layout of the starter registry keeps every other byte; one in another layout is laid out like it the first time.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isScalar, isSeq, type Node, parseDocument, visit, type YAMLSeq } from "yaml";
import type { HistoryRecord, RetiredRecord } from "../../registry/record.ts";
import { UsageError } from "../../text/usage-error.ts";

/** A value at a place: names of members, positions of elements. Only its last member may be missing. */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** `{ a: b }` or `[a, b]`: whether flow collections have spaces inside their brackets. */
type Padding = "padded" | "tight";

export function withValues(text: string, edits: readonly Edit[], padding: Padding = "padded"): string {
  return edited(text, padding, (doc) => {
    expandAliases(doc);
    for (const { path, value } of edits) {
      const old = doc.getIn(path, true);
      // A scalar node that stays keeps its style and its comments.
      if (isScalar(old) && isPlain(value)) old.value = value;
      else doc.setIn(path, flowNode(doc, value));
    }
  });
}

/** `registry.yaml` with another registryVersion. */
export function withRegistryVersion(text: string, version: string): string {
  return withValues(text, [{ path: ["registryVersion"], value: version }], "tight");
}

/** Where a text is no more what was read and checked before. */
export const CHANGED = "A file of the registry was changed while this command read it: run it again";

/** `registry.yaml` that admits these languages too; in order where the list is in order, else at its end. */
export function withLanguages(text: string, languages: readonly string[]): string {
  const present = (valueOf(parse(text)) as { languages: string[] }).languages;
  const missing = [...new Set(languages)].filter((tag) => !present.includes(tag)).sort();
  if (missing.length === 0) return text;
  const isSorted = present.every((tag, i) => i === 0 || (present[i - 1] ?? "") <= tag);
  return edited(text, "tight", (doc) => {
    const list = doc.getIn(["languages"]) as YAMLSeq;
    for (const tag of missing) {
      const at = isSorted ? (list.toJSON() as string[]).findIndex((other) => other > tag) : -1;
      list.items.splice(at < 0 ? list.items.length : at, 0, doc.createNode(tag));
    }
  });
}

/** `retired.yaml` with these entries: those that are there stay where they are, new ones follow one a line. */
export function withRetired(text: string, records: RetiredRecord): string {
  const doc = parse(text);
  const before = (valueOf(doc) ?? []) as RetiredRecord;
  const missing = new Map(records.map((record) => [record.code, record]));
  const kept = before.map(({ code }) => {
    const record = missing.get(code);
    missing.delete(code);
    return record;
  });
  if (missing.size === 0 && isDeepStrictEqual(kept, before)) return text;
  return edited(text, "padded", (changed) => {
    const list = listOf(changed);
    list.flow = kept.length === 0 && missing.size === 0;
    for (const [i, record] of kept.entries()) if (record !== undefined) updateMembers(changed, i, record);
    // The comment above the first entry is that of the file.
    if (kept[0] === undefined && before.length > 0)
      changed.commentBefore ??= (list.items[0] as Node).commentBefore ?? null;
    list.items = list.items.filter((_item, i) => kept[i] !== undefined);
    for (const record of missing.values()) list.items.push(flowNode(changed, inOrder(record)));
  });
}

/** `history.yaml` with more entries at its end: where there are entries, what was there is the beginning of the result. */
export function withHistoryEntries(text: string, entries: HistoryRecord): string {
  const append = (doc: Document): void => {
    const list = listOf(doc);
    list.flow = false;
    for (const entry of entries) list.add(historyNode(doc, entry));
  };
  const doc = parse("[]");
  append(doc);
  const begin = /\[\s*\]\s*$/.test(text) ? text.replace(/\[\s*\]\s*$/, "") : text.replace(/(?<=[^\n])$/, "\n");
  const grown = begin + print(doc, text, "padded");
  const [was, is] = [parse(text), parseDocument(grown)].map((one) => (one.errors.length > 0 ? [] : valueOf(one)));
  if (isDeepStrictEqual(is, [...((was ?? []) as HistoryRecord), ...entries])) return grown;
  // A list in another layout cannot be gone on with as a text.
  return edited(text, "padded", append);
}

function historyNode(doc: Document, entry: HistoryRecord[number]): Node {
  const { registryVersion, contentSha256, releasedOn, acknowledgement, reassigned = [] } = entry;
  const moves = reassigned.map(({ expression, language, from, to }) =>
    flowNode(doc, { expression, language, from, to }),
  );
  return doc.createNode({
    registryVersion,
    contentSha256,
    ...(releasedOn !== undefined && { releasedOn }),
    ...(acknowledgement !== undefined && { acknowledgement }),
    ...(moves.length > 0 && { reassigned: moves }),
  });
}

/** The text after a change, which must say the same when it is read again. */
function edited(text: string, padding: Padding, change: (doc: Document) => void): string {
  const doc = parse(text);
  change(doc);
  const result = print(doc, text, padding);
  if (!isDeepStrictEqual(valueOf(parse(result)), valueOf(doc))) throw new Error("YAML that cannot be edited");
  return result;
}

function parse(text: string): Document {
  // The library takes the CR before some line ends into comments.
  const doc = parseDocument(text.replaceAll("\r\n", "\n"));
  if (doc.errors.length > 0) throw new UsageError(CHANGED);
  return doc;
}

/** An anchor may be referred to as often as people like: what it stands for is made once. */
function valueOf(doc: Document): unknown {
  return doc.toJS({ maxAliasCount: -1 });
}

function print(doc: Document, before: string, padding: Padding): string {
  const text = doc.toString({ lineWidth: 0, flowCollectionPadding: padding === "padded" });
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** A value as in `{ code: C-1, reason: "…" }`. */
function flowNode(doc: Document, value: unknown): Node {
  return doc.createNode(value, { flow: true });
}

/** Puts what aliases refer to into their places, each its own copy. */
function expandAliases(doc: Document): void {
  visit(doc, { Alias: (_, alias) => alias.resolve(doc)?.clone() as Node | undefined });
  visit(doc, { Node: (_, node) => void (isAlias(node) || delete node.anchor) });
}

/** The list that a file is, also where it holds no more than comments. */
function listOf(doc: Document): YAMLSeq {
  if (!isSeq(doc.contents)) doc.contents = doc.createNode([]);
  return doc.contents;
}

function updateMembers(doc: Document, at: number, record: RetiredRecord[number]): void {
  const members = new Map(Object.entries(inOrder(record)));
  const before = doc.getIn([at]) as { toJSON(): object };
  for (const [name, value] of Object.entries(before.toJSON())) {
    if (!members.has(name)) doc.deleteIn([at, name]);
    else if (members.get(name) === value) members.delete(name);
  }
  // Where a scalar is already, the library sets its value alone.
  for (const [name, value] of members) doc.setIn([at, name], value);
}

function inOrder({ code, retiredIn, replacedBy, ...rest }: RetiredRecord[number]): object {
  const { name, sourceId, reason } = rest;
  const members = Object.entries({ code, retiredIn, replacedBy, name, sourceId, reason });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
