/**
 * Checks the changes by concept against the change documents: each line says what they say about
 * its code, and no line is missing (O-68).
 */
import { CONCEPT_HISTORY_PATH } from "../../../runtime/contract/added-resources.ts";
import { ConceptHistory } from "../../../runtime/contract/concept.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { CONCEPT_HISTORY_MAX_LENGTH, type RegistryChanges } from "../../contract/changes.ts";
import type { RegistryHistory } from "../../contract/history.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { compareCodePoints } from "../../text/order.ts";
import { readAs } from "./json.ts";
import type { Dist, Documents, Faults } from "./parts.ts";

const parse = compileSchema(ConceptHistory);

export function checkConceptHistory(dist: Dist, documents: Documents): Faults {
  const name = CONCEPT_HISTORY_PATH.slice(1);
  const wanted = wantedLines(documents);
  if (!dist.names.includes(name)) return wanted.size > 0 && !isTooLong(wanted) ? [`${name}: missing`] : [];
  const text = dist.text(name);
  if (text?.endsWith("\n") !== true) return [`${name}: not UTF-8, or its last line does not end`];
  const { releases = [] } = (documents.get(paths.history) ?? {}) as Partial<RegistryHistory>;
  const versions = releases.map(({ registryVersion }) => registryVersion);
  const faults: Faults = [];
  let before = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const history = readAs(new TextEncoder().encode(line), parse);
    if (!history.ok || JSON.stringify(history.value) !== line) {
      faults.push(`${name}: ${line.slice(0, 80)} is not a line of changes`);
      continue;
    }
    const { code, changes } = history.value;
    if (before !== "" && compareCodePoints(before, code) >= 0) faults.push(`${name}: ${code} is not in order`);
    before = code;
    const places = changes.map(({ registryVersion }) => versions.indexOf(registryVersion));
    if (places.some((place, i) => i > 0 && place <= (places[i - 1] ?? 0)))
      faults.push(`${name}: ${code} has its versions in another order, or one twice`);
    for (const change of changes)
      if (!wanted.delete(JSON.stringify([code, change])))
        faults.push(`${name}: ${code} did not change like this in ${change.registryVersion}`);
  }
  return [...faults, ...[...wanted].map((one) => `${name}: lacks ${one}`)];
}

/**
 * Whether the document would be too long for a release; `wanted` are its changes, each with its
 * code.
 */
function isTooLong(wanted: ReadonlySet<string>): boolean {
  const byCode = groupBy(
    Array.from(wanted, (one) => JSON.parse(one) as [string, unknown]),
    ([code]) => code,
  );
  const lines = Array.from(byCode, ([code, own]) => JSON.stringify({ code, changes: own.map(([, change]) => change) }));
  return lines.join("\n").length + 1 > CONCEPT_HISTORY_MAX_LENGTH;
}

/** The changes in the change documents, as pairs of a code and a change. */
function wantedLines(documents: Documents): Set<string> {
  const wanted = new Set<string>();
  for (const [path, value] of documents) {
    if (!path.startsWith(`${paths.changes}/`)) continue;
    const { registryVersion, concepts, resolutions } = value as RegistryChanges;
    const [gained, lost] = (["after", "before"] as const).map((side) =>
      groupBy(
        resolutions.filter(({ [side]: answer }) => "code" in answer),
        ({ [side]: answer }) => ("code" in answer ? answer.code : ""),
      ),
    );
    const changes = new Map(concepts.map(({ code, change }) => [code, change]));
    const count = (of: typeof gained, code: string): number =>
      new Set(of?.get(code)?.map(({ expression }) => expression)).size;
    for (const code of new Set([...changes.keys(), ...(gained?.keys() ?? []), ...(lost?.keys() ?? [])])) {
      const change = changes.get(code) ?? null;
      const counts = { gained: count(gained, code), lost: count(lost, code) };
      wanted.add(JSON.stringify([code, { registryVersion, change, ...counts }]));
    }
  }
  return wanted;
}
