/**
 * Finds the release that an argument names: a folder, an archive that is unpacked, or a git
 * revision that is built. A revision is built from its own source by its own build, so this runs
 * the code of that revision, as checking it out and building it would. The folders made for it are
 * removed when it is closed.
 */
import path from "node:path";
import { INDEX_FILE } from "../../../runtime/release/manifest.ts";
import { MANIFEST_FILE } from "../../../runtime/contract/policy.ts";
import { PROJECT } from "../../effects/closure.ts";
import { type Command, digestIfFile, type Effects } from "../../effects/effects.ts";
import { isDist } from "../../effects/output.ts";
import { compareCodePoints } from "../../text/order.ts";
import { UsageError } from "../../text/usage-error.ts";
import type { Side } from "./comparison.ts";
import { extract } from "./extract.ts";

/** An argument and its kind. */
export interface Located {
  readonly given: string;
  readonly kind: Side["kind"];
  readonly commit: string | null;
}

/**
 * Finds what `given` names; an existing path wins over a revision of the same name. Throws
 * UsageError if it is neither.
 */
export async function locate(effects: Effects, given: string): Promise<Located> {
  const kind = effects.kind(given);
  if (kind !== "none") return { given, kind: kind === "file" ? "archive" : "directory", commit: null };
  const commit = given === "" ? undefined : await findCommit(effects, given);
  if (commit === undefined)
    throw new UsageError(`${JSON.stringify(given)} is not a folder, an archive or a git revision here`);
  return { given, kind: "revision", commit };
}

/**
 * The commit that a revision names in the repository around the current folder; undefined if it
 * names none.
 */
async function findCommit(effects: Effects, revision: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { code, stdout } = await effects.run({ program: "git", args });
  return code === 0 ? stdout.trim() : undefined;
}

export interface ReleaseFolder {
  readonly directory: string;
  readonly close: () => void;
}

/** Finds the folder; a revision is built for `origin`. Throws UsageError if there is no release. */
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

const LOCK = "package-lock.json";
const MODULES = "node_modules";

/**
 * Builds a commit below `folder`; returns the folder of the release. Throws UsageError if it cannot
 * be built.
 */
async function buildCommit(
  effects: Effects,
  { commit, origin }: { readonly commit: string; readonly origin: string },
  folder: string,
): Promise<string> {
  const out = path.join(folder, "dist");
  const must = async (program: string, args: readonly string[], where: Partial<Command> = {}): Promise<void> => {
    const { code, stderr } = await effects.run({ program, args, ...where });
    if (code === 0) return;
    const task = args.find((arg) => /^[a-z][a-z-]*$/.test(arg)) ?? "";
    const failed = `${program} ${task} failed (${code})`;
    throw new UsageError(`Revision ${commit} cannot be built: ${failed}: ${whyOf(stderr)}`);
  };
  // A separate index makes this independent of the checkout here. The whole repository is written,
  // also outside this folder: links lead there, and it has the attributes by which git writes
  // files, which git would not read in a sparse checkout.
  const environment = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: path.join(folder, "index") };
  const whole = ["-c", "core.sparseCheckout=false", "read-tree", "--no-recurse-submodules", "-u", "--prefix=source/"];
  await must("git", [...whole, commit], { environment });
  const { stdout: here } = await effects.run({ program: "git", args: ["rev-parse", "--show-prefix"] });
  const directory = path.join(folder, "source", here.replace(/\n$/, ""));
  if (effects.kind(directory) !== "directory")
    throw new UsageError(`Revision ${commit} cannot be built: it has no folder ${here.trim()}`);
  const modules = modulesFor(effects, directory);
  // Otherwise npm leaves its compile cache in the place for temporary folders.
  const there = { directory, environment: { NODE_DISABLE_COMPILE_CACHE: "1" } };
  if (modules === undefined) await must("npm", ["ci", "--no-audit", "--no-fund"], there);
  else effects.link(modules, path.join(directory, MODULES));
  await must("npm", ["run", "--silent", "build", "--", "--origin", origin, "--out", out], there);
  return out;
}

/**
 * npm prints the reason first, then its usage and the place of its log; other programs print the
 * reason last.
 */
function whyOf(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const ofNpm = lines.flatMap((line) => /^npm error (\S.*)$/.exec(line)?.[1] ?? []);
  const said = ofNpm.length > 0 ? ofNpm.slice(0, 5).join(" ") : lines.at(-1);
  return said || "it printed no reason; package.json may not have this script";
}

/** The packages of this project, if its lock is byte for byte that of the commit. */
function modulesFor(effects: Effects, directory: string): string | undefined {
  const digest = (folder: string): string | undefined => digestIfFile(effects, path.join(folder, LOCK));
  const projects = [".", PROJECT];
  const home = projects.find(
    (project) => effects.kind(path.join(project, MODULES)) === "directory" && digest(project) === digest(directory),
  );
  return home === undefined ? undefined : effects.realPath(path.join(home, MODULES));
}
