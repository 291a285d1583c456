/** Checked registry and content to dist, in flow order: registry, documents, assets, manifest, identity, sums. No clock, no environment. */
import { product } from "../runtime/contract/product.ts";
import type { FileDigest } from "../runtime/contract/document.ts";
import { CLOSURE_MANIFEST, formatIdentity } from "../runtime/release/identity.ts";
import {
  BLOCKS_FILE,
  BUNDLE_FILE,
  INDEX_FILE,
  type Manifest,
  MANIFEST_FILE,
  SUMS_FILE,
} from "../runtime/release/manifest.ts";
import { paths } from "../runtime/contract/policy.ts";
import { formatSums } from "../runtime/release/sums.ts";
import { once } from "./effects/chunks.ts";
import type { Asset } from "./content/content.ts";
import type { Documents } from "./documents/documents.ts";
import { statusDocument } from "./documents/status.ts";
import { formatDocument } from "../runtime/text/json.ts";
import type { View } from "./view/view.ts";
import { compareCodePoints } from "./text/order.ts";
import type { Output } from "./effects/output.ts";
import { compileRegistry } from "./index/compile.ts";

export interface BuildInput {
  readonly view: View;
  readonly documents: Documents;
  readonly assets: Readonly<Record<string, Asset>>;
  /** Names what the release was made from. */
  readonly inputsSha256: string;
  /** What it is to run from. */
  readonly sources: readonly FileDigest[];
}

/** Writes a release. */
export function build({ view, documents, assets, inputsSha256, sources }: BuildInput, output: Output): Manifest {
  const { bundle, index, blocks } = compileRegistry(view);
  const bundleDigest = output.write(BUNDLE_FILE, bundle).digest;
  const files = [bundleDigest, output.write(INDEX_FILE, index).digest, output.write(BLOCKS_FILE, blocks).digest];
  const write = (place: string, bytes: Uint8Array): FileDigest => {
    const written = output.write(place.slice(1), once(bytes));
    files.push(written.digest);
    return written.digest;
  };
  write(paths.status, encoder.encode(formatDocument(statusDocument(view, bundleDigest.sha256))));
  for (const [place, body] of documents) write(place, typeof body === "string" ? encoder.encode(body) : body);
  for (const { name, bytes } of Object.values(assets)) write(`${paths.assets}/${name}`, bytes);
  const manifest = manifestOf(view, inputsSha256, files);
  const listed = write(`/${MANIFEST_FILE}`, encoder.encode(formatDocument(manifest)));
  const identity = formatIdentity(view.origin, [...sources, { ...listed, path: CLOSURE_MANIFEST }]);
  write(paths.deployment, encoder.encode(identity));
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

const encoder = new TextEncoder();
