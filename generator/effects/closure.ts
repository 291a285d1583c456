/** The sources that a release is to run from, as the deployment identity lists them (O-33, O-35). */
import path from "node:path";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { SOURCE_FILES, SOURCE_FOLDER } from "../../runtime/release/identity.ts";
import { type Effects, isVisible } from "./effects.ts";

const above = path.resolve(import.meta.dirname, "../..");

/** lib/: the compiled program with the runtime's package.json and lock, as a release has them. Tests run the sources beside it. */
export const PROGRAM = path.basename(above) === "lib" ? above : path.join(above, "lib");
/** The folder around it, with the packages. */
export const PROJECT = path.dirname(PROGRAM);

/** Digests of the runtime's files, its package manifest and its lock. */
export function digestSources(effects: Effects): FileDigest[] {
  const sources = effects.list(path.join(PROGRAM, SOURCE_FOLDER)).filter(isVisible);
  return [...SOURCE_FILES, ...sources.map((name) => `${SOURCE_FOLDER}/${name}`)].map((name) => ({
    path: name,
    ...effects.digest(path.join(PROGRAM, name)),
  }));
}
