/** The lists of the files of a release: manifest and SHA256SUMS. Ruling O-35. */
import type { FileDigest } from "../contract/document.ts";
import type { Manifest } from "../contract/inputs.ts";
import { paths } from "../contract/paths.ts";
import { readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";

export const IDENTITY_FILE = paths.deployment.slice(1);

export const parseManifest = readerOf<Manifest>(validators.Manifest);

/** The input of `sha256sum -c`; lines in byte order of the (ASCII) paths. */
export function formatSums(files: readonly Pick<FileDigest, "path" | "sha256">[]): string {
  return files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join("");
}
