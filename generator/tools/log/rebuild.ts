/**
 * Makes the entry of a release again from its published dist, and compares it with the log: who
 * changes a binding of an old release and adapts everything else is found here.
 */
import path from "node:path";
import { changesPath } from "../../../runtime/contract/added-resources.ts";
import { BUNDLE_FILE } from "../../../runtime/contract/files.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { type ChangeRecord, type Reassignment, reassignmentsIn } from "../../contract/changes.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Concept } from "../../registry/concept.ts";
import { type ReleasedExpressions, releasedExpressions } from "../../registry/memory.ts";
import { splitLines } from "../../text/chunks.ts";
import { bindingKey, type Leaf, leafIn, nextLeaves } from "./bindings.ts";
import { encodeBase64 } from "./c2sp.ts";
import { type DistFacts, readDistFacts } from "./entry.ts";
import type { Log } from "./source.ts";
import type { StoredLeaves } from "./stored-leaves.ts";
import { TreeWriter } from "./tiles.ts";
import { parseBinding } from "./verifier.ts";

interface Logged {
  readonly log: Log;
  /** Of the last entry. */
  readonly leaves: StoredLeaves;
}

/** What a dist contradicts in the log. */
export function releaseFaults(effects: Effects, dist: string, { log, leaves }: Logged): string[] {
  const facts = readDistFacts(effects, dist);
  const { registryVersion } = facts;
  const at = log.entries.findIndex((entry) => entry.registryVersion === registryVersion);
  const entry = log.entries[at];
  if (entry === undefined) return [`${dist} is ${registryVersion}, which is not in the log`];
  const names = Object.keys(facts) as (keyof DistFacts)[];
  const faults = names.flatMap((name) =>
    facts[name] === entry[name]
      ? []
      : [`${dist} has ${name} ${facts[name]}, but the entry of ${registryVersion} has ${entry[name]}`],
  );
  const versions = new Set(log.entries.slice(0, at).map((one) => one.registryVersion));
  const tree = new TreeWriter(() => undefined);
  const released = {
    registryVersion,
    concepts: conceptsIn(effects, dist),
    bytes: effects.digest(path.join(dist, BUNDLE_FILE)).bytes,
    reassigned: reassignedIn(effects, dist, registryVersion),
  };
  for (const { data } of nextLeaves(leavesIn(leaves, versions), released, effects)) tree.add(data);
  const root = encodeBase64(tree.finish().root);
  if (root !== entry.bindings.root)
    faults.push(
      `${dist} makes bindings with the root ${root}, but the entry of ${registryVersion} has ${entry.bindings.root}`,
    );
  return faults;
}

function* leavesIn(leaves: StoredLeaves, versions: ReadonlySet<string>): Generator<Leaf, void> {
  for (const leaf of leaves.all()) {
    const binding = parseBinding(leaf);
    const data = leafIn(binding, versions);
    if (data !== undefined) yield { key: bindingKey(binding.expression, binding.language), data };
  }
}

function* conceptsIn(effects: Effects, dist: string): Generator<ReleasedExpressions, void> {
  for (const line of splitLines(effects.chunks(path.join(dist, BUNDLE_FILE)))) {
    const json = parseJson(line);
    if (json.ok) yield releasedExpressions(json.value as Concept);
  }
}

function reassignedIn(effects: Effects, dist: string, version: string): Reassignment[] {
  const file = path.join(dist, changesPath(version));
  if (effects.kind(file) !== "file") return [];
  const json = parseJson(effects.read(file));
  return json.ok ? reassignmentsIn((json.value as ChangeRecord).resolutions) : [];
}
