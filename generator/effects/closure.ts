/**
 * The place of the program, and the sources that a release must run from, as the deployment
 * identity lists them (O-33, O-35).
 */
import path from "node:path";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { isExtra, SOURCE_FILES, SOURCE_FOLDER } from "../../runtime/release/identity.ts";
import { type Effects, isVisible } from "./effects.ts";

const above = path.resolve(import.meta.dirname, "../..");

/**
 * lib/: the compiled program with the runtime's package.json and lock, as in a release. Tests run
 * the sources next to it.
 */
export const PROGRAM = path.basename(above) === "lib" ? above : path.join(above, "lib");
/** The folder around it, with the packages. */
export const PROJECT = path.dirname(PROGRAM);
/** The content of the package; an owner's folder overrides it file by file. */
export const BASE_CONTENT = path.join(PROJECT, "content");

/** The verifier of proofs of a transparency log, as one file (generator/bundle.js). */
export const VERIFIER = path.join(PROGRAM, "generator/tools/log/module.js");

/** The path of a document of the package from where the reader is; it exists for every reader. */
export function documentPath(name: string): string {
  return path.relative("", path.join(PROJECT, name));
}

/** Whether the sources and tests are present: an installed package has only lib/. */
export function isClone(effects: Effects): boolean {
  return effects.kind(path.join(PROJECT, "generator/compile.js")) === "file";
}

/** Every folder that Node searches for the program's packages, nearest first. */
export function packageFolders(effects: Effects): string[] {
  const folders: string[] = [];
  for (let folder = PROJECT; ; folder = path.dirname(folder)) {
    const modules = path.basename(folder) === "node_modules" ? folder : path.join(folder, "node_modules");
    if (effects.kind(modules) === "directory" && !folders.includes(modules)) folders.push(modules);
    if (folder === path.dirname(folder)) return folders;
  }
}

/** The runtime's files, its package manifest and its lock. */
export function listSources(effects: Effects): string[] {
  const sources = effects.list(path.join(PROGRAM, SOURCE_FOLDER)).filter(isVisible);
  return [...SOURCE_FILES, ...sources.map((name) => `${SOURCE_FOLDER}/${name}`)];
}

/** The digests of those that every service runs. */
export function digestSources(effects: Effects): FileDigest[] {
  return listSources(effects)
    .filter((name) => !isExtra(name))
    .map((name) => ({ path: name, ...effects.digest(path.join(PROGRAM, name)) }));
}
