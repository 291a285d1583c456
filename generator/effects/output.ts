/**
 * Writes the files of a build next to the target, and moves them into its place by renames once
 * they are complete. A build that fails or is killed leaves the old release; the next build moves
 * it back if necessary. The folder `<target>.building` is the lock, the staging folder, and the
 * place that the old release waits in.
 */
import { createHash, type Hash } from "node:crypto";
import path from "node:path";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { INDEX_FILE, MANIFEST_FILE } from "../../runtime/contract/files.ts";
import { encoded, tap } from "../text/chunks.ts";
import { type Effects, isOther, readTextIfFile } from "./effects.ts";

/** Files of a build, in the order they are written. */
export interface Output {
  /** Where its files are until the build ends. */
  readonly directory: string;
  /** The bytes of a file that was written. */
  read(name: string): Uint8Array;
  /** Writes a text as UTF-8 or bytes, whole or in pieces. */
  write(name: string, content: string | Iterable<string | Uint8Array>): FileDigest;
  /** The same for slow or many chunks of bytes. */
  writeStream(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FileDigest>;
}

/**
 * A target folder that must not be replaced now; the message is one line for the person who named
 * the folder.
 */
export class OutputError extends Error {
  override name = "OutputError";
}

const OWNER = "process";

/** Runs `build`, then replaces `directory` with its output, unless `build` calls `keep`. */
export async function replaceDirectory<T>(
  effects: Effects,
  directory: string,
  build: (output: Output, keep: () => void) => T | Promise<T>,
): Promise<T> {
  const target = effects.realPath(directory);
  const work = claim(effects, directory, target);
  let isKept = false;
  const keep = (): void => void (isKept = true);
  try {
    const output: Output = {
      directory: work.next,
      read: (name) => effects.read(path.join(work.next, name)),
      write(name, content) {
        const sha256 = createHash("sha256");
        const hashed = tap(encoded(content), (chunk) => void sha256.update(chunk));
        const bytes = effects.write(path.join(work.next, name), hashed);
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

/** Takes the folder for this build alone. */
function claim(effects: Effects, directory: string, target: string): ReturnType<typeof workPlace> {
  const work = workPlace(target);
  const own = `${work.folder}-${effects.processId}`;
  try {
    recoverDirectory(effects, directory);
    assertReplaceable(effects, target, directory);
    // Created with its owner inside, then renamed: a second build finds the name taken.
    effects.write(path.join(own, OWNER), encoded(String(effects.processId)));
    if (effects.renameToNew(own, work.folder)) return work;
  } catch (error) {
    // Another build renamed or removed what was just listed.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  effects.remove(own);
  throw new OutputError(`Another build of ${directory} has just begun or ended: run this again`);
}

/**
 * Undoes the effects of a killed build: moves back the release that it had moved aside, and removes
 * the rest.
 */
export function recoverDirectory(effects: Effects, directory: string): void {
  const target = effects.realPath(directory);
  const { folder, owner, previous } = workPlace(target);
  removeUnclaimed(effects, folder);
  const kind = effects.kind(folder);
  if (kind === "none") return;
  const names = kind === "directory" ? effects.names(folder) : ["a file"];
  const process = Number(readTextIfFile(effects, owner));
  if (names.length > 0 && !(process > 0))
    throw new OutputError(`${folder} is in the way: no build made it, so remove it`);
  if (process > 0 && process !== effects.processId && effects.isRunning(process)) {
    const isAside = effects.kind(target) === "none" && effects.kind(previous) === "directory";
    const remedy = `${isAside ? `move ${previous} to ${target} and ` : ""}remove ${folder}`;
    throw new OutputError(
      `Another build of ${directory} is running (process ${process}), so nothing was written: run this again when that has ` +
        `ended, or ${remedy} if no build is running`,
    );
  }
  restore(effects, target);
}

/** Removes the claims of builds that were killed before the rename. */
function removeUnclaimed(effects: Effects, folder: string): void {
  const parent = path.dirname(folder);
  if (effects.kind(parent) !== "directory") return;
  for (const name of effects.names(parent)) {
    const process = name.startsWith(`${path.basename(folder)}-`) ? name.slice(path.basename(folder).length + 1) : "";
    const claimed = path.join(parent, name);
    if (!/^\d+$/.test(process) || effects.kind(claimed) !== "directory") continue;
    if (effects.names(claimed).every((one) => one === OWNER) && !effects.isRunning(Number(process)))
      effects.remove(claimed);
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

/** Only an empty folder or an earlier release may be replaced, never a person's own files. */
function assertReplaceable(effects: Effects, target: string, named: string): void {
  const kind = effects.kind(target);
  if (kind === "file") throw new OutputError(`--out ${named} is a file, not a directory`);
  if (isOther(effects, target))
    throw new OutputError(`--out ${named} is a device, or a link that leads nowhere: name a folder`);
  if (kind === "none" || effects.names(target).length === 0) return;
  // Only a release directory has a dist. An OCI layout has a marker file.
  if (isDist(effects, target) || isDist(effects, path.join(target, "dist"))) return;
  if (effects.kind(path.join(target, "oci-layout")) === "file") return;
  throw new OutputError(
    `--out ${named} holds files that are not a release, so it is not replaced: name another folder`,
  );
}

/** The dist that a person means: the folder, or the one in it if the folder is a release. */
export function distIn(effects: Effects, folder: string): string {
  const inside = path.join(folder, "dist");
  const [own, inner] = [folder, inside].map((one) => effects.kind(path.join(one, MANIFEST_FILE)));
  return own === "none" && inner === "file" ? inside : folder;
}

/** Many projects have a manifest.json, but only a dist also has the index. */
export function isDist(effects: Effects, folder: string): boolean {
  return [MANIFEST_FILE, INDEX_FILE].every((name) => effects.kind(path.join(folder, name)) === "file");
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
