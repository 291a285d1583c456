/**
 * Writes a release directory: the files that run, a tar of them, their bill of materials, their
 * provenance, and the digests of everything. The same input gives the same bytes, also in the tar,
 * the bill and the provenance.
 */
import { hash } from "node:crypto";
import type { FileDigest } from "../../../runtime/contract/document.ts";
import { formatSums } from "../../../runtime/release/manifest.ts";
import { SUMS_FILE } from "../../../runtime/contract/files.ts";
import { product } from "../../../runtime/contract/product.ts";
import type { InputDigest } from "../../effects/inputs.ts";
import type { Output } from "../../effects/output.ts";
import type { ReleaseFile } from "./contents.ts";
import { formatProvenance } from "./provenance.ts";
import { formatSbom } from "./sbom.ts";
import { packTar } from "../../archives/tar.ts";
import type { Timestamp } from "./timestamp.ts";

export interface ReleaseInput {
  /** The name of its folder, of its tar, and of the folder in the tar. */
  readonly name: string;
  readonly files: readonly ReleaseFile[];
  readonly origin: string;
  readonly registryVersion: string;
  /** What the release was built from. */
  readonly inputs: readonly InputDigest[];
  /** The parsed package-lock.json. */
  readonly lock: unknown;
  readonly time: Timestamp;
  /** The time of the files in the tar, in seconds. */
  readonly mtime: number;
}

const NAME = "semantic-resolution-service";
const SBOM_FILE = "sbom.cdx.json";
const PROVENANCE_FILE = "provenance.intoto.json";

/** Writes it; returns the digest of its SHA256SUMS, which is the digest of the release. */
export async function writeRelease(
  input: ReleaseInput,
  output: Output,
): Promise<{ sha256: string; tar: FileDigest; files: readonly FileDigest[] }> {
  const { name: folder, files, time, mtime } = input;
  const written = files.map((file) => output.write(file.path, file.chunks()));
  const tree = hash("sha256", formatSums(written));
  const subject = { name: NAME, version: product.packageVersion, sha256: tree, timestamp: time.text };
  const sbom = output.write(SBOM_FILE, formatSbom(input.lock, subject));
  const sizes = new Map(written.map((file) => [file.path, file.bytes]));
  const entries = files.map(({ path, chunks }) => ({ path: `${folder}/${path}`, size: sizes.get(path) ?? 0, chunks }));
  const tar = await output.writeStream(`${folder}.tar`, packTar(entries, mtime));
  const made = [...written.filter(({ path }) => path === `dist/${SUMS_FILE}`), sbom, tar];
  const provenance = output.write(PROVENANCE_FILE, statement(input, made));
  const listed = [...written, sbom, tar, provenance];
  const sums = output.write(SUMS_FILE, formatSums(listed));
  return { sha256: sums.sha256, tar, files: [...listed, sums] };
}

function statement({ origin, registryVersion, inputs, time }: ReleaseInput, made: readonly FileDigest[]): string {
  const { packageVersion } = product;
  return formatProvenance({
    subjects: made.map(({ path, sha256 }) => ({ name: path, sha256 })),
    parameters: { origin, packageVersion, registryVersion, command: `npm run release -- --origin ${origin}` },
    materials: inputs,
    timestamp: time.text,
  });
}
