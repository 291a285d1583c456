/**
 * Edits YAML that people write: every other byte stays. What cannot be edited in the text itself,
 * such as a file with anchors, is printed again by the `yaml` library in the layout of the starter
 * registry, with its comments, order and styles.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isScalar, isSeq, type Node, parseDocument, visit, type YAMLSeq } from "yaml";
import type { HistoryRecord, RetiredRecord } from "../../../registry/record.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { spliced } from "./splice-yaml.ts";
import type { Edit } from "./value-edit.ts";

/** `{ a: b }` or `[a, b]`: whether flow collections have spaces inside their brackets. */
type Padding = "padded" | "tight";

export function withValues(text: string, edits: readonly Edit[], padding: Padding = "padded"): string {
  const kept = spliced(text, edits);
  if (kept !== undefined) return kept;
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

/** `registry.yaml` with this registryVersion. */
export function withRegistryVersion(text: string, version: string): string {
  return withValues(text, [{ path: ["registryVersion"], value: version }], "tight");
}

/** The error when a text is no longer the one that was read and checked. */
export const CHANGED = "A file of the registry was changed while this command read it: run it again";
/** The library itself prints an empty `|` with a comment wrongly, for example. */
const UNPRINTABLE = 'The YAML of a record cannot be edited with its other values kept: write empty values as ""';

/**
 * `registry.yaml` that also admits these languages. They go in order if the list is sorted,
 * otherwise at its end.
 */
export function withLanguages(text: string, languages: readonly string[]): string {
  const present = (valueOf(parse(text)) as { languages: string[] }).languages;
  const missing = [...new Set(languages)].filter((tag) => !present.includes(tag)).sort();
  if (missing.length === 0) return text;
  const isSorted = present.every((tag, i) => i === 0 || (present[i - 1] ?? "") <= tag);
  return edited(text, "tight", (doc) => {
    const list = doc.getIn(["languages"]) as YAMLSeq;
    // As the others are written; an import writes them in quotes.
    const style = list.items.length === 0 ? "QUOTE_DOUBLE" : list.items.find(isScalar)?.type;
    for (const tag of missing) {
      const at = isSorted ? (list.toJSON() as string[]).findIndex((other) => other > tag) : -1;
      const node = doc.createNode(tag);
      if (style !== undefined) node.type = style;
      list.items.splice(at < 0 ? list.items.length : at, 0, node);
    }
  });
}

/**
 * `retired.yaml` with these entries: existing ones keep their places, new ones follow, one per
 * line.
 */
export function withRetired(text: string, records: RetiredRecord): string {
  const doc = parse(text);
  const before = (valueOf(doc) ?? []) as RetiredRecord;
  const missing = new Map(records.map((record) => [record.code, record]));
  const kept = before.map(({ code }) => {
    const record = missing.get(code);
    missing.delete(code);
    return record;
  });
  if (isDeepStrictEqual(kept, before)) {
    const added = [...missing.values()].map((record, i) => ({ path: [before.length + i], value: inOrder(record) }));
    const grown = spliced(text, added);
    if (grown !== undefined) return grown;
  }
  return edited(text, "padded", (changed) => {
    const list = listOf(changed);
    list.flow = kept.length === 0 && missing.size === 0;
    for (const [i, record] of kept.entries()) if (record !== undefined) updateMembers(changed, i, record);
    // The comment above the first entry belongs to the file.
    if (kept[0] === undefined && before.length > 0)
      changed.commentBefore ??= (list.items[0] as Node).commentBefore ?? null;
    list.items = list.items.filter((_item, i) => kept[i] !== undefined);
    for (const record of missing.values()) list.items.push(flowNode(changed, inOrder(record)));
  });
}

/**
 * `history.yaml` with more entries at its end. If it already has entries in block style, the result
 * begins with the old text.
 */
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
  // A list in another layout cannot be extended as text.
  return edited(text, "padded", append);
}

function historyNode(doc: Document, entry: HistoryRecord[number]): Node {
  const { registryVersion, contentSha256, memorySha256, changesSha256 } = entry;
  const { releasedOn, acknowledgement, log, reassigned = [] } = entry;
  const moves = reassigned.map(({ expression, language, from, to }) =>
    flowNode(doc, { expression, language, from, to }),
  );
  return doc.createNode({
    registryVersion,
    contentSha256,
    memorySha256,
    ...(changesSha256 !== undefined && { changesSha256 }),
    ...(releasedOn !== undefined && { releasedOn }),
    ...(log !== undefined && { log: flowNode(doc, log) }),
    ...(acknowledgement !== undefined && { acknowledgement }),
    ...(moves.length > 0 && { reassigned: moves }),
  });
}

/** Returns the text after a change; throws if it does not parse to the changed value. */
function edited(text: string, padding: Padding, change: (doc: Document) => void): string {
  const doc = parse(text);
  change(doc);
  const result = print(doc, text, padding);
  if (!isDeepStrictEqual(valueOf(parse(result)), valueOf(doc))) throw new UsageError(UNPRINTABLE);
  return result;
}

function parse(text: string): Document {
  // The library includes the CR before some line ends in comments, and a CR alone ends no line for
  // it. Without a schema, `%YAML 1.1` would make numbers and times of words that the registry's
  // reader takes as they are.
  const doc = parseDocument(text.replaceAll(/\r\n?/g, "\n"), { schema: "core" });
  if (doc.errors.length > 0) throw new UsageError(CHANGED);
  return doc;
}

/**
 * Aliases are not limited: people may repeat them often, and each anchor's value is created only
 * once.
 */
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

/** Replaces each alias by its own copy of the anchor's value. */
function expandAliases(doc: Document): void {
  visit(doc, { Alias: (_, alias) => alias.resolve(doc)?.clone() as Node | undefined });
  visit(doc, { Node: (_, node) => void (isAlias(node) || delete node.anchor) });
}

/** The file's list, also if the file holds only comments. */
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
  // For an existing scalar, the library changes only its value.
  for (const [name, value] of members) doc.setIn([at, name], value);
}

function inOrder({ code, retiredIn, replacedBy, ...rest }: RetiredRecord[number]): object {
  const { name, sourceId, reason } = rest;
  const members = Object.entries({ code, retiredIn, replacedBy, name, sourceId, reason });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
