/**
 * The grammar of RDF/XML: which statements its elements make. What a production excludes is
 * refused, so that nothing is dropped; statements about statements (RDF 1.2) are only counted.
 * Source: RDF 1.1 XML Syntax §7.2.8 to §7.2.34, §7.3 (reification), §7.4 (list expansion).
 */
import {
  checkId,
  checkName,
  checkSpace,
  type Element,
  elementOf,
  type Inherited,
  resolved,
  take,
} from "./rdf-xml-element.ts";
import { quote } from "../../../text/printable.ts";
import { type StatementBuffer, type TermLike } from "./rdf-statement.ts";
import { NO_BASE, LANGUAGE_TEXT, PREFIXES, STRING, TYPE } from "../../../skos/terms.ts";
import type { Tag, XmlHandler } from "./xml.ts";
import { XmlLiteral } from "./xml-literal.ts";

const { rdf: RDF } = PREFIXES;

/** An element that holds node elements or property elements. */
interface List extends Inherited {
  readonly kind: "document" | "nodes" | "properties";
  /** That of the property elements. */
  readonly subject: TermLike;
  /** §7.4: how many of them are rdf:li. */
  members: number;
}

/** The beginning of a statement; its IRI, if it has one, reifies it (§7.3). */
interface Stating {
  readonly subject: TermLike;
  readonly predicate: string;
  readonly id: string | undefined;
}

interface Property extends Inherited, Stating {
  readonly kind: "property";
  /** What its attributes and its content so far make its object. */
  content: "attributes" | "text" | "node" | "Collection" | "Triple" | "Literal";
  readonly datatype: string | undefined;
  readonly literal: XmlLiteral;
  text: string;
  /** The last part of a collection. */
  last: TermLike | undefined;
}

export class RdfXmlGrammar implements XmlHandler {
  readonly #buffer: StatementBuffer;
  readonly #line: () => number;
  readonly #open: (List | Property)[] = [];
  readonly #ids = new Set<string>();
  #blanks = 0;
  /** How many triple terms are open: what is in them is not stated. */
  #terms = 0;

  /** `line` returns the current line of the file. */
  constructor(buffer: StatementBuffer, line: () => number) {
    this.#buffer = buffer;
    this.#line = line;
  }

  startElement(tag: Tag): void {
    const around = this.#around;
    if (this.#literal !== undefined) this.#literal.startElement(tag);
    else this.#open.push(this.#element(elementOf(tag, around), around));
  }

  endElement(): void {
    const literal = this.#literal;
    if (literal?.isComplete === false) literal.endElement();
    else this.#end(this.#around);
  }

  text(text: string): void {
    const around = this.#around;
    if (this.#literal !== undefined) this.#literal.text(text);
    else if (around.kind === "property" && around.content === "text") around.text += text;
    else checkSpace(text);
  }

  comment(text: string): void {
    this.#literal?.comment(text);
  }

  processingInstruction(target: string, content: string): void {
    this.#literal?.processingInstruction(target, content);
  }

  get #around(): List | Property {
    return this.#open.at(-1) ?? DOCUMENT;
  }

  /** The XML literal that is open. */
  get #literal(): XmlLiteral | undefined {
    const around = this.#around;
    return around.kind === "property" && around.content === "Literal" ? around.literal : undefined;
  }

  /** §7.2.8 to §7.2.10, §7.2.13. */
  #element(element: Element, around: List | Property): List | Property {
    if (around.kind === "properties") return this.#propertyElement(element, around);
    if (around.kind !== "document" || element.iri !== `${RDF}RDF`) return this.#nodeElement(element, around);
    // §7.2.9 admits none. Those of another namespace, such as xsi:schemaLocation, are in real files
    // and change no statement; what rdf: says there would be lost.
    for (const attribute of element.attributes.keys()) {
      if (attribute.startsWith(RDF)) throw new Error(`rdf:RDF has the attribute ${quote(attribute)}: remove it`);
      this.#buffer.skip("attributes of rdf:RDF");
    }
    return { ...DOCUMENT, ...element, kind: "nodes" };
  }

  /** §7.2.11. */
  #nodeElement(element: Element, around: List | Property): List {
    const type = checkName(element.iri, "node element");
    const subject = this.#subjectOf(element);
    if (type !== `${RDF}Description`) this.#add(subject, TYPE, named(type));
    if (around.kind === "property") this.#link(around, subject);
    this.#propertyAttributes(element, subject);
    return { ...element, kind: "properties", subject, members: 0 };
  }

  #subjectOf(element: Element): TermLike {
    const [id, nodeId, about] = ["ID", "nodeID", "about"].map((name) => take(element, name));
    if ([id, nodeId, about].filter((one) => one !== undefined).length > 1)
      throw new Error("a node element has more than one of rdf:ID, rdf:nodeID and rdf:about: keep one of them");
    if (id !== undefined) return named(this.#claim(id, element));
    if (nodeId !== undefined) return nodeNamed(nodeId);
    return about === undefined ? this.#blank() : named(resolved(about, element));
  }

  /** §7.2.14: the attributes and the content decide which production it is. */
  #propertyElement(element: Element, around: List): List | Property {
    const predicate = checkName(element.iri, "property element");
    const id = take(element, "ID");
    const stating: Stating = {
      subject: around.subject,
      predicate: predicate === `${RDF}li` ? `${RDF}_${++around.members}` : predicate,
      id: id === undefined ? undefined : this.#claim(id, element),
    };
    const [parseType, datatype, resource, nodeId] = this.#objectAttributes(element);
    if (parseType === "Resource") {
      // §7.2.18.
      const subject = this.#blank();
      this.#state(stating, subject);
      return { ...element, kind: "properties", subject, members: 0 };
    }
    const isStated = resource !== undefined || nodeId !== undefined || element.attributes.size > 0;
    if (isStated) {
      // §7.2.21.
      const object = nodeId === undefined ? this.#blank() : nodeNamed(nodeId);
      const term = resource === undefined ? object : named(resolved(resource, element));
      this.#state(stating, term);
      this.#propertyAttributes(element, term);
    }
    const content = parseType === undefined ? (isStated ? "attributes" : "text") : contentOf(parseType, element);
    if (content === "Triple") this.#terms++;
    const type = datatype === undefined ? undefined : resolved(datatype, element);
    const literal = new XmlLiteral();
    return { ...element, ...stating, kind: "property", content, datatype: type, literal, text: "", last: undefined };
  }

  /** §7.2.16 to §7.2.21: which attributes may be together. */
  #objectAttributes(element: Element): (string | undefined)[] {
    const [parseType, datatype, ...others] = ["parseType", "datatype", "resource", "nodeID"].map((name) =>
      take(element, name),
    );
    const isAnnotated = ["annotation", "annotationNodeID"].some((name) => isRdf12(element) && take(element, name));
    if (isAnnotated) this.#buffer.skip();
    const all = [parseType, datatype, ...others];
    const given = all.filter((one) => one !== undefined).length;
    const isAlone = parseType !== undefined || datatype !== undefined;
    if (given > 1 || (isAlone && element.attributes.size > 0))
      throw new Error(
        "a property element has one of rdf:parseType, rdf:datatype, rdf:resource and rdf:nodeID, and the first two without other attributes: remove the rest",
      );
    return all;
  }

  /** §7.2.25, and the property attributes of §7.2.11 and §7.2.21. */
  #propertyAttributes(element: Element, subject: TermLike): void {
    for (const [name, value] of element.attributes) {
      const predicate = checkName(name, "property attribute");
      const object = predicate === TYPE ? named(resolved(value, element)) : literalOf(value, element.language);
      this.#add(subject, predicate, object);
    }
  }

  /** Links a property element to a node element in it. */
  #link(property: Property, node: TermLike): void {
    if (property.content === "Triple") return;
    if (property.content === "Collection") {
      // §7.2.19.
      const part = this.#blank();
      if (property.last === undefined) this.#state(property, part);
      else this.#add(property.last, `${RDF}rest`, part);
      this.#add(part, `${RDF}first`, node);
      property.last = part;
      return;
    }
    // §7.2.15: one node element, with white space around it, and no attribute but rdf:ID.
    if (property.content === "node")
      throw new Error("a property element holds two elements: write a property element for each");
    if (property.content !== "text" || property.datatype !== undefined)
      throw new Error("a property element holds an element, and an attribute names its value: keep one of the two");
    checkSpace(property.text);
    property.content = "node";
    this.#state(property, node);
  }

  #end(closed: List | Property): void {
    this.#open.pop();
    if (closed.kind !== "property") return;
    const { content, datatype, literal } = closed;
    if (content === "text") this.#state(closed, literalOf(closed.text, closed.language, datatype));
    else if (content === "Literal") this.#state(closed, literalOf(literal.value, "", `${RDF}XMLLiteral`));
    else if (content === "Collection" && closed.last === undefined) this.#state(closed, named(`${RDF}nil`));
    else if (content === "Collection") this.#add(closed.last ?? closed.subject, `${RDF}rest`, named(`${RDF}nil`));
    else if (content === "Triple") {
      this.#terms--;
      this.#buffer.skip();
    }
  }

  /** §7.2.22: an rdf:ID is unique in its base. */
  #claim(id: string, element: Element): string {
    const iri = resolved(`#${checkId(id)}`, element);
    if (this.#ids.has(iri)) throw new Error(`rdf:ID ${quote(id)} is given twice: give each its own`);
    this.#ids.add(iri);
    return iri;
  }

  #state({ subject, predicate, id }: Stating, object: TermLike): void {
    this.#add(subject, predicate, object);
    if (id === undefined) return;
    // §7.3.
    const statement = named(id);
    this.#add(statement, TYPE, named(`${RDF}Statement`));
    this.#add(statement, `${RDF}subject`, subject);
    this.#add(statement, `${RDF}predicate`, named(predicate));
    this.#add(statement, `${RDF}object`, object);
  }

  #add(subject: TermLike, predicate: string, object: TermLike): void {
    if (this.#terms === 0) this.#buffer.add({ subject, predicate: named(predicate), object }, this.#line());
  }

  #blank(): TermLike {
    return { termType: "BlankNode", value: `${++this.#blanks}` };
  }
}

const DOCUMENT: List = {
  kind: "document",
  base: NO_BASE,
  language: "",
  version: "",
  subject: { termType: "BlankNode", value: "" },
  members: 0,
};

function isRdf12({ version }: Inherited): boolean {
  return version.startsWith("1.2");
}

/** §7.2.20: a value that is not known counts as Literal. RDF 1.2 adds Triple. */
function contentOf(parseType: string, around: Inherited): Property["content"] {
  if (parseType === "Collection" || (parseType === "Triple" && isRdf12(around))) return parseType;
  return "Literal";
}

function named(iri: string): TermLike {
  return { termType: "NamedNode", value: iri };
}

/** A node that the file names; a colon keeps it apart from the others. */
function nodeNamed(nodeId: string): TermLike {
  return { termType: "BlankNode", value: `:${checkId(nodeId)}` };
}

function literalOf(value: string, language: string, datatype?: string): TermLike {
  if (datatype !== undefined) return { termType: "Literal", value, datatype: { value: datatype } };
  return { termType: "Literal", value, language, datatype: { value: language === "" ? STRING : LANGUAGE_TEXT } };
}
