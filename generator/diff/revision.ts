/**
 * A release of a git revision: its own source, built by its own build in a folder of ours. So it runs the code of that
 * revision, as checking it out and building it would.
 */
import path from "node:path";
import { PROJECT } from "../effects/closure.ts";
import type { Command, Effects } from "../effects/effects.ts";
import { UsageError } from "../text/usage-error.ts";
import { extract } from "./extract.ts";

const LOCK = "package-lock.json";
const MODULES = "node_modules";

/** The commit that a revision names in the repository around the current folder; undefined where it names none. */
export async function findCommit(effects: Effects, revision: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { code, stdout } = await effects.run({ program: "git", args });
  return code === 0 ? stdout.trim() : undefined;
}

/** Builds a commit below `folder`; returns the folder of the release. Throws UsageError where it cannot be built. */
export async function buildCommit(
  effects: Effects,
  { commit, origin }: { readonly commit: string; readonly origin: string },
  folder: string,
): Promise<string> {
  const archive = path.join(folder, "source.tar");
  const directory = path.join(folder, "source");
  const out = path.join(folder, "dist");
  const must = async (program: string, args: readonly string[], where: Partial<Command> = {}): Promise<void> => {
    // Else npm leaves what it compiled in the place for temporary folders.
    const environment = { NODE_DISABLE_COMPILE_CACHE: "1" };
    const { code, stderr } = await effects.run({ program, args, environment, ...where });
    if (code === 0) return;
    const [why = "it says nothing"] = stderr.trim().split("\n").slice(-1);
    throw new UsageError(`Revision ${commit} cannot be built: ${program} ${args[0] ?? ""} failed (${code}): ${why}`);
  };
  await must("git", ["archive", "--format=tar", `--output=${archive}`, commit]);
  await extract(effects, archive, directory);
  const modules = modulesFor(effects, directory);
  if (modules === undefined) await must("npm", ["ci", "--no-audit", "--no-fund"], { directory });
  else await must("ln", ["-s", modules, path.join(directory, MODULES)]);
  await must("npm", ["run", "--silent", "build", "--", "--origin", origin, "--out", out], { directory });
  return out;
}

/** The packages of this project, where those of the commit are the same to the byte of the lock. */
function modulesFor(effects: Effects, directory: string): string | undefined {
  const digest = (folder: string): string | undefined =>
    effects.kind(path.join(folder, LOCK)) === "file" ? effects.digest(path.join(folder, LOCK)).sha256 : undefined;
  const projects = [".", PROJECT];
  const home = projects.find(
    (project) => effects.kind(path.join(project, MODULES)) === "directory" && digest(project) === digest(directory),
  );
  return home === undefined ? undefined : effects.realPath(path.join(home, MODULES));
}
