/**
 * The entry of a release: what the log says of it, from its built dist and what the registry
 * records of it. Nothing in it is a time, a path or a choice.
 */
import path from "node:path";
import { ROOT_FILE, BUNDLE_FILE, SUMS_FILE } from "../../../runtime/contract/files.ts";
import { readRelease } from "../../../runtime/release/release.ts";
import { type Effects, readText } from "../../effects/effects.ts";
import type { HistoryEntry } from "../../registry/record.ts";
import { UsageError } from "../../text/usage-error.ts";
import { encodeBase64 } from "./c2sp.ts";
import type { Tree } from "./tiles.ts";
import { type Entry, ENTRY_SCHEMA } from "./verifier.ts";

/** What a dist says of its release. */
export type DistFacts = Omit<Entry, "bindings" | "previous" | "reassigned" | "schema">;

/** Throws ReleaseError if the dist is damaged, UsageError if its sums do not list its registry. */
export function readDistFacts(effects: Effects, dist: string): DistFacts {
  const { manifest } = readRelease(dist);
  const sums = readText(effects, path.join(dist, SUMS_FILE)).split("\n");
  const digestOf = (file: string): string => {
    const { sha256 } = effects.digest(path.join(dist, file));
    if (sums.includes(`${sha256}  ${file}`)) return sha256;
    throw new UsageError(`${dist}/${file} is not the one that ${SUMS_FILE} lists: build again`);
  };
  const { name: registry, registryVersion, contentSha256 } = manifest.registry;
  return {
    bundleSha256: digestOf(BUNDLE_FILE),
    contentSha256,
    indexRootSha256: digestOf(ROOT_FILE),
    origin: manifest.origin,
    registry,
    registryVersion,
    sumsSha256: effects.digest(path.join(dist, SUMS_FILE)).sha256,
  };
}

/** What the registry records of a release. */
export interface Recorded {
  readonly previous: string | null;
  readonly history: HistoryEntry;
  readonly bindings: Tree;
}

/** The entry as RFC 8785 JSON in UTF-8: members in the order of their names. */
export function formatEntry(facts: DistFacts, { previous, history, bindings }: Recorded): Uint8Array {
  const entry: Entry = {
    bindings: { count: bindings.size, root: encodeBase64(bindings.root) },
    bundleSha256: facts.bundleSha256,
    contentSha256: facts.contentSha256,
    indexRootSha256: facts.indexRootSha256,
    origin: facts.origin,
    previous,
    reassigned: history.reassigned?.length ?? 0,
    registry: facts.registry,
    registryVersion: facts.registryVersion,
    schema: ENTRY_SCHEMA,
    sumsSha256: facts.sumsSha256,
  };
  return new TextEncoder().encode(JSON.stringify(entry));
}
