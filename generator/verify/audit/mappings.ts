/**
 * Checks the identifiers of a release against its concepts: each line is a key with its claims, in
 * order, and none is missing (O-69).
 */
import { Mapping, MAPPINGS_MAX_LENGTH } from "../../contract/mapping.ts";
import { MAPPINGS_PATH } from "../../../runtime/contract/added-resources.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { compareCodePoints } from "../../text/order.ts";
import { readAs } from "./json.ts";
import type { Dist, Faults } from "./parts.ts";

const parse = compileSchema(Mapping);

/** `claimed` are the claims of the concepts; those that the file lists are removed from it. */
export function checkMappings(dist: Pick<Dist, "names" | "text">, claimed: Set<string>): Faults {
  const name = MAPPINGS_PATH.slice(1);
  if (!dist.names.includes(name))
    return claimed.size > 0 && lengthOf(claimed) <= MAPPINGS_MAX_LENGTH ? [`${name}: missing`] : [];
  const text = dist.text(name);
  if (text?.endsWith("\n") !== true) return [`${name}: not UTF-8, or its last line does not end`];
  const faults: Faults = [];
  let before = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const mapping = readAs(encoder.encode(line), parse);
    if (!mapping.ok) {
      faults.push(`${name}: ${line.slice(0, 80)} is not a key with its claims`);
      continue;
    }
    const { key, claims } = mapping.value;
    if (JSON.stringify(mapping.value) !== line) faults.push(`${name}: ${key} is not in the form of a release`);
    if (before !== "" && compareCodePoints(before, key) >= 0) faults.push(`${name}: ${key} is not in order`);
    before = key;
    for (const { code, by } of claims) {
      if (!claimed.delete(`${key}\n${code}\n${by}`)) faults.push(`${name}: ${code} does not claim ${key} by ${by}`);
    }
  }
  for (const claim of claimed) faults.push(`${name}: lacks ${claim.replaceAll("\n", " ")}`);
  return faults;
}

/** The length of a document with these claims. */
function lengthOf(claimed: ReadonlySet<string>): number {
  const claims = Array.from(claimed, (claim) => /^([^]*)\n(.*)\n(.*)$/.exec(claim) ?? []);
  const byKey = groupBy(claims, ([, key = ""]) => key);
  const lines = Array.from(byKey, ([key, all]) =>
    JSON.stringify({ key, claims: all.map(([, , code, by]) => ({ code, by })) }),
  );
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

const encoder = new TextEncoder();
