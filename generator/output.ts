/**
 * Where a build puts its files: a staging folder beside the target that takes its place by a rename once everything is
 * written. A build that fails or is stopped leaves the old release whole.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { type FileDigest, INDEX_FILE, MANIFEST_FILE } from "../runtime/manifest.ts";
import type { Effects } from "./effects.ts";

/** Files of a build, in the order they are written. */
export interface Output {
  /** Writes a file in pieces; returns its digest and what the pieces' generator returned. */
  write<T>(name: string, chunks: Generator<Uint8Array, T>): { digest: FileDigest; value: T };
}

/** A target folder that must not be replaced; the message is one line for the person who named it. */
export class OutputError extends Error {
  override name = "OutputError";
}

const STAGING = ".staging-";
const PREVIOUS = ".previous";

/** Runs `build` into a staging folder, then puts it in the place of `directory`. */
export function replaceDirectory<T>(effects: Effects, directory: string, build: (output: Output) => T): T {
  const target = path.resolve(directory);
  assertReplaceable(effects, target, directory);
  const staging = `${target}${STAGING}${effects.processId}`;
  clean(effects, target);
  try {
    const result = build({
      write(name, chunks) {
        const { bytes, sha256, value } = writeFile(effects, path.join(staging, name), chunks);
        return { digest: { path: name, bytes, sha256 }, value };
      },
    });
    if (effects.kind(target) === "directory") effects.rename(target, target + PREVIOUS);
    effects.rename(staging, target);
    effects.remove(target + PREVIOUS);
    return result;
  } finally {
    effects.remove(staging);
  }
}

/** Brings back a release that a stopped build had moved aside but not yet replaced. */
export function recoverDirectory(effects: Effects, directory: string): void {
  const target = path.resolve(directory);
  if (effects.kind(target) === "none" && effects.kind(target + PREVIOUS) === "directory") {
    effects.rename(target + PREVIOUS, target);
  }
}

/** Only an empty folder or an earlier release may be replaced: never somebody's own files. */
function assertReplaceable(effects: Effects, target: string, named: string): void {
  recoverDirectory(effects, target);
  const kind = effects.kind(target);
  if (kind === "file") throw new OutputError(`--out ${named} is a file, not a directory`);
  if (kind === "none" || effects.names(target).length === 0) return;
  // Many projects have a manifest.json; only a release has the index beside it.
  if ([MANIFEST_FILE, INDEX_FILE].every((name) => effects.kind(path.join(target, name)) === "file")) return;
  throw new OutputError(`--out ${named} holds files but no release, so it is not replaced: name another folder`);
}

/** Removes what a stopped build left behind. */
function clean(effects: Effects, target: string): void {
  const parent = path.dirname(target);
  if (effects.kind(parent) !== "directory") return;
  for (const name of effects.names(parent)) {
    const [, id] = name.split(path.basename(target) + STAGING);
    if (name.startsWith(path.basename(target) + STAGING) && !effects.isRunning(Number(id)))
      effects.remove(path.join(parent, name));
  }
  effects.remove(target + PREVIOUS);
}

function writeFile<T>(
  effects: Effects,
  file: string,
  chunks: Generator<Uint8Array, T>,
): { bytes: number; sha256: string; value: T } {
  const sha256 = createHash("sha256");
  let end: { value: T } | undefined;
  const hashed = function* (): Generator<Uint8Array, void> {
    let step = chunks.next();
    for (; step.done !== true; step = chunks.next()) {
      sha256.update(step.value);
      yield step.value;
    }
    end = step;
  };
  const bytes = effects.write(file, hashed());
  if (end === undefined) throw new Error(`${file} was not written to its end`);
  return { bytes, sha256: sha256.digest("hex"), value: end.value };
}
