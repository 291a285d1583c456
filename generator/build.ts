/** Checked registry to dist, in flow order: index, documents, manifest, sums. No clock, no path, no environment. */
import { product } from "../runtime/product.ts";
import { INDEX_FILE, type FileDigest, type Manifest, MANIFEST_FILE, SUMS_FILE } from "../runtime/manifest.ts";
import { paths } from "../runtime/policy.ts";
import { formatSums } from "../runtime/sums.ts";
import { once } from "./chunks.ts";
import { statusDocument } from "./documents/status.ts";
import type { View } from "./documents/view.ts";
import { compareCodePoints } from "./order.ts";
import type { Output } from "./output.ts";
import { compileIndex } from "./registry/compile.ts";

/** Writes a release; `inputsSha256` names the inputs it was made from. */
export function build(view: View, inputsSha256: string, output: Output): Manifest {
  const files: FileDigest[] = [];
  const { digest, value } = output.write(INDEX_FILE, compileIndex(view));
  files.push(digest);
  const write = (path: string, text: string): void => {
    files.push(output.write(path.slice(1), once(encoder.encode(text))).digest);
  };
  write(paths.status, formatDocument(statusDocument(view, value.bundleSha256)));
  const manifest = manifestOf(view, inputsSha256, files);
  write(`/${MANIFEST_FILE}`, formatDocument(manifest));
  output.write(SUMS_FILE, once(encoder.encode(formatSums(files))));
  return manifest;
}

function manifestOf({ origin, registry }: View, inputsSha256: string, files: readonly FileDigest[]): Manifest {
  const { name, registryVersion, contentSha256 } = registry;
  return {
    schema: "service-semantics.manifest.v1",
    productVersion: product.productVersion,
    packageVersion: product.packageVersion,
    classification: product.classification,
    origin,
    registry: { name, registryVersion, contentSha256 },
    inputsSha256,
    files: files.toSorted((a, b) => compareCodePoints(a.path, b.path)),
  };
}

/** The form of every JSON document: two spaces, property order from code, a final line feed. */
function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const encoder = new TextEncoder();
