/**
 * The published record of a concept, as this service gives it: for its readers a provenance is any JSON value, and that of
 * a release is never more than a Provenance.
 */
import { ConceptDetail, ConceptExpression, Provenance } from "../../../runtime/contract/concept.ts";
import { closed, nullable } from "../../../runtime/contract/schema.ts";
import * as Type from "../../../runtime/contract/type.ts";
import { compileSchema } from "../../text/compile-schema.ts";

const provenance = nullable(Provenance);
const expressions = Type.Array(closed({ ...ConceptExpression.properties, provenance }));
const parse = compileSchema(closed({ ...ConceptDetail.properties, provenance, expressions }));

/**
 * Undefined where it is not JSON. Whoever asks writes it again and compares, so a name that it has twice is found there;
 * nothing in it is nested deeper than its schema.
 */
export function readDetail(line: Uint8Array): ReturnType<typeof parse> | undefined {
  try {
    // Without its line feed, or whatever is in its place.
    return parse(JSON.parse(decoder.decode(line.subarray(0, -1))));
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
