/**
 * Opens a built `dist/`. Each file is checked against its digest before it is served (fail closed).
 * Paths come from constants and the manifest, never from a request.
 */
import path from "node:path";
import type { MCPDefinition } from "../contract/mcp.ts";
import { sha256 } from "../http/digest.ts";
import { parseJson } from "../text/json.ts";
import { formatSums, IDENTITY_FILE, parseManifest } from "./manifest.ts";
import { BLOCKS_FILE, INDEX_FILE, MANIFEST_FILE, REGISTRY_FILES, SUMS_FILE } from "../contract/files.ts";
import { parseOrigin } from "../http/origin.ts";
import { damaged, FILE_MAX_BYTES, readFile, ReleaseError } from "./plain-file.ts";
import { addedResources, prefixesIn } from "../contract/added-resources.ts";
import type { Interface } from "../contract/inputs.ts";
import { interfaceFault, isShell } from "../contract/interface.ts";
import { paths } from "../contract/paths.ts";
import { documentFiles, INTERFACE_FILE, MCP_FILE, SHELL_FILE } from "../contract/policy.ts";
import { openRegistryFiles, type RegistryFiles } from "./registry-files.ts";
import { documentOf, documentText, type Served } from "./served.ts";
import { firstViolation, type Reader, readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";

/**
 * One verified, immutable dist. `check` covers the registry; everything else is checked on opening.
 */
export interface Release extends Served, RegistryFiles {
  /** Absolute. */
  readonly directory: string;
  /** The digest of the deployment identity when the release was built, from SHA256SUMS. */
  readonly identitySha256: string;
  /** Present if bundle and index are in a store and not in the directory. */
  readonly store?: StoreState;
}

export interface StoreState {
  /** Why a block cannot be read, or undefined. */
  readonly fault: string | undefined;
  /** Reads by outcome. */
  readonly reads: Readonly<Record<string, number>>;
}

/** The parts of a release that are read before its registry. */
interface ReadRelease extends Omit<Release, keyof RegistryFiles | "store"> {
  /** The digests of the blocks. */
  readonly blocks: Uint8Array;
}

/** A plain asset: its name carries the digest of its bytes. */
const ASSET = new RegExp(`^${paths.assets}/[a-z]+\\.[0-9a-f]{16}\\.(?:css|js|svg)$`);

/** Opens a release. Throws ReleaseError if a file is missing, damaged, foreign or unexpected. */
export function openRelease(directory: string, memoryMaxBytes?: number): Release {
  const { blocks, ...read } = readRelease(directory);
  const opened = openRegistryFiles(directory, memoryMaxBytes, { digests: read.files, blocks });
  if (opened.index.meta.registryVersion === read.manifest.registry.registryVersion) return { ...opened, ...read };
  opened.close();
  throw new ReleaseError(
    `${directory}/${MANIFEST_FILE} names a different registryVersion than ${INDEX_FILE}: build again`,
  );
}

/** Reads a release except for bundle and index. Throws ReleaseError. */
export function readRelease(directory: string): ReadRelease {
  const { manifest, files, identitySha256 } = readManifest(directory);
  const listed = new Map(manifest.files.map((file) => [`/${file.path}`, file]));
  const assetNames = [...listed.keys()].filter((name) => ASSET.test(name));
  const inside = REGISTRY_FILES.map((name) => `/${name}`);
  const pages = addedResources(listed.keys());
  const documents = [...documentFiles, ...pages.flatMap(({ variants }) => variants.map(({ file }) => file))];
  const expected = [...inside, ...documents, ...assetNames];
  const unexpected = [
    ...[...listed.keys()].filter((name) => !expected.includes(name)),
    ...expected.filter((name) => !listed.has(name)),
  ];
  if (unexpected.length > 0) {
    throw new ReleaseError(
      `${directory}/${MANIFEST_FILE} does not list what this runtime serves (${unexpected.join(", ")}): build again`,
    );
  }
  const bodies = new Map<string, Uint8Array>();
  const read = (name: string): Uint8Array => {
    const file = path.join(directory, name);
    const bytes = readFile(file, Math.max(FILE_MAX_BYTES, listed.get(name)?.bytes ?? 0));
    if (sha256(bytes) !== listed.get(name)?.sha256) throw new ReleaseError(damaged(file));
    return bytes;
  };
  for (const name of documents) bodies.set(name, read(name));
  const assets = new Map(assetNames.map((name) => [name, read(name)]));
  const mcp = readDefinition(directory, manifest.origin, bodies);
  checkInterface(directory, bodies);
  const blocks = read(`/${BLOCKS_FILE}`);
  return {
    directory: path.resolve(directory),
    files,
    identitySha256,
    manifest,
    documents: bodies,
    mcp,
    assets,
    blocks,
  };
}

/**
 * Reads the manifest, which has the digests of a dist, and SHA256SUMS, which has that of the
 * manifest. Throws ReleaseError if one is missing or damaged.
 */
function readManifest(directory: string): Pick<Release, "manifest" | "files" | "identitySha256"> {
  const bytes = readFile(path.join(directory, MANIFEST_FILE));
  const manifest = parseRecord(`${directory}/${MANIFEST_FILE}`, bytes, parseManifest);
  if (parseOrigin(manifest.origin) !== manifest.origin)
    throw new ReleaseError(`${directory}/${MANIFEST_FILE} does not name an origin: build again`);
  const listed = [...manifest.files, { path: MANIFEST_FILE, sha256: sha256(bytes) }];
  const sums = readFile(path.join(directory, SUMS_FILE));
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sums);
  const lines = text.split("\n");
  const digestOf = (name: string): string | undefined => lines.find((line) => line.slice(66) === name)?.slice(0, 64);
  const identitySha256 = digestOf(IDENTITY_FILE) ?? "";
  const own = digestOf(MANIFEST_FILE);
  if (own !== undefined && own !== sha256(bytes))
    throw new ReleaseError(damaged(path.join(directory, MANIFEST_FILE), SUMS_FILE));
  if (text !== formatSums([...listed, { path: IDENTITY_FILE, sha256: identitySha256 }]))
    throw new ReleaseError(
      `${path.join(directory, SUMS_FILE)} does not list the files of ${MANIFEST_FILE}: restore the file or build again`,
    );
  const files = new Map(listed.map((file) => [file.path, file.sha256]));
  return { manifest, files: files.set(SUMS_FILE, sha256(sums)), identitySha256 };
}

const parseDefinition = readerOf<MCPDefinition>(validators.Definition);

/** Reads the data of `POST /mcp`, whose resources must be documents of this release. */
function readDefinition(directory: string, origin: string, documents: Release["documents"]): MCPDefinition {
  const file = directory + MCP_FILE;
  const definition = parseRecord(file, documentOf({ documents }, MCP_FILE), parseDefinition);
  const unknown = definition.resources.find(({ uri }) => resourceOf(uri, origin, documents) === undefined);
  if (unknown !== undefined) throw new ReleaseError(`${file} names a resource that is not a document: build again`);
  return definition;
}

const parseInterface = readerOf<Interface>(validators.Interface);

/** Checks that rendered pages have all their parts, so that no request for one fails. */
function checkInterface(directory: string, documents: Release["documents"]): void {
  const file = directory + INTERFACE_FILE;
  const read = parseRecord(file, documentOf({ documents }, INTERFACE_FILE), parseInterface);
  const fault = interfaceFault(read, prefixesIn(documents.keys()));
  if (fault !== undefined) throw unreadable(file, fault);
  if (!isShell(documentText({ documents }, SHELL_FILE)))
    throw unreadable(directory + SHELL_FILE, "it has no place for a page");
}

/** The document at a URL of the release. */
function resourceOf(uri: string, origin: string, documents: Release["documents"]): Uint8Array | undefined {
  return uri.startsWith(`${origin}/`) ? documents.get(uri.slice(origin.length)) : undefined;
}

/** Reads a JSON file of the release by its schema. Throws ReleaseError if it does not match. */
function parseRecord<T>(file: string, bytes: Uint8Array, parse: Reader<T>): T {
  const json = parseJson(bytes);
  if (!json.ok) throw new ReleaseError(`${file} is not JSON: build again`);
  const reading = parse(json.value);
  if (reading.ok) return reading.value;
  throw unreadable(file, firstViolation(reading.violations, "", "it"));
}

function unreadable(file: string, fault: string): ReleaseError {
  return new ReleaseError(`${file} is not what this runtime reads (${fault}): build again`);
}
