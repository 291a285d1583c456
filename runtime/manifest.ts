/** dist/manifest.json: the runtime's table of the release, and the digests of every other file in it. Ruling O-35. */
import { Type } from "typebox";
import { closed } from "./contract/schema.ts";
import { compileSchema } from "./validator.ts";

export const MANIFEST_FILE = "manifest.json";
export const INDEX_FILE = "registry.index";
export const SUMS_FILE = "SHA256SUMS";

/** Plain names only: a manifest can never point out of its folder. */
const FILE_PATH = "^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$";
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** A file of the release: path below dist with `/`, size in bytes. */
export const FileDigest = closed({
  path: Type.String({ pattern: FILE_PATH }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
});
export type FileDigest = Type.Static<typeof FileDigest>;

export const Manifest = closed({
  schema: Type.Literal("service-semantics.manifest.v1"),
  productVersion: Type.String(),
  packageVersion: Type.String(),
  classification: Type.Enum(["wip", "final"]),
  origin: Type.String({ format: "uri" }),
  registry: closed({ name: Type.String(), registryVersion: Type.String(), contentSha256: Sha256 }),
  /** Digest of everything the build read, so that a start knows whether to build again. */
  inputsSha256: Sha256,
  /** Every file but this one and SHA256SUMS, in byte order of the paths. */
  files: Type.Array(FileDigest),
});
export type Manifest = Type.Static<typeof Manifest>;

export const parseManifest = compileSchema(Manifest);
