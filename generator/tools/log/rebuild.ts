/**
 * Makes the entry of a release again from its published dist, and compares it with the log: who
 * changes a binding of an old release and adapts everything else is found here.
 */
import path from "node:path";
import { changesPath } from "../../../runtime/contract/added-resources.ts";
import { BUNDLE_FILE } from "../../../runtime/contract/files.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { type ChangeRecord, type Reassignment, reassignmentsIn } from "../../contract/changes.ts";
import type { RegistryHistory } from "../../contract/history.ts";
import { releaseVersionOf } from "../../contract/version.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Concept } from "../../registry/concept.ts";
import { type ReleasedExpressions, releasedExpressions } from "../../registry/memory.ts";
import { splitLines } from "../../text/chunks.ts";
import { compareVersions } from "../../text/version.ts";
import { bindingKey, type Leaf, leafIn, nextLeaves } from "./bindings.ts";
import { encodeBase64 } from "./c2sp.ts";
import { type DistFacts, readDistFacts } from "./entry.ts";
import { statedFaults } from "./memory.ts";
import type { Log } from "./signed-log.ts";
import type { StoredLeaves } from "./stored-leaves.ts";
import { TreeWriter } from "./tiles.ts";
import { parseBinding } from "./verifier.ts";

interface Logged {
  readonly log: Log;
  /** Of the last entry. */
  readonly leaves: StoredLeaves;
}

/** What a dist contradicts in the log; one that is not in it may follow the last release. */
export function nextFaults(effects: Effects, dist: string, logged: Logged): string[] {
  const { registry, registryVersion } = readDistFacts(effects, dist);
  const { entries } = logged.log;
  if (entries.some((entry) => entry.registryVersion === registryVersion)) return releaseFaults(effects, dist, logged);
  const last = entries.at(-1);
  const faults: string[] = [];
  if (last === undefined) return faults;
  if (registry !== last.registry)
    faults.push(`${dist} is of the registry ${registry}, and the log of ${last.registry}`);
  if (!(compareVersions(last.registryVersion, releaseVersionOf(registryVersion)) < 0))
    faults.push(`${dist} is ${registryVersion}, which cannot follow ${last.registryVersion}, the last in the log`);
  return faults;
}

/** What the releases of a dist state of the log before them. */
export function headFaults(effects: Effects, dist: string, log: Log): string[] {
  const json = parseJson(effects.read(path.join(dist, paths.history)));
  const { releases } = json.ok ? (json.value as RegistryHistory) : { releases: [] };
  return statedFaults(log, releases).map((fault) => `${dist}: ${fault}`);
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
