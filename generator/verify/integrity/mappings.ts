/**
 * The identifiers of a release against its concepts: each line a key with its claims, in order, none missing. Notations
 * are in no other document, so of those only the codes can be checked.
 */
import { Mapping } from "../../../runtime/contract/mapping.ts";
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import { MAPPINGS_PATH } from "../../../runtime/contract/added-resources.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { compareCodePoints } from "../../text/order.ts";
import type { Dist, Faults } from "./dist.ts";
import { readJson } from "./json.ts";

const parse = compileSchema(Mapping);

export function checkMappings(dist: Dist, index: RegistryIndex): Faults {
  const name = MAPPINGS_PATH.slice(1);
  const bytes = dist.names.includes(name) ? dist.read(name) : undefined;
  if (bytes === undefined) return [];
  const faults: Faults = [];
  const wanted = claimsOf(index);
  let before = "";
  for (const line of decoder.decode(bytes).replace(/\n$/, "").split("\n")) {
    const json = readJson(encoder.encode(line));
    const reading = json.ok ? parse(json.value) : undefined;
    if (reading?.ok !== true) {
      faults.push(`${name}: ${line.slice(0, 80)} is not a key with its claims`);
      continue;
    }
    const { key, claims } = reading.value;
    if (JSON.stringify(reading.value) !== line) faults.push(`${name}: ${key} is not in the form of a release`);
    if (before !== "" && compareCodePoints(before, key) >= 0) faults.push(`${name}: ${key} is not in order`);
    before = key;
    for (const { code, by } of claims) {
      const isThere = by === "notation" ? index.conceptId(code) !== undefined : wanted.delete(`${key}\n${code}\n${by}`);
      if (!isThere) faults.push(`${name}: ${code} does not claim ${key} by ${by}`);
    }
  }
  for (const claim of wanted) faults.push(`${name}: lacks ${claim.replaceAll("\n", " ")}`);
  return faults;
}

/** Key, code and kind of what the concepts themselves say. */
function claimsOf(index: RegistryIndex): Set<string> {
  const claims = new Set<string>();
  for (let id = 0; id < index.conceptCount; id++) {
    const { code, provenance } = JSON.parse(decoder.decode(index.read(index.concept(id).detail))) as ConceptDetail;
    const sourceId = provenance?.sourceId ?? null;
    if (sourceId !== null) claims.add(`${sourceId}\n${code}\nsourceId`);
    for (const iri of provenance?.exactMatch ?? []) claims.add(`${iri}\n${code}\nexactMatch`);
  }
  return claims;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
