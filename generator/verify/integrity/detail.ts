/**
 * The published record of a concept, as this service gives it: for its readers a provenance is any JSON value, and that of
 * a release is never more than a Provenance.
 */
import { ConceptDetail, ConceptExpression, Provenance } from "../../../runtime/contract/concept.ts";
import { closed, nullable } from "../../../runtime/contract/schema.ts";
import * as Type from "../../../runtime/contract/type.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { type Json, judge } from "./json.ts";

const provenance = nullable(Provenance);
const expressions = Type.Array(closed({ ...ConceptExpression.properties, provenance }));
const parse = compileSchema(closed({ ...ConceptDetail.properties, provenance, expressions }));

/**
 * Whoever asks writes it again and compares, so a name that it has twice is found there; nothing in it is nested deeper than
 * its schema.
 */
export function readDetail(line: Uint8Array): Json<ConceptDetail> {
  try {
    return judge(JSON.parse(textOf(line)), parse);
  } catch {
    return { ok: false, fault: "not JSON" };
  }
}

/** The details of an index whose every detail was read before, in its order. */
export function* detailsOf(index: RegistryIndex): Generator<ConceptDetail, void> {
  for (let id = 0; id < index.conceptCount; id++)
    yield JSON.parse(textOf(index.read(index.concept(id).detail))) as ConceptDetail;
}

/** What a concept says of identifiers: key, code and kind. */
export function claimsOf({ code, provenance }: ConceptDetail): string[] {
  const claims = (provenance?.exactMatch ?? []).map((iri) => `${iri}\n${code}\nexactMatch`);
  const sourceId = provenance?.sourceId ?? null;
  return sourceId === null ? claims : [...claims, `${sourceId}\n${code}\nsourceId`];
}

/** Without its line feed, or whatever is in its place. */
function textOf(line: Uint8Array): string {
  return decoder.decode(line.subarray(0, -1));
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
