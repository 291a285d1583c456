/**
 * Changing YAML that people write: values are replaced and lines added in the text itself, so that comments, layout and
 * every other byte stay. What comes out is read again and must say what was wanted; where the text is too unusual for that
 * (aliases, for one), the library prints the whole of it, with its comments.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, parseDocument, visit } from "yaml";
import type { HistoryRecord, RetiredRecord } from "../../registry/record.ts";

/** A value at a place: names of members, positions of elements. Only its last member may be missing. */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Part of a text and what takes its place. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function withValues(text: string, edits: readonly Edit[]): string {
  const { contents } = parse(text);
  const wanted = parse(text);
  expand(wanted);
  // A plain value keeps the comments of the one before it.
  for (const { path, value } of edits) wanted.setIn(path, isPlain(value) ? value : wanted.createNode(value));
  const splices = edits.map((edit) => valueSplice({ text, contents }, edit));
  return settled(wanted.toJS(), [() => spliced(text, splices), () => printed(wanted)]);
}

/** `registry.yaml` with another registryVersion. */
export function withRegistryVersion(text: string, version: string): string {
  return withValues(text, [{ path: ["registryVersion"], value: version }]);
}

/** `registry.yaml` that admits these languages too; in order where the list is in order, else at its end. */
export function withLanguages(text: string, languages: readonly string[]): string {
  const doc = parse(text);
  const list = doc.getIn(["languages"], true);
  const present = (doc.toJS() as { languages: string[] }).languages;
  const missing = [...new Set(languages)].filter((tag) => !present.includes(tag)).sort();
  if (missing.length === 0) return text;
  const isSorted = present.every((tag, i) => i === 0 || (present[i - 1] ?? "") <= tag);
  const wanted = isSorted ? [...present, ...missing].sort() : [...present, ...missing];
  const splices = missing.map((tag) => {
    const before = isSorted ? present.filter((other) => other < tag).length : present.length;
    return elementSplice({ text, list }, before, formatScalar(tag));
  });
  const value = { ...(doc.toJS() as object), languages: wanted };
  doc.setIn(["languages"], doc.createNode(wanted, { flow: true }));
  return settled(value, [() => spliced(text, splices), () => printed(doc)]);
}

/** `retired.yaml` with these entries: those that are there stay where and as they are, new ones follow one a line. */
export function withRetired(text: string, records: RetiredRecord): string {
  const doc = parse(text);
  const before = (doc.toJS() ?? []) as RetiredRecord;
  const missing = new Map(records.map((record) => [record.code, record]));
  const splices: Splice[] = [];
  const kept = before.flatMap((old, i) => {
    const record = missing.get(old.code);
    missing.delete(old.code);
    const item = isSeq(doc.contents) ? (doc.contents.items[i] as Node) : null;
    if (record === undefined) splices.push(lineSplice(text, item));
    else splices.push(...recordSplices({ text, contents: item }, old, record));
    return record ?? [];
  });
  const added = [...missing.values()];
  const wanted = [...kept, ...added];
  const lines = wanted.length === 0 ? ["[]"] : added.map((record) => `- ${formatFlow(inOrder(record))}`);
  if (isDeepStrictEqual(wanted, before)) return text;
  return settled(wanted, [() => appended(spliced(text, splices), lines), () => reprinted(doc, wanted)]);
}

/** `history.yaml` with one entry more at its end: where there are entries, what was there is the beginning of the result. */
export function withHistoryEntry(text: string, entry: HistoryRecord[number]): string {
  const doc = parse(text);
  const wanted = [...((doc.toJS() ?? []) as HistoryRecord), entry];
  const { registryVersion, contentSha256, acknowledgement, reassigned = [] } = entry;
  const lines = [
    `- registryVersion: ${formatScalar(registryVersion)}`,
    `  contentSha256: ${formatScalar(contentSha256)}`,
  ];
  if (acknowledgement !== undefined) lines.push(`  acknowledgement: ${quoted(acknowledgement)}`);
  if (reassigned.length > 0) lines.push("  reassigned:");
  for (const { expression, language, from, to } of reassigned)
    lines.push(`    - ${formatFlow({ expression, language, from, to })}`);
  return settled(wanted, [() => appended(text, lines), () => reprinted(doc, wanted)]);
}

/** The first of the texts that says what is wanted. */
function settled(wanted: unknown, attempts: readonly (() => string)[]): string {
  for (const attempt of attempts) {
    const text = attempt();
    const doc = parseDocument(text);
    if (doc.errors.length === 0 && isDeepStrictEqual(valueOf(doc) ?? [], wanted)) return text;
  }
  throw new Error("YAML that no edit gives the wanted value");
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function parse(text: string): Document {
  const doc = parseDocument(text);
  const [error] = doc.errors;
  if (error !== undefined) throw error;
  return doc;
}

function valueOf(doc: Document): unknown {
  return doc.toJS({ maxAliasCount: -1 });
}

/** Puts what aliases stand for into their places, each its own copy. */
function expand(doc: Document): void {
  visit(doc, { Alias: (_, alias) => alias.resolve(doc)?.clone() as Node | undefined });
  visit(doc, { Node: (_, node) => void (isAlias(node) || delete node.anchor) });
}

function printed(doc: Document): string {
  return doc.toString({ lineWidth: 0 });
}

function reprinted(doc: Document, value: unknown): string {
  doc.contents = doc.createNode(value);
  return printed(doc);
}

interface Place {
  readonly text: string;
  readonly contents: unknown;
}

function valueSplice({ text, contents }: Place, { path, value }: Edit): Splice {
  const at = path
    .slice(0, -1)
    .reduce((node: unknown, name) => (isCollection(node) ? node.get(name, true) : node), contents);
  const name = path.at(-1);
  const old = isCollection(at) ? at.get(name, true) : undefined;
  if (isScalar(old) && old.range) {
    const [start, end] = old.range;
    if (start === end) return emptySplice({ text, contents: at }, name, formatFlow(value));
    const isQuoted = old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE";
    return { start, end, text: typeof value === "string" && isQuoted ? quoted(value) : formatFlow(value) };
  }
  if (isCollection(old) && old.range) return { start: old.range[0], end: endOf(old), text: formatFlow(value) };
  return memberSplice({ text, contents: at }, `${String(name)}: ${formatFlow(value)}`);
}

/** A value for a name that has none: behind its colon, before any comment. */
function emptySplice({ text, contents }: Place, name: unknown, value: string): Splice {
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
  if (pair === undefined) return NOTHING;
  const start = text.indexOf(":", endOf(pair.key)) + 1;
  return { start, end: start, text: ` ${value}` };
}

/** A member more at the end of a mapping. */
function memberSplice({ text, contents }: Place, member: string): Splice {
  if (!isMap(contents) || !contents.range) return NOTHING;
  const end = endOf(contents);
  if (contents.flow === true) {
    const last = contents.items.at(-1);
    const after = last === undefined ? contents.range[0] + 1 : endOf(last.value ?? last.key);
    return { start: after, end: after, text: `${last === undefined ? " " : ", "}${member}` };
  }
  const indent = " ".repeat(columnOf(text, contents.range[0]));
  const start = lineEnd(text, end);
  return { start, end: start, text: `${lineFeed(text)}${indent}${member}` };
}

/** An element more in a list of scalars, after the first `before` of them. */
function elementSplice({ text, list }: { text: string; list: unknown }, before: number, element: string): Splice {
  if (!isSeq(list) || !list.range) return NOTHING;
  const [previous, next] = [list.items[before - 1], list.items[before]] as (Node | undefined)[];
  if (list.flow === true) {
    const start = previous === undefined ? list.range[0] + 1 : endOf(previous);
    const piece = previous !== undefined ? `, ${element}` : next === undefined ? element : `${element}, `;
    return { start, end: start, text: piece };
  }
  const indent = " ".repeat(columnOf(text, list.range[0]));
  const start = previous === undefined ? list.range[0] : lineEnd(text, endOf(previous));
  const feed = lineFeed(text);
  return {
    start,
    end: start,
    text: previous === undefined ? `- ${element}${feed}${indent}` : `${feed}${indent}- ${element}`,
  };
}

function recordSplices(place: Place, old: object, record: RetiredRecord[number]): Splice[] {
  const before = new Map(Object.entries(old));
  const now = Object.entries(inOrder(record));
  if ([...before.keys()].some((name) => !now.some(([other]) => other === name))) {
    const item = place.contents as Node;
    return [{ start: item.range?.[0] ?? 0, end: endOf(item), text: formatFlow(inOrder(record)) }];
  }
  return now
    .filter(([name, value]) => before.get(name) !== value)
    .map(([name, value]) => valueSplice(place, { path: [name], value }));
}

/** An element of a block list with its whole lines. */
function lineSplice(text: string, node: Node | null): Splice {
  if (!node?.range) return NOTHING;
  const start = text.lastIndexOf("\n", node.range[0]) + 1;
  return { start, end: Math.min(lineEnd(text, endOf(node)) + lineFeed(text).length, text.length), text: "" };
}

/** Lines at the end of a list; an empty one gives its brackets up. */
function appended(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const { contents } = parseDocument(text);
  const feed = lineFeed(text);
  if (isSeq(contents) && contents.flow === true && contents.items.length === 0 && contents.range) {
    return spliced(text, [{ start: contents.range[0], end: contents.range[1], text: lines.join(feed) }]);
  }
  const indent = isSeq(contents) && contents.range ? " ".repeat(columnOf(text, contents.range[0])) : "";
  const begin = text === "" || text.endsWith("\n") ? text : text + feed;
  return begin + lines.map((line) => indent + line + feed).join("");
}

const NOTHING: Splice = { start: 0, end: 0, text: "" };

function spliced(text: string, splices: readonly Splice[]): string {
  let at = 0;
  const pieces: string[] = [];
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  return pieces.join("") + text.slice(at);
}

/** Where the last value of a node ends, without the space and comments after it. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last = node.items.at(-1) as Node | { key: Node; value: Node | null } | undefined;
    if (last !== undefined) return endOf("key" in last ? (last.value ?? last.key) : last);
  }
  return (node as Node).range?.[1] ?? 0;
}

/** Where the line of a position ends, before its line end. */
function lineEnd(text: string, position: number): number {
  const end = text.indexOf("\n", text[position - 1] === "\n" ? position - 1 : position);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf("\n", position - 1) + 1);
}

function lineFeed(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function inOrder({ code, retiredIn, replacedBy, ...rest }: RetiredRecord[number]): object {
  const { name, sourceId, reason } = rest;
  const members = Object.entries({ code, retiredIn, replacedBy, name, sourceId, reason });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** A value on one line, as in `{ code: C-1, reason: "…" }`. */
function formatFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatFlow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return formatScalar(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? "{}"
    : `{ ${members.map(([name, member]) => `${name}: ${formatFlow(member)}`).join(", ")} }`;
}

/** Without quotes where it can be nothing but that text, in a flow collection too. */
function formatScalar(value: unknown): string {
  if (typeof value !== "string") return String(value);
  const isWords =
    /^\p{L}(?:[\p{L}\p{N} ._/()-]*[\p{L}\p{N}.)])?$/u.test(value) && !/^(?:null|true|false)$/i.test(value);
  const isNumbered = /^\d{4}[.-]\d\d[.-]\d+$|^(?=.*[a-df])[0-9a-f]{64}$/.test(value);
  return isWords || isNumbered ? value : quoted(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
