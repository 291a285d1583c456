/**
 * Writes the mappings of published concepts as SSSOM/TSV: the identifier of each in its source, and
 * the matches that the source states. Identifiers that are not IRIs are left out, because SSSOM has
 * only entities; retired codes have no mappings. A namespace gets a prefix by its place in order.
 */
import type { Provenance } from "../../../../runtime/contract/concept.ts";
import { paths } from "../../../../runtime/contract/paths.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { CONCEPTS, formatMappings, formatMetadata, LICENSE_UNSPECIFIED, ownPrefixes } from "../../../text/sssom.ts";
import type { CodeList } from "./code-list.ts";
import { type Match, matchesIn, splitIri } from "./matches.ts";

const COLUMNS = [
  "subject_id",
  "subject_label",
  "predicate_id",
  "object_id",
  "mapping_justification",
  "reviewer_label",
  "license",
] as const;

export function* writeSssom(list: CodeList): Generator<string, void> {
  const [namespaces, licenses] = [new Set<string>(), new Set<string>()];
  for (const { iri, provenance } of matchesIn(list)) {
    namespaces.add(splitIri(iri)[0]);
    licenses.add(licenseOf(provenance));
  }
  const prefixes = new Map([...namespaces].sort(compareCodePoints).map((iri, at) => [iri, `ns${at + 1}`]));
  const [license = LICENSE_UNSPECIFIED, ...others] = licenses;
  const slots = {
    mapping_set_id: `${list.origin}${paths.concepts}#mappings`,
    mapping_set_version: list.registryVersion,
    license: others.length > 0 ? LICENSE_UNSPECIFIED : license,
    subject_type: "skos concept",
    subject_source: CONCEPTS,
    subject_source_version: list.registryVersion,
    comment: `Made by srs export of content with the SHA-256 ${list.contentSha256}`,
  };
  const named = Object.fromEntries([...prefixes].map(([iri, prefix]) => [prefix, iri]));
  yield formatMetadata({ ...ownPrefixes(list.origin), ...named }, slots);
  yield formatMappings([COLUMNS]);
  for (const match of matchesIn(list)) yield formatMappings([rowOf(match, prefixes)]);
}

function rowOf({ code, name, predicate, iri, provenance }: Match, prefixes: ReadonlyMap<string, string>): string[] {
  const [namespace, local] = splitIri(iri);
  // SEMAPV: a person judged a mapping that was there before, or nobody says how it came about.
  const justification = provenance.reviewedBy === null ? "UnspecifiedMatching" : "MappingReview";
  return [
    `concept:${code}`,
    name,
    `skos:${predicate}`,
    `${prefixes.get(namespace) ?? ""}:${local}`,
    `semapv:${justification}`,
    provenance.reviewedBy ?? "",
    licenseOf(provenance),
  ];
}

function licenseOf({ license }: Provenance): string {
  return `https://spdx.org/licenses/${encodeURIComponent(license)}`;
}
