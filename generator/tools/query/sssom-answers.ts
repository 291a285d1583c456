/**
 * Answers to the rows of a table as mappings from literals (SSSOM): a code is an exact match. An
 * abstention says that the registry has no term, with the reason as comment.
 */
import {
  CONCEPTS,
  formatMappings,
  formatMetadata,
  LICENSE_UNSPECIFIED,
  NO_TERM_FOUND,
  ownPrefixes,
} from "../../text/sssom.ts";

export interface Literal {
  readonly expression: string;
  readonly language: string | undefined;
}

interface Answer {
  readonly code: string;
  readonly name: string;
  readonly reason: string;
}

export function headOfMappings(origin: string, registryVersion: string): string {
  const slots = {
    mapping_set_id: `${origin}/#resolved-${registryVersion}`,
    license: LICENSE_UNSPECIFIED,
    subject_type: "rdfs literal",
    object_source: CONCEPTS,
    object_source_version: registryVersion,
  };
  const columns = [
    "subject_label",
    "predicate_id",
    "object_id",
    "object_label",
    "mapping_justification",
    "other",
    "comment",
  ];
  return formatMetadata(ownPrefixes(origin), slots) + formatMappings([columns]);
}

export function formatMapping({ expression, language }: Literal, { code, name, reason }: Answer): string {
  return formatMappings([
    [
      expression,
      "skos:exactMatch",
      code === "" ? NO_TERM_FOUND : `concept:${code}`,
      name,
      "semapv:LexicalMatching",
      language === undefined ? "" : `language=${language}`,
      reason,
    ],
  ]);
}
