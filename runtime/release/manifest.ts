/** The files that make a dist a release, and their lists: manifest and SHA256SUMS. Ruling O-35. */
import type { FileDigest } from "../contract/document.ts";
import type { Manifest } from "../contract/inputs.ts";
import { bundleFile, paths } from "../contract/policy.ts";
import { readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";

export const INDEX_FILE = "registry.index";
/** The digests of the blocks of bundle and index (index-format.ts). */
export const BLOCKS_FILE = "registry.blocks";
/** The digests of the pieces of BLOCKS_FILE. */
export const ROOT_FILE = "registry.root";
export const BUNDLE_FILE = bundleFile;
export const SUMS_FILE = "SHA256SUMS";
export const IDENTITY_FILE = paths.deployment.slice(1);

/** The compiled registry: the files that no route reads as a document. */
export const REGISTRY_FILES: readonly string[] = [INDEX_FILE, BUNDLE_FILE, BLOCKS_FILE, ROOT_FILE];

export const parseManifest = readerOf<Manifest>(validators.Manifest);

/** The input of `sha256sum -c`; lines in byte order of the (ASCII) paths. */
export function formatSums(files: readonly Pick<FileDigest, "path" | "sha256">[]): string {
  return files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join("");
}
