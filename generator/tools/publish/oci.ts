/**
 * Writes the data of a release as an OCI image: a layout folder with one image of one uncompressed
 * layer, which is the dist. It depends only on the dist, its names and one given time. Nothing in
 * it runs: it is mounted into the runtime, or copied.
 * Source: OCI Image Specification 1.1, image-layout.md, manifest.md, config.md, layer.md.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { FileDigest } from "../../../runtime/contract/document.ts";
import { packTar } from "../../archives/tar.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Output } from "../../effects/output.ts";
import type { Timestamp } from "./timestamp.ts";

const LAYOUT_FILE = "oci-layout";
export const LAYOUT_INDEX = "index.json";

interface Image {
  /** The built dist. */
  readonly dist: string;
  readonly title: string;
  /** Names the image in its layout. */
  readonly version: string;
  readonly time: Timestamp;
  /** The time of its files, in seconds. */
  readonly mtime: number;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Writes the image; returns the digest by which image registries name it, and that of the layout's
 * index.
 */
export async function writeImage(
  effects: Effects,
  image: Image,
  output: Output,
): Promise<{ readonly digest: string; readonly index: FileDigest }> {
  const { title, version, time } = image;
  const layer = await writeLayer(effects, image, output);
  const blob = (mediaType: string, value: unknown): Descriptor => {
    const json = formatJson(value);
    const sha256 = createHash("sha256").update(json).digest("hex");
    const { bytes } = output.write(`${BLOBS}/${sha256}`, json);
    return { mediaType, digest: `sha256:${sha256}`, size: bytes };
  };
  const config = blob("application/vnd.oci.image.config.v1+json", {
    created: time.text,
    // A platform must be named. The data is the same on every platform; all readers know this one.
    architecture: "amd64",
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  });
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const annotations = {
    "org.opencontainers.image.created": time.text,
    "org.opencontainers.image.title": title,
    "org.opencontainers.image.version": version,
  };
  const manifest = blob(mediaType, { schemaVersion: 2, mediaType, config, layers: [layer], annotations });
  const named = { ...manifest, annotations: { "org.opencontainers.image.ref.name": version } };
  const indexType = "application/vnd.oci.image.index.v1+json";
  output.write(LAYOUT_FILE, formatJson({ imageLayoutVersion: "1.0.0" }));
  const index = formatJson({ schemaVersion: 2, mediaType: indexType, manifests: [named] });
  return { digest: manifest.digest, index: output.write(LAYOUT_INDEX, index) };
}

/**
 * A blob is named by its digest, so the layer is packed twice: a dist can be larger than the
 * memory.
 */
async function writeLayer(effects: Effects, { dist, mtime }: Image, output: Output): Promise<Descriptor> {
  const entries = effects.list(dist).map((name) => {
    const file = path.join(dist, name);
    return { path: name, size: effects.digest(file).bytes, chunks: () => effects.chunks(file) };
  });
  const hash = createHash("sha256");
  for await (const chunk of packTar(entries, mtime)) hash.update(chunk);
  const sha256 = hash.digest("hex");
  const written: FileDigest = await output.writeStream(`${BLOBS}/${sha256}`, packTar(entries, mtime));
  if (written.sha256 !== sha256) throw new Error(`${dist} changed while it was read`);
  return {
    mediaType: "application/vnd.oci.image.layer.v1.tar",
    digest: `sha256:${sha256}`,
    size: written.bytes,
  };
}

const BLOBS = "blobs/sha256";

function formatJson(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
