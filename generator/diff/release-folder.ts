/**
 * Where the release of an argument is: in a folder, in one that an archive is unpacked to, or in one that a git revision is
 * built in. The folders that are made for it are removed when it is closed.
 */
import path from "node:path";
import { INDEX_FILE, MANIFEST_FILE } from "../../runtime/release/manifest.ts";
import type { Effects } from "../effects/effects.ts";
import { compareCodePoints } from "../text/order.ts";
import { UsageError } from "../text/usage-error.ts";
import type { Side } from "./comparison.ts";
import { extract } from "./extract.ts";
import { buildCommit, findCommit } from "./revision.ts";

/** What an argument turned out to be. */
export interface Located {
  readonly given: string;
  readonly kind: Side["kind"];
  readonly commit: string | null;
}

/** What `given` names: a path that exists wins over a revision of the same name. Throws UsageError where it is neither. */
export async function locate(effects: Effects, given: string): Promise<Located> {
  const kind = effects.kind(given);
  if (kind !== "none") return { given, kind: kind === "file" ? "archive" : "directory", commit: null };
  const commit = given === "" ? undefined : await findCommit(effects, given);
  if (commit === undefined)
    throw new UsageError(`${JSON.stringify(given)} is no folder, no archive and no git revision here`);
  return { given, kind: "revision", commit };
}

export interface ReleaseFolder {
  readonly directory: string;
  close(): void;
}

/** Finds the folder; a revision is built for `origin`. Throws UsageError where there is no release. */
export async function openFolder(effects: Effects, located: Located, origin: string): Promise<ReleaseFolder> {
  const { given, kind, commit } = located;
  if (kind === "directory") return { directory: findIn(effects, given), close: () => undefined };
  const folder = effects.makeTemporary("service-semantics-diff");
  const close = (): void => effects.remove(folder);
  try {
    if (commit !== null) return { directory: await buildCommit(effects, { commit, origin }, folder), close };
    await extract(effects, given, folder);
    return { directory: findBelow(effects, folder, given), close };
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
