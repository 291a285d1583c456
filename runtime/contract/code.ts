/**
 * The syntax of a ConceptCode. A code is opaque: compared byte for byte, never normalized,
 * translated or repaired.
 * Source: contract §4.2; ruling O-02.
 */
import { CODE_MAX_LENGTH } from "./limits.ts";

/** A code needs no percent-encoding in a URL path. */
export const CODE_PATTERN = "^[A-Z][A-Z0-9]*(?:[-._][A-Z0-9]+)*$";

const pattern = new RegExp(CODE_PATTERN, "u");

export function isConceptCode(text: string): boolean {
  return text.length <= CODE_MAX_LENGTH && pattern.test(text);
}
