/**
 * The value of an XML literal: its content as exclusive canonical XML with comments, which RDF/XML
 * requires (RDF 1.1 XML Syntax §7.2.17).
 * Source: Exclusive XML Canonicalization 1.0 §3; Canonical XML 1.0 §2.3.
 */
import { compareCodePoints } from "../../../text/order.ts";
import type { Attribute, Tag, XmlHandler } from "./xml.ts";

interface Open {
  readonly name: string;
  /** The namespaces that it and the elements around it have declared in the output, by prefix. */
  readonly rendered: ReadonlyMap<string, string>;
}

export class XmlLiteral implements XmlHandler {
  readonly #parts: string[] = [];
  readonly #open: Open[] = [];

  /** Whether the element that holds the literal would be the next one to end. */
  get isComplete(): boolean {
    return this.#open.length === 0;
  }

  get value(): string {
    return this.#parts.join("");
  }

  startElement(tag: Tag): void {
    const around = this.#open.at(-1)?.rendered ?? NONE;
    const attributes = Object.values(tag.attributes).filter((one) => !isDeclaration(one));
    const declared = visiblyUtilized(tag, attributes)
      .filter(([prefix, uri]) => (around.get(prefix) ?? "") !== uri)
      .sort(([a], [b]) => compareCodePoints(a, b));
    const said = attributes.sort((a, b) => compareCodePoints(a.uri, b.uri) || compareCodePoints(a.local, b.local));
    const written = [
      ...declared.map(([prefix, uri]) => [prefix === "" ? "xmlns" : `xmlns:${prefix}`, uri] as const),
      ...said.map(({ prefix, local, value }) => [prefix === "" ? local : `${prefix}:${local}`, value] as const),
    ].map(([name, value]) => ` ${name}="${escapeXml(value, ATTRIBUTE)}"`);
    this.#parts.push(`<${tag.name}${written.join("")}>`);
    const rendered = declared.length === 0 ? around : new Map([...around, ...declared]);
    this.#open.push({ name: tag.name, rendered });
  }

  /** An empty element has an end tag too. */
  endElement(): void {
    this.#parts.push(`</${this.#open.pop()?.name ?? ""}>`);
  }

  text(text: string): void {
    this.#parts.push(escapeXml(text, TEXT));
  }

  comment(text: string): void {
    this.#parts.push(`<!--${text}-->`);
  }

  processingInstruction(target: string, content: string): void {
    this.#parts.push(content === "" ? `<?${target}?>` : `<?${target} ${content}?>`);
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function isDeclaration({ prefix, local }: Attribute): boolean {
  return prefix === "xmlns" || (prefix === "" && local === "xmlns");
}

/**
 * The prefixes of an element and its attributes, with their namespaces. An attribute without a
 * prefix is in no namespace, and `xml` is never declared.
 */
function visiblyUtilized(tag: Tag, attributes: readonly Attribute[]): [prefix: string, uri: string][] {
  const used = new Map([[tag.prefix, tag.uri]]);
  for (const { prefix, uri } of attributes) if (prefix !== "") used.set(prefix, uri);
  used.delete("xml");
  return [...used];
}

const TEXT = /[&<>\r]/g;
const ATTRIBUTE = /[&<"\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

function escapeXml(text: string, special: RegExp): string {
  return text.replaceAll(special, (character) => ESCAPES[character] ?? character);
}
