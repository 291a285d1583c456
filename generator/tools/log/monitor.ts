/**
 * Checks a log as a monitor does: that it continues what was seen before, that its entries and the
 * tree of its bindings are complete and in order in every version, and that published releases make
 * them. Every contradiction is a line that names both sides.
 */
import type { LogHead } from "../../contract/log-head.ts";
import type { Effects } from "../../effects/effects.ts";
import { compareVersions } from "../../text/version.ts";
import { bindingKey, leafIn } from "./bindings.ts";
import { encodeBase64, parseCheckpoint, parseNote, type Policy, ProofError, parseProof } from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { memoryFaults } from "./memory.ts";
import { headFaults, nextFaults, releaseFaults } from "./rebuild.ts";
import { readTextOf, type SignedLog } from "./signed-log.ts";
import { type LogSource } from "./source.ts";
import { type StoredLeaves, storeLeaves } from "./stored-leaves.ts";
import { TreeWriter } from "./tiles.ts";
import { type Binding, parseBinding, verifyProof } from "./verifier.ts";

export interface Check {
  readonly policy: Policy;
  readonly remembered: LogHead | undefined;
  /** Built releases to compare with their entries. */
  readonly dists: readonly string[];
  /** A built release that may not be in the log yet. */
  readonly next: string | undefined;
}

/** Returns every contradiction in a signed log; an empty list if there is none. */
export async function checkLog(
  effects: Effects,
  { source, log }: { readonly source: LogSource; readonly log: SignedLog },
  { policy, remembered, dists, next }: Check,
): Promise<string[]> {
  const faults = [...memoryFaults(log, remembered), ...entryFaults(log), ...(await proofFaults(source, log, policy))];
  for (const dist of new Set([...dists, ...(next === undefined ? [] : [next])]))
    faults.push(...headFaults(effects, dist, log));
  try {
    const leaves = await storeLeaves(effects, source, log.entries.at(-1)?.bindings.count ?? 0);
    faults.push(...bindingFaults(log, leaves));
    for (const dist of dists) faults.push(...releaseFaults(effects, dist, { log, leaves }));
    if (next !== undefined) faults.push(...nextFaults(effects, next, { log, leaves }));
    leaves.close();
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    faults.push(error.message);
  }
  return faults;
}

function entryFaults({ entries }: SignedLog): string[] {
  return entries.flatMap(({ registryVersion, previous }, i) => {
    const before = entries[i - 1]?.registryVersion;
    if (before === undefined) return [];
    if (entries.slice(0, i).some((entry) => entry.registryVersion === registryVersion))
      return [`${registryVersion} has two entries: a version is logged once`];
    if (!(compareVersions(before, registryVersion) < 0))
      return [`${registryVersion} does not come after ${before}, the entry before it`];
    if (previous === before) return [];
    return [
      `${registryVersion} says that it follows ${previous ?? "no release"}, but the entry before it is ${before}`,
    ];
  });
}

/** The proofs that were given with earlier checkpoints are a memory too. */
async function proofFaults(source: LogSource, log: SignedLog, policy: Policy): Promise<string[]> {
  const faults: string[] = [];
  for (const { registryVersion } of log.entries) {
    const name = `${registryVersion}.tlog-proof`;
    try {
      const proof = await readTextOf(source, name);
      if (proof === undefined) continue;
      const trust = { policy: { ...policy, isQuorum: () => true }, asked: { registryVersion } };
      await verifyProof(proof, { ...trust, cryptography: nodeCryptography });
      const { origin, size, root } = parseCheckpoint(parseNote(parseProof(proof).checkpoint).text);
      const seen = memoryFaults(log, { origin, size, root: encodeBase64(root) });
      faults.push(...seen.map((fault) => `${name}: ${fault}`));
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  return faults;
}

/** Every version's tree follows from the last: a leaf only ever grows. */
function bindingFaults({ entries }: SignedLog, leaves: StoredLeaves): string[] {
  const faults: string[] = [];
  const known = new Set<string>();
  const trees = entries.map((entry) => {
    known.add(entry.registryVersion);
    return { entry, versions: new Set(known), tree: new TreeWriter(() => undefined) };
  });
  let before: Buffer | undefined;
  for (const leaf of leaves.all()) {
    const binding = parseBinding(leaf);
    const key = bindingKey(binding.expression, binding.language);
    const order = before === undefined ? -1 : Buffer.compare(before, key);
    if (order === 0) faults.push(`${nameOf(binding)} has two bindings in the tree`);
    else if (order > 0) faults.push(`${nameOf(binding)} is not in its place in the tree: the order of keys is broken`);
    before = key;
    faults.push(...codeFaults(binding, known));
    for (const { versions, tree } of trees) {
      const then = versions.size === known.size ? leaf : leafIn(binding, versions);
      if (then !== undefined) tree.add(then);
    }
  }
  for (const { entry, tree } of trees) {
    const { size, root } = tree.finish();
    const found = encodeBase64(root);
    const { count, root: due } = entry.bindings;
    if (size === count && found === due) continue;
    const { registryVersion } = entry;
    faults.push(
      `The bindings of ${registryVersion} are ${size} with the root ${found}, but its entry says ${count} and ${due}`,
    );
  }
  return faults;
}

export function nameOf({ expression, language }: Pick<Binding, "expression" | "language">): string {
  return `${JSON.stringify(expression)} in ${language ?? "no language"}`;
}

function codeFaults(binding: Binding, known: ReadonlySet<string>): string[] {
  const { codes } = binding;
  const other = codes.find(([, version]) => !known.has(version));
  if (other !== undefined) return [`${nameOf(binding)} has ${other[0]} from ${other[1]}, which is not in the log`];
  const wrong = codes.find(
    ([code, version], i) =>
      i > 0 && (codes[i - 1]?.[0] === code || !(compareVersions(codes[i - 1]?.[1] ?? "", version) <= 0)),
  );
  return wrong === undefined ? [] : [`${nameOf(binding)} has ${wrong[0]} from ${wrong[1]} out of order`];
}
