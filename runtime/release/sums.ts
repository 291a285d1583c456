/** SHA256SUMS: a manifest that `sha256sum -c` reads; lines in byte order of the (ASCII) paths. */
import type { FileDigest } from "../contract/document.ts";

export function formatSums(files: readonly Pick<FileDigest, "path" | "sha256">[]): string {
  return files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join("");
}
