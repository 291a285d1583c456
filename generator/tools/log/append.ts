/**
 * Adds the last recorded release to a log: its bindings, its entry, and the checkpoint to sign.
 * The log must be a beginning of the recorded history; nothing that it holds is ever changed.
 */
import path from "node:path";
import type { Effects } from "../../effects/effects.ts";
import { publishedLines } from "../../registry/memory.ts";
import { memoryFile } from "../../registry/read-memory.ts";
import { streamRegistry } from "../../registry/read.ts";
import type { HistoryRecord } from "../../registry/record.ts";
import { formatFinding, isError } from "../../text/finding.ts";
import { UsageError } from "../../text/usage-error.ts";
import { bindingKey, type Leaf, leafIn, nextLeaves, type Released } from "./bindings.ts";
import { encodeBase64, ProofError, type VerifierKey, policyOfLog } from "./c2sp.ts";
import { type DistFacts, formatEntry, readDistFacts } from "./entry.ts";
import { EMPTY_ROOT } from "./merkle.ts";
import { statedFaults } from "./memory.ts";
import { checkpointText, replaceFile, writing } from "./log-folder.ts";
import { BINDINGS_FOLDER, type Log } from "./signed-log.ts";
import { openSource, readNext, UNSIGNED_FILE } from "./source.ts";
import { tilePath } from "./tile-reader.ts";
import { type Tree, TreeWriter } from "./tiles.ts";
import { type Entry, parseBinding, splitRecords } from "./verifier.ts";

export interface Places {
  readonly registry: string;
  readonly dist: string;
  readonly log: string;
}

export interface Appended {
  /** False if the log already ends with the release. */
  readonly isNew: boolean;
  readonly registryVersion: string;
  readonly size: number;
  readonly bindings: number;
}

/** Throws UsageError or ProofError if the release cannot follow what is there. */
export async function appendRelease(effects: Effects, places: Places, key: VerifierKey): Promise<Appended> {
  const log = await readNext(openSource(effects, places.log), policyOfLog(key));
  const { history, released } = readReleased(effects, places.registry);
  const last = history.at(-1);
  if (last === undefined) throw new UsageError(`${places.registry} has no recorded release to append`);
  const { registryVersion } = last;
  const [contradiction] = statedFaults(log ?? emptyLog(key.name), history);
  if (contradiction !== undefined) throw new ProofError(contradiction);
  requireContinuation(log?.entries ?? [], history);
  const facts = readDistFacts(effects, places.dist);
  requireSameRelease(facts, last, places);
  const size = log?.entries.length ?? 0;
  const entry = log?.entries.at(-1);
  if (entry?.registryVersion === registryVersion) {
    requireSameFacts(facts, entry, places);
    return { isNew: false, registryVersion, size, bindings: entry.bindings.count };
  }
  requireNext(log?.entries ?? [], facts);
  let bindings = 0;
  writing(effects, places.log, () => {
    const tree = replaceBindings(effects, places.log, { log, released });
    const previous = history.at(-2)?.registryVersion ?? null;
    const leaf = formatEntry(facts, { previous, history: last, bindings: tree });
    const head = writeEntries(effects, places.log, [...(log?.leaves ?? []), leaf]);
    replaceFile(effects, places.log, { name: UNSIGNED_FILE, text: checkpointText(key.name, head) });
    bindings = tree.size;
  });
  return { isNew: true, registryVersion, size: size + 1, bindings };
}

function emptyLog(origin: string): Log {
  return { checkpoint: { origin, size: 0, root: EMPTY_ROOT }, entries: [], leaves: [] };
}

/** The recorded releases, and what the last one publishes. Throws UsageError if it is damaged. */
function readReleased(effects: Effects, registry: string): { history: HistoryRecord; released: Released } {
  const { history, memory, findings } = streamRegistry(effects, registry, () => undefined);
  const fault = findings.find(isError);
  if (fault !== undefined) throw new UsageError(`${registry}/${formatFinding(fault)}`);
  const last = history.at(-1);
  const registryVersion = last?.registryVersion ?? "";
  const place = path.join(registry, memoryFile(registryVersion));
  return {
    history,
    released: {
      registryVersion,
      concepts: memory === undefined ? [] : publishedLines(memory),
      bytes: effects.kind(place) === "file" ? effects.digest(place).bytes : 0,
      reassigned: last?.reassigned ?? [],
    },
  };
}

/** The log may begin later than the history, and then has each release, with the same content. */
function requireContinuation(entries: readonly Entry[], history: HistoryRecord): void {
  const first = entries[0]?.registryVersion;
  if (first === undefined) return;
  const start = history.findIndex(({ registryVersion }) => registryVersion === first);
  if (start < 0) throw new ProofError(`The log begins with ${first}, which history.yaml does not record`);
  for (const [i, entry] of entries.entries()) {
    const recorded = history[start + i];
    if (recorded?.registryVersion !== entry.registryVersion)
      throw new ProofError(
        `The log has ${entry.registryVersion} where history.yaml has ${recorded?.registryVersion ?? "nothing"}: restore history.yaml`,
      );
    if (recorded.contentSha256 !== entry.contentSha256)
      throw new ProofError(
        `The log has ${entry.registryVersion} with the content ${entry.contentSha256}, and history.yaml with ${recorded.contentSha256}`,
      );
  }
  const missing = history.slice(start + entries.length, -1).map(({ registryVersion }) => registryVersion);
  if (missing.length > 0)
    throw new UsageError(
      `The log lacks ${missing.join(", ")}: append each release from the revision that recorded it, oldest first`,
    );
}

function requireSameRelease(facts: DistFacts, last: HistoryRecord[number], { dist, registry }: Places): void {
  if (facts.registryVersion === last.registryVersion && facts.contentSha256 === last.contentSha256) return;
  throw new UsageError(
    `${dist} is ${facts.registryVersion} (${facts.contentSha256}), but the last release in ${registry} is ${last.registryVersion} (${last.contentSha256}): build it first`,
  );
}

function requireSameFacts(facts: DistFacts, entry: Entry, { dist }: Places): void {
  const other = (Object.keys(facts) as (keyof DistFacts)[]).find((name) => facts[name] !== entry[name]);
  if (other === undefined) return;
  throw new ProofError(
    `The log has ${entry.registryVersion} with ${other} ${entry[other]}, but ${dist} has ${facts[other]}: a version is logged once`,
  );
}

/** A registry keeps its name, because a log is of one registry. */
function requireNext(entries: readonly Entry[], { registry }: DistFacts): void {
  const known = entries.at(-1)?.registry;
  if (known !== undefined && known !== registry)
    throw new UsageError(`The log is of the registry ${known}, not of ${registry}: begin another log`);
}

interface Growing {
  readonly log: Log | undefined;
  readonly released: Released;
}

/** Writes the tree of the bindings next to the one before, and then takes its place. */
function replaceBindings(effects: Effects, folder: string, { log, released }: Growing): Tree {
  const target = path.join(folder, BINDINGS_FOLDER);
  const next = path.join(folder, `.${BINDINGS_FOLDER}.new`);
  const former = path.join(folder, `.${BINDINGS_FOLDER}.old`);
  if (effects.kind(target) === "none" && effects.kind(former) === "directory") effects.rename(former, target);
  for (const left of [next, former]) effects.remove(left);
  const entry = log?.entries.at(-1);
  const before = new TreeWriter(() => undefined);
  const leaves = entry === undefined ? [] : formerLeaves(effects, target, { log, before });
  const tree = new TreeWriter((name, bytes) => void effects.write(path.join(next, name), [bytes]));
  for (const { data } of nextLeaves(leaves, released, effects)) tree.add(data);
  const root = encodeBase64(before.finish().root);
  if (entry !== undefined && root !== entry.bindings.root) {
    effects.remove(next);
    throw new ProofError(
      `${target} makes the root ${root}, but the entry of ${entry.registryVersion} has ${entry.bindings.root}: restore it from version control`,
    );
  }
  const made = tree.finish();
  if (effects.kind(target) === "directory") effects.rename(target, former);
  if (effects.kind(next) === "directory") effects.rename(next, target);
  effects.remove(former);
  return made;
}

/**
 * The leaves as they were at the last entry. A killed run may have left those of the release that
 * is appended now, so its codes are left out.
 */
function* formerLeaves(
  effects: Effects,
  folder: string,
  { log, before }: { readonly log: Log | undefined; readonly before: TreeWriter },
): Generator<Leaf, void> {
  const versions = new Set(log?.entries.map(({ registryVersion }) => registryVersion));
  for (const data of storedLeaves(effects, folder)) {
    const binding = parseBinding(data);
    const known = leafIn(binding, versions);
    if (known === undefined) continue;
    before.add(known);
    yield { key: bindingKey(binding.expression, binding.language), data: known };
  }
}

/** The leaves in the bundles of a folder, one file after the other. */
function* storedLeaves(effects: Effects, folder: string): Generator<Uint8Array, void> {
  for (let index = 0; ; index++) {
    const full = tilePath({ level: "entries", index, width: 256 });
    const isFull = effects.kind(path.join(folder, full)) === "file";
    const partial = `${full}.p`;
    if (!isFull && effects.kind(path.join(folder, partial)) !== "directory") return;
    const name = isFull ? full : `${partial}/${effects.names(path.join(folder, partial))[0]}`;
    yield* splitRecords(effects.read(path.join(folder, name)), name);
    if (!isFull) return;
  }
}

/** Writes the tiles of the entries; those that are there keep their bytes. */
function writeEntries(effects: Effects, folder: string, leaves: readonly Uint8Array[]): Tree {
  const tree = new TreeWriter((name, bytes) => {
    const place = path.join(folder, name);
    if (effects.kind(place) !== "file") effects.write(place, [bytes]);
    else if (Buffer.compare(effects.read(place), bytes) !== 0)
      throw new ProofError(`${place} is not the file that the log wrote: restore it from version control`);
  });
  for (const leaf of leaves) tree.add(leaf);
  return tree.finish();
}
