/**
 * One side of a comparison: a release in a folder, in an archive, or of a git revision that is built for it. It need not
 * be one that this version would serve: its index opens by itself, and its other files are what they are.
 */
import path from "node:path";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { parseJson } from "../../runtime/text/json.ts";
import { formatSums, INDEX_FILE, MANIFEST_FILE, SUMS_FILE } from "../../runtime/release/manifest.ts";
import { parseOrigin } from "../../runtime/http/origin.ts";
import { READABLE_FORMATS } from "../../runtime/registry/index-format.ts";
import { openIndex, type RegistryIndex } from "../../runtime/registry/index.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRegistryFiles } from "../../runtime/release/registry-files.ts";
import type { Effects } from "../effects/effects.ts";
import { invocation } from "../text/invocation.ts";
import { UsageError } from "../text/usage-error.ts";
import { compareCodePoints } from "../text/order.ts";
import { cachedSource } from "./cached-source.ts";
import type { Side } from "./comparison.ts";
import { extract } from "./extract.ts";
import { buildCommit, findCommit } from "./revision.ts";

export interface Snapshot {
  readonly side: Side;
  readonly index: RegistryIndex;
  /** The manifest, whatever it holds; null where it is not JSON. */
  readonly manifest: unknown;
  /** Every file, as its bytes are. */
  readonly files: readonly FileDigest[];
  /** Whether SHA256SUMS holds. */
  readonly whole: boolean;
  readonly read: (file: string) => Uint8Array;
  /** Closes the index and removes what was made for this side. */
  close(): void;
}

/** What an argument turned out to be. */
export interface Located {
  readonly given: string;
  readonly kind: Side["kind"];
  readonly commit: string | null;
}

/** The index is read by position, whatever its size: two large ones must leave room for what is found. */
const MEMORY_MAX_BYTES = 0;

/** What `given` names: a path that exists wins over a revision of the same name. Throws UsageError where it is neither. */
export async function locate(effects: Effects, given: string): Promise<Located> {
  const kind = effects.kind(given);
  if (kind !== "none") return { given, kind: kind === "file" ? "archive" : "directory", commit: null };
  const commit = given === "" ? undefined : await findCommit(effects, given);
  if (commit === undefined)
    throw new UsageError(`${JSON.stringify(given)} is no folder, no archive and no git revision here`);
  return { given, kind: "revision", commit };
}

/** Opens a side; a revision is built for `origin`. Throws UsageError or ReleaseError where there is no release to read. */
export async function openSnapshot(effects: Effects, located: Located, origin: string): Promise<Snapshot> {
  const { given, kind, commit } = located;
  if (kind === "directory")
    return readSnapshot(effects, located, { directory: findIn(effects, given), close: () => undefined });
  const folder = effects.makeTemporary("service-semantics-diff");
  const close = (): void => effects.remove(folder);
  try {
    if (commit !== null) {
      return readSnapshot(effects, located, {
        directory: await buildCommit(effects, { commit, origin }, folder),
        close,
      });
    }
    await extract(effects, given, folder);
    return readSnapshot(effects, located, { directory: findBelow(effects, folder, given), close });
  } catch (error) {
    close();
    throw error;
  }
}

function isRelease(effects: Effects, directory: string): boolean {
  return [MANIFEST_FILE, INDEX_FILE].every((name) => effects.kind(path.join(directory, name)) === "file");
}

function findIn(effects: Effects, given: string): string {
  const found = [given, path.join(given, "dist")].find((directory) => isRelease(effects, directory));
  if (found !== undefined) return found;
  throw new UsageError(`${given} holds no release: neither it nor its dist has ${MANIFEST_FILE} and ${INDEX_FILE}`);
}

/** The shallowest release of what was extracted. */
function findBelow(effects: Effects, folder: string, given: string): string {
  const [found] = effects
    .list(folder)
    .filter((name) => path.basename(name) === INDEX_FILE)
    .map((name) => path.dirname(name))
    .filter((directory) => isRelease(effects, path.join(folder, directory)))
    .sort((a, b) => depthOf(a) - depthOf(b) || compareCodePoints(a, b));
  if (found !== undefined) return path.join(folder, found);
  throw new UsageError(`${given} holds no release: no folder in it has ${MANIFEST_FILE} and ${INDEX_FILE}`);
}

function depthOf(directory: string): number {
  return directory === "." ? 0 : directory.split("/").length;
}

function readSnapshot(
  effects: Effects,
  located: Located,
  { directory, close }: { readonly directory: string; readonly close: () => void },
): Snapshot {
  const read = (file: string): Uint8Array => effects.read(path.join(directory, file));
  const opened = openFiles(directory, located);
  const index = guarded(openIndex(cachedSource(opened.index.source), { formats: READABLE_FORMATS }), located.given);
  const json = parseJson(read(MANIFEST_FILE));
  const manifest = json.ok ? json.value : null;
  const unexpected = effects.list(directory).filter((name) => effects.kind(path.join(directory, name)) !== "file");
  const files = effects
    .list(directory)
    .filter((name) => !unexpected.includes(name))
    .map((name) => ({ path: name, ...effects.digest(path.join(directory, name)) }));
  const sums = files.some((file) => file.path === SUMS_FILE) ? new TextDecoder().decode(read(SUMS_FILE)) : "";
  const { conceptCount: concepts, expressionCount: expressions, meta } = index;
  return {
    side: {
      ...located,
      origin: originOf(manifest) ?? null,
      registryVersion: meta.registryVersion,
      concepts,
      expressions,
    },
    index,
    manifest,
    files,
    whole: unexpected.length === 0 && sums === formatSums(files.filter((file) => file.path !== SUMS_FILE)),
    read,
    close() {
      opened.close();
      close();
    },
  };
}

/** A fault of what an archive or a revision was unpacked to is a fault of what was named. */
function openFiles(directory: string, { given, kind }: Located): ReturnType<typeof openRegistryFiles> {
  try {
    return openRegistryFiles(directory, MEMORY_MAX_BYTES);
  } catch (error) {
    if (!(error instanceof ReleaseError) || kind === "directory") throw error;
    throw new UsageError(error.message.replace(directory, given).replace(/[:;] (?:restore|build) [^:;]+$/, ""));
  }
}

function originOf(manifest: unknown): string | undefined {
  const { origin } = (manifest ?? {}) as { origin?: unknown };
  return typeof origin === "string" ? parseOrigin(origin) : undefined;
}

/** What a reader says of an index that no builder made. */
export function damaged(given: string): UsageError {
  return new UsageError(`${given}: ${INDEX_FILE} is damaged; run ${invocation("verify")}`);
}

/** Bytes that no builder made can break a reader anywhere: whatever it is, it is told as what it is. */
function guarded(index: RegistryIndex, given: string): RegistryIndex {
  const guard =
    <Args extends unknown[], T>(read: (...args: Args) => T) =>
    (...args: Args): T => {
      try {
        return read(...args);
      } catch {
        throw damaged(given);
      }
    };
  return {
    ...index,
    source: { length: index.source.length, read: guard((offset, length) => index.source.read(offset, length)) },
    read: guard((span) => index.read(span)),
    postings: guard((key) => index.postings(key)),
    concept: guard((id) => index.concept(id)),
  };
}
