/**
 * Edits YAML in its text: a value is replaced, a member or an element added, and every other byte
 * stays, whatever the layout. New values are laid out like their neighbours. What cannot be edited
 * so (anchors, block scalars, empty collections) is left to the caller.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Edit, withEdits } from "./value-edit.ts";

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined if the text cannot be edited so, or would not be read as the edited value. */
export function spliced(text: string, edits: readonly Edit[]): string | undefined {
  const lines = text.replaceAll("\r\n", "\n");
  const feeds = text.length - lines.length;
  const isMixed = feeds > 0 && feeds !== lines.split("\n").length - 1;
  if (isMixed || lines.includes("\r")) return undefined;
  const doc = parseCore(lines);
  if (doc.errors.length > 0 || hasAnchors(doc)) return undefined;
  const splices: Splice[] = [];
  // The last edit of a place counts.
  for (const edit of new Map(edits.map((one) => [JSON.stringify(one.path), one])).values()) {
    const splice = spliceOf({ lines, doc }, edit);
    if (splice === undefined) return undefined;
    splices.push(splice);
  }
  let [result, at] = ["", 0];
  for (const { start, end, text: piece } of splices.sort((a, b) => a.start - b.start)) {
    if (start < at) return undefined;
    result += lines.slice(at, start) + piece;
    at = end;
  }
  result += lines.slice(at);
  const edited = parseCore(result);
  if (edited.errors.length > 0 || !isDeepStrictEqual(edited.toJS(), withEdits(doc.toJS(), edits))) return undefined;
  return feeds > 0 ? result.replaceAll("\n", "\r\n") : result;
}

interface Source {
  readonly lines: string;
  readonly doc: Document;
}

function parseCore(text: string): Document {
  return parseDocument(text, { schema: "core" });
}

function hasAnchors(doc: Document): boolean {
  let found = false;
  visit(doc, { Node: (_, node) => void (found ||= isAlias(node) || node.anchor !== undefined) });
  return found;
}

function spliceOf({ lines, doc }: Source, { path, value }: Edit): Splice | undefined {
  const parent = path.length === 1 ? doc.contents : doc.getIn(path.slice(0, -1), true);
  const step = path.at(-1);
  if (isMap(parent) && typeof step === "string") {
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair === undefined ? withMember(lines, parent, [step, value]) : withValue(lines, pair, value);
  }
  if (!isSeq(parent) || typeof step !== "number") return undefined;
  const item = parent.items[step];
  return item === undefined ? withElement(lines, parent, value) : replaced(item, value);
}

function withValue(lines: string, { key, value: old }: Pair, value: unknown): Splice | undefined {
  const end = isNode(key) ? key.range?.[1] : undefined;
  const isEmpty = !isNode(old) || (old.range ?? [])[0] === (old.range ?? [])[1];
  if (!isEmpty) return replaced(old, value);
  if (end === undefined || lines[end] !== ":") return undefined;
  return { start: end + 1, end: end + 1, text: ` ${flowText(value)}` };
}

function replaced(old: unknown, value: unknown): Splice | undefined {
  if (!isNode(old) || !old.range) return undefined;
  const [start, end] = old.range;
  if (isScalar(old)) return isBlock(old) ? undefined : { start, end, text: textLike(old, value) };
  return isFlow(old) ? { start, end, text: flowText(value) } : undefined;
}

function withMember(lines: string, map: YAMLMap, [name, value]: readonly [string, unknown]): Splice | undefined {
  const [first] = map.items;
  const last = map.items.at(-1);
  if (first === undefined || last === undefined || !isNode(first.key) || !first.key.range) return undefined;
  const text = `${name}: ${flowText(value)}`;
  const end = endOf(last);
  if (end === undefined) return undefined;
  if (map.flow === true) return { start: end, end, text: `, ${text}` };
  return onLineAfter(lines, end, indentation(lines, first.key.range[0]) + text);
}

function withElement(lines: string, list: YAMLSeq, value: unknown): Splice | undefined {
  const last = list.items.at(-1);
  const end = endOf(last);
  if (end === undefined || !list.range) return undefined;
  if (list.flow === true) return { start: end, end, text: `, ${elementText(last, value)}` };
  const indent = indentation(lines, list.range[0]);
  const [dash = "- "] = /^- +/.exec(lines.slice(list.range[0])) ?? [];
  const isInBlock = isMap(last) && last.flow !== true;
  const within = `\n${indent}${" ".repeat(dash.length)}`;
  const text = isInBlock ? membersOf(last, value).join(within) : elementText(last, value);
  return onLineAfter(lines, end, indent + dash + text);
}

/** As its neighbour: `{ language: en, expression: "…" }`. */
function elementText(neighbour: unknown, value: unknown): string {
  return isMap(neighbour) ? `{ ${membersOf(neighbour, value).join(", ")} }` : flowText(value);
}

function membersOf(neighbour: YAMLMap, value: unknown): string[] {
  return Object.entries(value as object).map(([name, member]) => {
    const like = neighbour.get(name, true);
    return `${name}: ${isScalar(like) ? textLike(like, member) : flowText(member)}`;
  });
}

/** Where the content ends, without comments and line ends. */
function endOf(item: unknown): number | undefined {
  if (isMap(item) || isSeq(item)) return isFlow(item) ? item.range?.[1] : endOf(item.items.at(-1));
  if (isNode(item)) return isScalar(item) && isBlock(item) ? undefined : item.range?.[1];
  if (typeof item !== "object" || item === null || !("key" in item)) return undefined;
  const { key, value } = item as Pair;
  const isEmpty = !isNode(value) || (value.range ?? [])[0] === (value.range ?? [])[1];
  // The colon and a comment follow on the same line.
  return isEmpty ? endOf(key) : endOf(value);
}

function onLineAfter(lines: string, end: number, text: string): Splice {
  const at = lines.indexOf("\n", end);
  return at === -1
    ? { start: lines.length, end: lines.length, text: `\n${text}` }
    : { start: at, end: at, text: `\n${text}` };
}

/** As many spaces as are in front of the position on its line. */
function indentation(lines: string, position: number): string {
  return " ".repeat(position - (lines.lastIndexOf("\n", position - 1) + 1));
}

function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function isBlock(node: Node): boolean {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}

/** In the quotes of another scalar. */
function textLike(old: Node, value: unknown): string {
  const style = isScalar(old) ? old.type : undefined;
  if (typeof value === "string" && style === "QUOTE_DOUBLE") return JSON.stringify(value);
  if (typeof value === "string" && style === "QUOTE_SINGLE" && /^[\p{L}\p{N} _.,:-]*$/u.test(value))
    return `'${value}'`;
  return flowText(value);
}

/** On one line, in a form that is right inside brackets too. */
function flowText(value: unknown): string {
  return stringify([value], OPTIONS).trimEnd().slice(2, -2);
}

const OPTIONS = { schema: "core", collectionStyle: "flow", lineWidth: 0 } as const;
