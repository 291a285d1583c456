/** SHA256SUMS: a manifest that `sha256sum -c` reads; lines in byte order of the paths. */
import type { FileDigest } from "../runtime/manifest.ts";
import { compareCodePoints } from "./order.ts";

export function formatSums(files: readonly FileDigest[]): string {
  return files
    .toSorted((a, b) => compareCodePoints(a.path, b.path))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join("");
}
