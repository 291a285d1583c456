/**
 * The parts of a set of mappings in SSSOM/TSV: the metadata block, and rows.
 * Source: Simple Standard for Sharing Ontological Mappings 1.0, the data model and SSSOM/TSV.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { formatRows } from "./delimited.ts";
import { printableJson } from "./printable.ts";

/** Instead of an object that does not exist. */
export const NO_TERM_FOUND = "sssom:NoTermFound";
/** A set must name a licence; this one says that nobody did. */
export const LICENSE_UNSPECIFIED = "https://w3id.org/sssom/license/unspecified";

const API = paths.concepts.slice(0, paths.concepts.lastIndexOf("/") + 1);
/** The concepts of a registry as a vocabulary. */
export const CONCEPTS = `registry:${paths.concepts.slice(API.length)}`;

/** The prefixes of `concept:CODE` and of CONCEPTS. */
export function ownPrefixes(origin: string): Record<string, string> {
  return { concept: `${origin}${paths.concepts}/`, registry: origin + API };
}

/** The prefixes are in order of their names, the slots in the given order. */
export function formatMetadata(
  prefixes: Readonly<Record<string, string>>,
  slots: Readonly<Record<string, string>>,
): string {
  const map = Object.entries(prefixes).map(([name, iri]) => `#  ${name}: ${scalar(iri)}\n`);
  const others = Object.entries(slots).map(([name, value]) => `#${name}: ${scalar(value)}\n`);
  return `#curie_map:\n${map.sort().join("")}${others.join("")}`;
}

export function formatMappings(rows: readonly (readonly string[])[]): string {
  return formatRows(rows, { delimiter: "\t", lineEnd: "\n" });
}

/** A plain scalar of YAML where it surely is one, else a string of JSON, which YAML reads too. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z0-9](?:[\w./:#-]*[\w/#])?(?: \w+)*$/.test(text) && Number.isNaN(Number(text));
  return isPlain ? text : printableJson(text);
}
