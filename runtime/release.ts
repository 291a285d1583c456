/**
 * Opens a built `dist/`: with closure.ts the only file of the runtime that reads files. Every digest is checked at open, the index's
 * in full, so that what is served later is what was built (fail closed); only plain assets are read again, by their route. Paths come from constants and the manifest,
 * never from a request.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { type ByteSource, memorySource } from "./byte-source.ts";
import { MCPDefinition } from "./contract/mcp.ts";
import { sha256 } from "./digest.ts";
import { DIGEST_BYTES } from "./index-format.ts";
import { parseJson } from "./json.ts";
import { INDEX_FILE, type Manifest, MANIFEST_FILE, parseManifest, SUMS_FILE } from "./manifest.ts";
import { parseOrigin } from "./origin.ts";
import { documentFiles, MCP_FILE, paths } from "./policy.ts";
import { IndexError, openIndex, type RegistryIndex } from "./registry-index.ts";
import { formatSums } from "./sums.ts";
import { compileSchema, firstFault, type Reading } from "./validator.ts";

/** One verified, immutable dist. */
export interface Release {
  /** Absolute. */
  readonly directory: string;
  /** Lowercase hex SHA-256 of every file that was opened, by its path below the directory: all but the deployment identity. */
  readonly files: ReadonlyMap<string, string>;
  /** What the deployment identity was when the release was built, by SHA256SUMS. */
  readonly identitySha256: string;
  /** Changes whenever somebody writes to the index. */
  readonly indexStamp: string;
  readonly manifest: Manifest;
  readonly index: RegistryIndex;
  /** Prerendered documents by their place in dist, with a leading `/`. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** What `POST /mcp` answers from. */
  readonly mcp: MCPDefinition;
  /** The folder of the plain assets, absolute, and the files in it. */
  readonly assets: { readonly directory: string; readonly names: readonly string[] };
  close(): void;
}

/** A prerendered document by its place. Throws where the release has none, which openRelease rules out. */
export function documentOf(documents: Release["documents"], file: string): Uint8Array {
  const bytes = documents.get(file);
  if (bytes === undefined) throw new Error(`The release has no ${file}`);
  return bytes;
}

/** A dist that cannot be served; the message is one line for the operator. */
export class ReleaseError extends Error {
  override name = "ReleaseError";
}

/** An index up to this size is read into memory; a larger one is read by position, through the page cache. */
export const MEMORY_MAX_BYTES = 32 * 1024 * 1024;

/** A plain asset: its name carries the digest of its bytes. */
const ASSET = new RegExp(`^${paths.assets}/[a-z]+\\.[0-9a-f]{16}\\.(?:css|js|svg)$`);

/** Opens the release in `directory`. Throws ReleaseError where anything is missing, damaged, foreign or too many. */
export function openRelease(directory: string, memoryMaxBytes = MEMORY_MAX_BYTES): Release {
  const { manifest, files, identitySha256 } = readManifest(directory);
  const digests = new Map(manifest.files.map((file) => [`/${file.path}`, file.sha256]));
  const assets = [...digests.keys()].filter((name) => ASSET.test(name));
  const expected = [`/${INDEX_FILE}`, ...documentFiles, ...assets];
  const odd = [...digests.keys()].filter((name) => !expected.includes(name));
  odd.push(...expected.filter((name) => !digests.has(name)));
  if (odd.length > 0) {
    throw new ReleaseError(
      `${directory}/${MANIFEST_FILE} does not list what this runtime serves (${odd.join(", ")}): build again`,
    );
  }
  const bodies = new Map<string, Uint8Array>();
  for (const name of [...documentFiles, ...assets]) {
    const bytes = readFile(directory, name);
    if (sha256(bytes) !== digests.get(name)) throw new ReleaseError(damaged(path.join(directory, name)));
    if (documentFiles.has(name)) bodies.set(name, bytes);
  }
  const mcp = readDefinition(directory, manifest.origin, bodies);
  const opened = openVerifiedIndex(path.join(directory, INDEX_FILE), {
    sha256: digests.get(`/${INDEX_FILE}`) ?? "",
    memoryMaxBytes,
  });
  if (opened.index.meta.registryVersion === manifest.registry.registryVersion) {
    const names = assets.map((name) => name.slice(paths.assets.length + 1));
    return {
      ...opened,
      directory: path.resolve(directory),
      files,
      identitySha256,
      manifest,
      documents: bodies,
      mcp,
      assets: { directory: path.resolve(directory, paths.assets.slice(1)), names },
    };
  }
  opened.close();
  throw new ReleaseError(`${directory}/${MANIFEST_FILE} names another registryVersion than ${INDEX_FILE}: build again`);
}

/** What vouches for a dist: its manifest, and SHA256SUMS for that. Throws ReleaseError where one is missing or damaged. */
function readManifest(directory: string): Pick<Release, "manifest" | "files" | "identitySha256"> {
  const bytes = readFile(directory, MANIFEST_FILE);
  const manifest = parseRecord(`${directory}/${MANIFEST_FILE}`, bytes, parseManifest);
  if (parseOrigin(manifest.origin) !== manifest.origin)
    throw new ReleaseError(`${directory}/${MANIFEST_FILE} names no origin: build again`);
  const listed = [...manifest.files, { path: MANIFEST_FILE, sha256: sha256(bytes) }];
  const sums = readFile(directory, SUMS_FILE);
  const text = new TextDecoder().decode(sums);
  const identitySha256 =
    text
      .split("\n")
      .find((line) => line.slice(66) === IDENTITY_FILE)
      ?.slice(0, 64) ?? "";
  if (text !== formatSums([...listed, { path: IDENTITY_FILE, sha256: identitySha256 }]))
    throw new ReleaseError(damaged(path.join(directory, SUMS_FILE)));
  const files = new Map(listed.map((file) => [file.path, file.sha256]));
  return { manifest, files: files.set(SUMS_FILE, sha256(sums)), identitySha256 };
}

const IDENTITY_FILE = paths.deployment.slice(1);

const parseDefinition = compileSchema(MCPDefinition);

/** What MCP answers from, which may offer only documents of this release as its resources. */
function readDefinition(directory: string, origin: string, documents: Release["documents"]): MCPDefinition {
  const file = directory + MCP_FILE;
  const definition = parseRecord(file, documentOf(documents, MCP_FILE), parseDefinition);
  const odd = definition.resources.find(({ uri }) => resourceOf(uri, origin, documents) === undefined);
  if (odd !== undefined) throw new ReleaseError(`${file} names a resource that is no document: build again`);
  return definition;
}

/** The document at an address of the release. */
function resourceOf(uri: string, origin: string, documents: Release["documents"]): Uint8Array | undefined {
  return uri.startsWith(`${origin}/`) ? documents.get(uri.slice(origin.length)) : undefined;
}

/** Reads a JSON file of the release by its schema. Throws ReleaseError where it is something else. */
function parseRecord<T>(file: string, bytes: Uint8Array, parse: (value: unknown) => Reading<T>): T {
  const json = parseJson(bytes);
  if (!json.ok) throw new ReleaseError(`${file} is not JSON: build again`);
  const reading = parse(json.value);
  if (reading.ok) return reading.value;
  throw new ReleaseError(
    `${file} is not what this runtime reads (${firstFault(reading.violations, "", "it")}): build again`,
  );
}

type OpenIndex = Pick<Release, "index" | "indexStamp" | "close">;

/** Where a file is and when it was last touched, as the file system knows it (O-35). */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Structure first, so that a foreign file is called foreign; then the trailer, then the manifest's digest. */
function openVerifiedIndex(
  file: string,
  expected: { readonly sha256: string; readonly memoryMaxBytes: number },
): OpenIndex {
  return openIndexFile(file, expected.memoryMaxBytes, (source) => {
    const running = createHash("sha256");
    const end = source.length - DIGEST_BYTES;
    const room = new Uint8Array(HASH_BYTES);
    for (let at = 0; at < end; at += HASH_BYTES) running.update(source.read(at, Math.min(HASH_BYTES, end - at), room));
    const trailer = Buffer.from(source.read(end, DIGEST_BYTES));
    if (!running.copy().digest().equals(trailer))
      throw new IndexError("Registry index is damaged: its trailer digest differs");
    if (running.update(trailer).digest("hex") !== expected.sha256)
      throw new IndexError("Registry index is not the one of the manifest");
  });
}

/** Opens an index for reading alone, without its release; `check` may refuse it. Throws ReleaseError. */
export function openIndexFile(
  file: string,
  memoryMaxBytes = MEMORY_MAX_BYTES,
  check: (source: ByteSource) => void = () => undefined,
): OpenIndex {
  const descriptor = openFile(file);
  const close = (): void => fs.closeSync(descriptor);
  try {
    const indexStamp = stampOf(fs.fstatSync(descriptor, { bigint: true }));
    const source = sourceOf(descriptor, memoryMaxBytes);
    const index = openIndex(source);
    check(source);
    return { index, indexStamp, close };
  } catch (error) {
    close();
    // Hostile bytes can break the reader anywhere: whatever it is, the file is refused.
    const reason = error instanceof IndexError ? error.message : "Registry index is damaged";
    throw new ReleaseError(`${file}: ${reason}; restore the file or build again`);
  }
}

/** What is hashed at once: it stays in the processor's cache between the reading and the hashing. */
const HASH_BYTES = 256 * 1024;

function sourceOf(descriptor: number, memoryMaxBytes: number): ByteSource {
  const { size } = fs.fstatSync(descriptor);
  const positioned = positionedSource(descriptor, size);
  return size > memoryMaxBytes ? positioned : memorySource(positioned.read(0, size, new Uint8Array(size)));
}

function positionedSource(descriptor: number, length: number): ByteSource {
  return {
    length,
    read(offset, size, into = Buffer.allocUnsafe(size)) {
      const bytes = into.subarray(0, size);
      for (let at = 0; at < size;) {
        const read = readAt(descriptor, bytes.subarray(at), offset + at);
        if (read === 0) throw new IndexError("Registry index is cut short");
        at += read;
      }
      return bytes;
    },
  };
}

/** One read call cannot pass 2 GiB. */
const READ_MAX_BYTES = 1024 * 1024 * 1024;

function readAt(descriptor: number, into: Uint8Array, position: number): number {
  try {
    return fs.readSync(descriptor, into, 0, Math.min(into.length, READ_MAX_BYTES), position);
  } catch {
    throw new IndexError("Registry index cannot be read");
  }
}

function readFile(directory: string, name: string): Uint8Array {
  const file = path.join(directory, name);
  const descriptor = openFile(file);
  try {
    return fs.readFileSync(descriptor);
  } catch {
    throw new ReleaseError(`${file} cannot be read`);
  } finally {
    fs.closeSync(descriptor);
  }
}

function openFile(file: string): number {
  const descriptor = open(file);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new ReleaseError(`${file} is no plain file: build again`);
}

function open(file: string): number {
  try {
    // A pipe must not keep us waiting for somebody who writes to it.
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new ReleaseError(missing ? `${file} does not exist: build first (npm run build)` : `${file} cannot be read`);
  }
}

function damaged(file: string): string {
  return `${file} differs from its digest in ${MANIFEST_FILE}: restore the file or build again`;
}
