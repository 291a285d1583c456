/**
 * Finds the release that an argument names: a folder, or an archive that is unpacked. The folder
 * made for it is removed when it is closed.
 */
import path from "node:path";
import { INDEX_FILE, MANIFEST_FILE } from "../../../runtime/contract/files.ts";
import type { Effects } from "../../effects/effects.ts";
import { isDist } from "../../effects/output.ts";
import { compareCodePoints } from "../../text/order.ts";
import { UsageError } from "../../text/usage-error.ts";
import type { Side } from "./comparison.ts";
import { extract } from "./extract.ts";

/** An argument and its kind. */
export type Located = Pick<Side, "given" | "kind">;

/** Finds what `given` names. Throws UsageError if there is nothing. */
export function locate(effects: Effects, given: string): Located {
  const kind = effects.kind(given);
  if (kind !== "none") return { given, kind: kind === "file" ? "archive" : "directory" };
  const instead = "a git revision is compared once it is built in a worktree of its own";
  throw new UsageError(`${JSON.stringify(given)} is not a folder or an archive here; ${instead}`);
}

export interface ReleaseFolder {
  readonly directory: string;
  readonly close: () => void;
}

/** Finds the folder. Throws UsageError if there is no release. */
export async function openFolder(effects: Effects, { given, kind }: Located): Promise<ReleaseFolder> {
  if (kind === "directory") return { directory: findIn(effects, given), close: () => undefined };
  const folder = effects.makeTemporary("service-semantics-diff");
  const close = (): void => effects.remove(folder);
  try {
    await extract(effects, given, folder);
    return { directory: findBelow(effects, folder, given), close };
  } catch (error) {
    close();
    throw error;
  }
}

function findIn(effects: Effects, given: string): string {
  const found = [given, path.join(given, "dist")].find((directory) => isDist(effects, directory));
  if (found !== undefined) return found;
  throw new UsageError(`${given} holds no release: neither it nor its dist has ${MANIFEST_FILE} and ${INDEX_FILE}`);
}

/** The shallowest release among the extracted files. */
function findBelow(effects: Effects, folder: string, given: string): string {
  const [found] = effects
    .list(folder)
    .filter((name) => path.basename(name) === INDEX_FILE)
    .map((name) => path.dirname(name))
    .filter((directory) => isDist(effects, path.join(folder, directory)))
    .sort((a, b) => depthOf(a) - depthOf(b) || compareCodePoints(a, b));
  if (found !== undefined) return path.join(folder, found);
  throw new UsageError(`${given} holds no release: no folder in it has ${MANIFEST_FILE} and ${INDEX_FILE}`);
}

function depthOf(directory: string): number {
  return directory === "." ? 0 : directory.split("/").length;
}
