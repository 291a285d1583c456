/**
 * One small vocabulary in each format that is read. N-Triples and RDF/XML are made from the Turtle,
 * a statement at a time, as other tools write them; JSON-LD has a file of its own.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser, type Quad, Writer } from "n3";

export function skosSmall(extension: string): string {
  if (extension === "ttl" || extension === "jsonld") return read(extension);
  const quads = new Parser().parse(read("ttl"));
  return extension === "nt" ? formatNTriples(quads) : formatRdfXml(quads);
}

const read = (extension: string): string =>
  readFileSync(path.join(import.meta.dirname, `fixtures/skos-small.${extension}`), "utf8");

/** In ASCII, with every other character as an escape. */
function formatNTriples(quads: Quad[]): string {
  const escaped = (character: string): string => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  };
  return new Writer({ format: "N-Triples" }).quadsToString(quads).replaceAll(/[^\0-\x7f]/gu, escaped);
}

function formatRdfXml(quads: Quad[]): string {
  const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const descriptions = quads.map(({ subject, predicate, object }) => {
    const [, space = "", name = ""] = /^(.*[/#])(.*)$/.exec(predicate.value) ?? [];
    const about = subject.termType === "BlankNode" ? "nodeID" : "about";
    const property = `p:${name} xmlns:p="${space}"`;
    const said =
      object.termType === "Literal"
        ? `<${property}${attributesOf(object)}>${escape(object.value)}</p:${name}>`
        : `<${property} rdf:${object.termType === "BlankNode" ? "nodeID" : "resource"}="${object.value}"/>`;
    return `<rdf:Description rdf:${about}="${subject.value}">${said}</rdf:Description>\n`;
  });
  return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n${descriptions.join("")}</rdf:RDF>\n`;
}

function attributesOf({ language, datatype }: { language: string; datatype: { value: string } }): string {
  if (language !== "") return ` xml:lang="${language}"`;
  return datatype.value.endsWith("#string") ? "" : ` rdf:datatype="${datatype.value}"`;
}
