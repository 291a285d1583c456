/**
 * Opens a release in a Worker. Documents come from its static assets, and so does the registry; a
 * file that is too large for an asset is read by ranges from a bucket. Everything is checked
 * against the digests of the manifest, which is part of the Worker itself. A file that cannot be
 * read, or differs, throws a StorageError.
 */
import type { Manifest } from "../../../../runtime/contract/inputs.ts";
import type { MCPDefinition } from "../../../../runtime/contract/mcp.ts";
import { paths } from "../../../../runtime/contract/paths.ts";
import { MCP_FILE } from "../../../../runtime/contract/policy.ts";
import { onceHeld, sha256, StorageError } from "../../../../runtime/registry/block-source.ts";
import { toHex } from "../../../../runtime/text/bytes.ts";
import { INDEX_FILE, REGISTRY_FILES, ROOT_FILE } from "../../../../runtime/contract/files.ts";
import { type Fetching, rangeFile } from "../../../../runtime/extras/store/range-file.ts";
import { openRemoteIndex } from "../../../../runtime/extras/store/remote-registry.ts";
import { documentText, type Served } from "../../../../runtime/release/served.ts";

/** The size limit of a static asset: 25 MiB. */
export const ASSET_MAX_BYTES = 25 * 1024 * 1024;

/** Size of a piece of a long answer: each read is one of the few subrequests of a request. */
const PIECE_BYTES = 1024 * 1024;

/** The part of a release that is in the Worker itself. */
export interface EdgeRelease {
  readonly manifest: Manifest;
  /** The keys of the files that are in the bucket, by their paths in dist. */
  readonly stored: Readonly<Record<string, string>>;
}

/** The bindings that the platform passes to the Worker. */
export interface EdgeEnvironment {
  readonly ASSETS: { fetch(url: string, init: RequestInit): Promise<Response> };
  readonly REGISTRY?: Bucket;
}

/** The part of a bucket's API that is used. `size` is that of the whole object. */
interface Bucket {
  get(
    key: string,
    options: { readonly range?: { readonly suffix: number } | { readonly offset: number; readonly length: number } },
  ): Promise<{ readonly body: ReadableStream<Uint8Array>; readonly size: number } | null>;
}

/** Appears only in messages; assets are found by their paths. */
const BASE = "https://assets.invalid";

/** Files of the release by their paths in dist, with a leading `/`; each is loaded on demand. */
class RemoteFiles extends Map<string, Uint8Array> {
  readonly #files: ReadonlyMap<string, () => Uint8Array>;

  constructor(names: readonly string[], read: (name: string) => Promise<Uint8Array>) {
    super(names.map((name) => [`/${name}`, new Uint8Array()]));
    this.#files = new Map(names.map((name) => [`/${name}`, onceHeld(name, () => read(name))]));
  }

  override get(path: string): Uint8Array | undefined {
    return this.#files.get(path)?.();
  }
}

function isAsset(name: string): boolean {
  return `/${name}`.startsWith(`${paths.assets}/`);
}

/**
 * Opens a release without reading anything yet. Each later access throws BytesMissing until the
 * data is loaded, or StorageError if it cannot be read.
 */
export function openEdgeRelease({ manifest, stored }: EdgeRelease, environment: EdgeEnvironment): Served {
  const files = new Map(manifest.files.map((file) => [file.path, file.sha256]));
  const sizes = new Map(manifest.files.map((file) => [file.path, file.bytes]));
  const ask: typeof fetch = (url, { headers = {}, signal = null } = {}) => {
    const key = stored[new URL(url).pathname.slice(1)];
    if (key === undefined) return environment.ASSETS.fetch(url as string, { headers, signal });
    return readObject(environment.REGISTRY, key, new Headers(headers).get("range") ?? "");
  };
  const fetching: Fetching = { fetch: ask, timeoutMs: 10_000, wholeMaxBytes: ASSET_MAX_BYTES };
  const read = async (name: string): Promise<Uint8Array> => {
    const bytes = await rangeFile(`${BASE}/${name}`, fetching).whole(sizes.get(name) ?? 0);
    if (toHex(await sha256(bytes)) !== files.get(name)) throw new StorageError(name, "it differs from its digest");
    return bytes;
  };
  const names = [...files.keys()].filter((name) => !REGISTRY_FILES.includes(name));
  const documents = new RemoteFiles(
    names.filter((name) => !isAsset(name)),
    read,
  );
  const index = onceHeld(INDEX_FILE, async () => {
    const opened = await openRemoteIndex(BASE, { ...fetching, sha256: files.get(ROOT_FILE) ?? "" });
    return { ...opened, source: { ...opened.source, pieceBytes: PIECE_BYTES } };
  });
  return {
    manifest,
    files,
    documents,
    assets: new RemoteFiles(names.filter(isAsset), read),
    get index() {
      return index();
    },
    get mcp() {
      return JSON.parse(documentText({ documents }, MCP_FILE)) as MCPDefinition;
    },
  };
}

/** Answers from a bucket as a static host would. */
async function readObject(bucket: Bucket | undefined, key: string, field: string): Promise<Response> {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d+)$/.exec(field) ?? [];
  const part =
    first === "" ? { suffix: Number(last) } : { offset: Number(first), length: Number(last) - Number(first) + 1 };
  const object = await bucket?.get(key, field === "" ? {} : { range: part });
  if (object === undefined || object === null) return new Response(null, { status: 404 });
  const { size, body } = object;
  if (field === "") return new Response(body);
  const [start, end] = first === "" ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), Number(last)];
  return new Response(body, { status: 206, headers: { "content-range": `bytes ${start}-${end}/${size}` } });
}
