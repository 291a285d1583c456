/** The sources that a release is to run from, as the deployment identity lists them (O-33, O-35). */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FileDigest } from "../runtime/contract/document.ts";
import { SOURCE_FILES, SOURCE_FOLDER } from "../runtime/identity.ts";
import { type Effects, isVisible } from "./effects.ts";

/** The folder of the project, with a slash at its end. */
export const PROJECT = fileURLToPath(new URL("../", import.meta.url));

/** Digests of the runtime's sources, the package manifest and the lock. */
export function digestSources(effects: Effects): FileDigest[] {
  const sources = effects.list(path.join(PROJECT, SOURCE_FOLDER)).filter(isVisible);
  return [...SOURCE_FILES, ...sources.map((name) => `${SOURCE_FOLDER}/${name}`)].map((name) => ({
    path: name,
    ...effects.digest(path.join(PROJECT, name)),
  }));
}
