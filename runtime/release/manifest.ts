/** The files that make a release of a dist, and the reader of its manifest. Ruling O-35. */
import type { Manifest } from "../contract/inputs.ts";
import { bundleFile } from "../contract/policy.ts";
import { readerOf } from "../contract/validator.ts";
import * as validators from "../contract/validators.ts";

export const MANIFEST_FILE = "manifest.json";
export const INDEX_FILE = "registry.index";
/** The digests of the blocks of bundle and index (index-format.ts). */
export const BLOCKS_FILE = "registry.blocks";
/** The digests of the pieces of those. */
export const ROOT_FILE = "registry.root";
export const BUNDLE_FILE = bundleFile;
export const SUMS_FILE = "SHA256SUMS";

export type { Manifest };
export const parseManifest = readerOf<Manifest>(validators.Manifest);
