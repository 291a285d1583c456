/** The names of the files that make a dist a release, besides its documents. Ruling O-35. */

export const INDEX_FILE = "registry.index";
/** The digests of the blocks of bundle and index (index-format.ts). */
export const BLOCKS_FILE = "registry.blocks";
/** The digests of the pieces of BLOCKS_FILE. */
export const ROOT_FILE = "registry.root";
/** The public bundle. */
export const BUNDLE_FILE = "registry/bundle.ndjson";
/** The list of the files of a release, which no path serves. */
export const MANIFEST_FILE = "manifest.json";
export const SUMS_FILE = "SHA256SUMS";

/** The compiled registry: the files that no route reads as a document. */
export const REGISTRY_FILES: readonly string[] = [INDEX_FILE, BUNDLE_FILE, BLOCKS_FILE, ROOT_FILE];
