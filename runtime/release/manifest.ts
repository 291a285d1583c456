/** dist/manifest.json: what the release is, and the digests of its files. Ruling O-35. */
import * as Type from "../contract/type.ts";
import { FileDigest, ReleaseLabel, Sha256, Url } from "../contract/document.ts";
import { closed } from "../contract/schema.ts";
import { paths } from "../contract/policy.ts";
import { compileSchema } from "../contract/validator.ts";

export const MANIFEST_FILE = "manifest.json";
export const INDEX_FILE = "registry.index";
/** The digests of the blocks of bundle and index (index-format.ts). */
export const BLOCKS_FILE = "registry.blocks";
export const BUNDLE_FILE = paths.bundle.slice(1);
export const SUMS_FILE = "SHA256SUMS";

const { productVersion, packageVersion, classification } = ReleaseLabel.properties;

export const Manifest = closed({
  schema: Type.Literal("service-semantics.manifest.v1"),
  productVersion,
  packageVersion,
  classification,
  origin: Url,
  registry: closed({ name: Type.String(), registryVersion: Type.String(), contentSha256: Sha256 }),
  /** Digest of everything the build read, so that a start knows whether to build again. */
  inputsSha256: Sha256,
  /** Every file except this one, the deployment identity and SHA256SUMS, in byte order of paths. */
  files: Type.Array(FileDigest),
});
export type Manifest = Type.Static<typeof Manifest>;

export const parseManifest = compileSchema(Manifest);
