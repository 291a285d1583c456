/**
 * Where a build puts its files: everything is written next to the target and takes its place by renames once it is
 * whole. A build that fails or is killed leaves the old release, and the next build brings it back where it must.
 * The folder `<target>.building` is the lock, the staging place and the way back in one.
 */
import { createHash, type Hash } from "node:crypto";
import path from "node:path";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { INDEX_FILE, MANIFEST_FILE } from "../../runtime/release/manifest.ts";
import { encoded } from "./chunks.ts";
import { type Effects, isOther, readTextIfFile } from "./effects.ts";

/** Files of a build, in the order they are written. */
export interface Output {
  /** Writes a file in pieces. */
  write(name: string, chunks: Iterable<Uint8Array>): FileDigest;
  /** The same for pieces that take their time, or are many. */
  writeStream(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FileDigest>;
}

/** A target folder that must not be replaced now; the message is one line for the person who named it. */
export class OutputError extends Error {
  override name = "OutputError";
}

const OWNER = "process";

/** Runs `build`, then puts what it wrote in the place of `directory`, unless it says that what is there is kept. */
export async function replaceDirectory<T>(
  effects: Effects,
  directory: string,
  build: (output: Output, keep: () => void) => T | Promise<T>,
): Promise<T> {
  const target = effects.realPath(directory);
  recoverDirectory(effects, directory);
  assertReplaceable(effects, target, directory);
  const work = workPlace(target);
  // Made with its owner inside, then renamed: whoever comes second finds it taken.
  const own = `${work.folder}-${effects.processId}`;
  effects.write(path.join(own, OWNER), encoded(String(effects.processId)));
  if (!effects.renameToNew(own, work.folder)) {
    effects.remove(own);
    throw new OutputError(`Another build of ${directory} has just begun`);
  }
  let isKept = false;
  const keep = (): void => void (isKept = true);
  try {
    const output: Output = {
      write(name, chunks) {
        const sha256 = createHash("sha256");
        const bytes = effects.write(path.join(work.next, name), hashed(chunks, sha256));
        return { path: name, bytes, sha256: sha256.digest("hex") };
      },
      async writeStream(name, chunks) {
        const sha256 = createHash("sha256");
        const bytes = await effects.writeStream(path.join(work.next, name), hashedLater(chunks, sha256));
        return { path: name, bytes, sha256: sha256.digest("hex") };
      },
    };
    const result = await build(output, keep);
    if (isKept) return result;
    if (effects.kind(target) === "directory") effects.rename(target, work.previous);
    effects.rename(work.next, target);
    return result;
  } finally {
    restore(effects, target);
  }
}

/** Undoes what a killed build left: brings back the release it had moved aside, removes the rest. */
export function recoverDirectory(effects: Effects, directory: string): void {
  const target = effects.realPath(directory);
  const { folder, owner } = workPlace(target);
  removeUnclaimed(effects, folder);
  const kind = effects.kind(folder);
  if (kind === "none") return;
  const names = kind === "directory" ? effects.names(folder) : ["a file"];
  const process = Number(readTextIfFile(effects, owner));
  if (names.length > 0 && !(process > 0))
    throw new OutputError(`${folder} is in the way: it is no build's, so remove it`);
  if (process > 0 && process !== effects.processId && effects.isRunning(process)) {
    throw new OutputError(`Another build of ${directory} is running (process ${process})`);
  }
  restore(effects, target);
}

/** Removes claims whose build was killed before it could make them. */
function removeUnclaimed(effects: Effects, folder: string): void {
  const parent = path.dirname(folder);
  if (effects.kind(parent) !== "directory") return;
  for (const name of effects.names(parent)) {
    const process = name.startsWith(`${path.basename(folder)}-`) ? name.slice(path.basename(folder).length + 1) : "";
    const claim = path.join(parent, name);
    if (!/^\d+$/.test(process) || effects.kind(claim) !== "directory") continue;
    if (effects.names(claim).every((one) => one === OWNER) && !effects.isRunning(Number(process)))
      effects.remove(claim);
  }
}

function restore(effects: Effects, target: string): void {
  const { folder, previous } = workPlace(target);
  if (effects.kind(target) === "none" && effects.kind(previous) === "directory") effects.rename(previous, target);
  effects.remove(folder);
}

function workPlace(target: string): { folder: string; owner: string; next: string; previous: string } {
  const folder = `${target}.building`;
  const within = (name: string): string => path.join(folder, name);
  return { folder, owner: within(OWNER), next: within("next"), previous: within("previous") };
}

/** Only an empty folder or an earlier release may be replaced: never somebody's own files. */
function assertReplaceable(effects: Effects, target: string, named: string): void {
  const kind = effects.kind(target);
  if (kind === "file") throw new OutputError(`--out ${named} is a file, not a directory`);
  if (isOther(effects, target))
    throw new OutputError(`--out ${named} is a device, or a link that leads nowhere: name a folder`);
  if (kind === "none" || effects.names(target).length === 0) return;
  // Many projects have a manifest.json; only a dist has the index next to it, and only a release directory has a dist.
  // An OCI layout says what it is.
  const isDist = (folder: string): boolean =>
    [MANIFEST_FILE, INDEX_FILE].every((name) => effects.kind(path.join(folder, name)) === "file");
  if (isDist(target) || isDist(path.join(target, "dist"))) return;
  if (effects.kind(path.join(target, "oci-layout")) === "file") return;
  throw new OutputError(`--out ${named} holds files but no release, so it is not replaced: name another folder`);
}

function* hashed(chunks: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array, void> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* hashedLater(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash: Hash,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
