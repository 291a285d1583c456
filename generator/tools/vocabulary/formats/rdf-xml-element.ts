/**
 * An element of RDF/XML as its grammar sees it: its IRI, its attributes by IRI, and the base and
 * the language that hold in it.
 * Source: RDF 1.1 XML Syntax §5.3, §6.1.2, §6.1.4, §7.2.2 to §7.2.7, §7.2.34.
 */
import { resolve } from "relative-to-absolute-iri";
import { quote } from "../../../text/printable.ts";
import { NOT_IN_IRI, SCHEME } from "./rdf-statement.ts";
import { PREFIXES } from "../../../skos/terms.ts";
import type { Attribute, Tag } from "./xml.ts";

const { rdf: RDF } = PREFIXES;
const XML = "http://www.w3.org/XML/1998/namespace";
/** The namespace of the direction of a text (RDF 1.2), which is not kept. */
const ITS = "http://www.w3.org/2005/11/its";

/** What an element passes on to those in it. */
export interface Inherited {
  readonly base: string;
  /** Empty if there is none. */
  readonly language: string;
  /** That of rdf:version. */
  readonly version: string;
}

export interface Element extends Inherited {
  readonly iri: string;
  /** By IRI: those that no production has taken yet. */
  readonly attributes: Map<string, string>;
}

export function elementOf({ uri, local, name, attributes }: Tag, around: Inherited): Element {
  if (uri === "") throw new Error(`the element ${quote(name)} has no namespace: write its prefix`);
  const own = { base: around.base, language: around.language, version: around.version };
  const others = new Map<string, string>();
  for (const attribute of Object.values(attributes)) {
    const { uri: of, local: its, value } = attribute;
    if (of === XML && its === "lang") own.language = value;
    else if (of === XML && its === "base") own.base = resolve(value, own.base);
    else if (of === RDF && its === "version") own.version = value;
    else if (!isReserved(attribute) && of !== ITS) {
      const iri = attributeIri(attribute);
      if (others.has(iri)) throw new Error(`an element has the attribute ${quote(its)} twice: keep one of them`);
      others.set(iri, value);
    }
  }
  return { ...own, iri: uri + local, attributes: others };
}

/** §6.1.2: all other names that begin with xml are removed. */
function isReserved({ prefix, local }: Attribute): boolean {
  return /^xml/i.test(prefix === "" ? local : prefix);
}

/** §6.1.4: these names need no namespace, and no other may be without one. */
const WITHOUT_NAMESPACE = ["ID", "about", "resource", "parseType", "type"];
const MEANT: Readonly<Record<string, string | undefined>> = {
  lang: "xml:lang",
  base: "xml:base",
  datatype: "rdf:datatype",
  nodeID: "rdf:nodeID",
};

function attributeIri({ uri, local }: Attribute): string {
  if (uri !== "") return uri + local;
  if (WITHOUT_NAMESPACE.includes(local)) return RDF + local;
  const remedy = MEANT[local] === undefined ? "write its prefix, or remove it" : `write ${MEANT[local]}`;
  throw new Error(`the attribute ${quote(local)} has no namespace: ${remedy}`);
}

/** Takes an attribute of RDF/XML, so that the property attributes remain. */
export function take({ attributes }: Element, name: string): string | undefined {
  const value = attributes.get(RDF + name);
  attributes.delete(RDF + name);
  return value;
}

type Kind = "node element" | "property element" | "property attribute";

/** §7.2.2, §7.2.4. */
const CORE_SYNTAX_TERMS = ["RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype"];
const OLD_TERMS = ["aboutEach", "aboutEachPrefix", "bagID"];
/** §7.2.5, §7.2.6, §7.2.7: the names that each kind excludes. */
const EXCLUDED: Readonly<Record<Kind, readonly string[]>> = {
  "node element": [...CORE_SYNTAX_TERMS, "li", ...OLD_TERMS],
  "property element": [...CORE_SYNTAX_TERMS, "Description", ...OLD_TERMS],
  "property attribute": [...CORE_SYNTAX_TERMS, "Description", "li", ...OLD_TERMS],
};

/** Returns the name of an element or an attribute if it may be one of this kind. */
export function checkName(iri: string, kind: Kind): string {
  const name = iri.startsWith(RDF) ? iri.slice(RDF.length) : "";
  if (EXCLUDED[kind].includes(name)) throw new Error(`rdf:${name} is not the name of a ${kind}: use another one`);
  return checkIri(iri);
}

/** §5.3: a reference, with the base that holds there. */
export function resolved(reference: string, { base }: Inherited): string {
  return checkIri(resolve(reference, base));
}

function checkIri(iri: string): string {
  if (!SCHEME.test(iri) || NOT_IN_IRI.test(iri)) throw new Error(`${quote(iri)} is not an IRI`);
  return iri;
}

/** Namespaces in XML 1.0 §3 (NCName), with the characters of XML 1.0 §2.3. */
const START =
  String.raw`A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}\u{200D}` +
  String.raw`\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}`;
const NCNAME = new RegExp(String.raw`^[${START}][${START}\-.0-9\u{B7}\u{300}-\u{36F}\u{203F}\u{2040}]*$`, "u");

/** §7.2.34: the value of rdf:ID or rdf:nodeID. */
export function checkId(value: string): string {
  if (NCNAME.test(value)) return value;
  throw new Error(`${quote(value)} is not a name for rdf:ID or rdf:nodeID: begin it with a letter, without a colon`);
}

/** §7.2.12: only white space may be between elements. */
export function checkSpace(text: string): void {
  const [found] = /[^ \t\r\n][^\r\n]*/.exec(text) ?? [];
  if (found !== undefined)
    throw new Error(`the text ${quote(found.trim())} is where only elements may be: put it in a property`);
}
