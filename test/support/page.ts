/** Reads pages, more strictly than HTML asks for. */
import { expect } from "vitest";
import { type Reply } from "./service.ts";

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

export const VOID = new Set(["meta", "link", "img", "input", "br", "hr"]);
/** Elements that end an open `p` (HTML §13.1.2.4), which would then not be where the text says. */
export const NOT_IN_P =
  /^(?:article|aside|blockquote|div|dl|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;
export const TOKEN = /<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>|([^<>]+)/gy;
export const REFERENCES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#96": "`",
  "#92": "\\",
};

/** Reads HTML strictly: every tag closed in order, every < > & in text escaped. */
export function parseHtml({ body }: Reply): Element {
  const doctype = "<!DOCTYPE html>\n";
  const text = body.toString("utf8");
  expect(text.slice(0, doctype.length)).toBe(doctype);
  const root: Element = { name: "", attributes: new Map(), children: [] };
  const open = [root];
  TOKEN.lastIndex = doctype.length;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [found, close, name, attributes = "", content] = TOKEN.exec(text) ?? [];
    const parent = open.at(-1);
    if (found === undefined || parent === undefined) throw new Error(`Not markup: ${text.slice(at, at + 80)}`);
    if (content !== undefined) parent.children.push(unescape(content));
    else if (close !== undefined) {
      if (open.pop()?.name !== close) throw new Error(`Closed out of order: ${text.slice(at - 80, at + 20)}`);
    } else {
      const element = { name: name ?? "", attributes: parseAttributes(attributes), children: [] };
      if (NOT_IN_P.test(element.name) && open.some((outer) => outer.name === "p"))
        throw new Error(`Ends a paragraph: ${text.slice(at - 80, at + 20)}`);
      parent.children.push(element);
      if (!VOID.has(element.name)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`Never closed: ${open.at(-1)?.name}`);
  const [page, ...others] = root.children.filter((child) => typeof child !== "string");
  if (page === undefined || others.length > 0) throw new Error("Not one element");
  return page;
}

export function parseAttributes(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)].map(
    ([, name = "", value = ""]) => [name, unescape(value)] as const,
  );
  const attributes = new Map(pairs);
  if (attributes.size !== pairs.length) throw new Error(`Given twice:${text}`);
  return attributes;
}

export function unescape(text: string): string {
  return text.replaceAll(/&(?:([a-z0-9#]+);)?/g, (found, name: string | undefined) => {
    const character = REFERENCES[name ?? ""];
    if (character === undefined) throw new Error(`Not a character reference: ${found}`);
    return character;
  });
}

export function elements(within: Element | undefined, name?: string): Element[] {
  const inside =
    within === undefined
      ? []
      : (insides.get(within) ??
        within.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elements(child)])));
  if (within !== undefined) insides.set(within, inside);
  return name === undefined ? inside : inside.filter((element) => element.name === name);
}

/** What was found before. */
export const insides = new WeakMap<Element, Element[]>();

/** The text of an element with white space as it is shown. */
export function textOf(element: Element | undefined): string {
  return rawTextOf(element).replaceAll(/\s+/g, " ").trim();
}

export function rawTextOf(element: Element | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : rawTextOf(child))).join("");
}

export const attribute = (element: Element | undefined, name: string): string | undefined =>
  element?.attributes.get(name);
export const withId = (page: Element, id: string): Element | undefined =>
  elements(page).find((element) => attribute(element, "id") === id);
export const withAttribute = (page: Element | undefined, name: string): Element[] =>
  elements(page).filter(({ attributes }) => attributes.has(name));

/**
 * Names and attribute names of all elements: what text can never change. Marked parts of code are
 * not among them: resolved answers have others than abstentions.
 */
export function skeleton(element: Element): string {
  return JSON.stringify(partsOf(element));
}

export function partsOf(element: Element): unknown {
  const isMark = (child: Element): boolean => /^hl-[cks]$/.test(attribute(child, "class") ?? "");
  const inside = element.children.flatMap((child) =>
    typeof child === "string" || isMark(child) ? [] : [partsOf(child)],
  );
  return [element.name, [...element.attributes.keys()].toSorted(), inside];
}
