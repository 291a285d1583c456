/** Opens a dist for the checks: nothing in the folder, whatever it is, may stop or mislead them. */
import path from "node:path";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { parseManifest } from "../../../runtime/release/manifest.ts";
import { BLOCKS_FILE, BUNDLE_FILE, INDEX_FILE, MANIFEST_FILE } from "../../../runtime/contract/files.ts";
import { parseOrigin } from "../../../runtime/http/origin.ts";
import { FILE_MAX_BYTES, ReleaseError } from "../../../runtime/release/plain-file.ts";
import { openRegistryFiles, type RegistryFiles } from "../../../runtime/release/registry-files.ts";
import type { Effects } from "../../effects/effects.ts";
import { readAs } from "./json.ts";
import type { Digests, Dist } from "./parts.ts";

export function openDist(effects: Effects, directory: string): Dist {
  const listed = effects.list(directory);
  const digests = digestAll(effects, directory, listed);
  const isReadable = (name: string): boolean => (digests.get(name)?.bytes ?? Infinity) <= FILE_MAX_BYTES;
  const read = (name: string): Uint8Array | undefined =>
    isReadable(name) ? effects.read(path.join(directory, name)) : undefined;
  const manifest = readManifest(read(MANIFEST_FILE));
  const opened = openIndex(directory, digests);
  return {
    names: [...digests.keys()],
    files: Array.from(digests.keys(), (name) => `/${name}`),
    digests,
    unexpected: listed.filter((name) => !digests.has(name)),
    read,
    text: (name) => decodeText(read(name)),
    manifest: typeof manifest === "string" ? undefined : manifest,
    index: typeof opened === "string" ? undefined : opened.index,
    faults: [manifest, opened].filter((part) => typeof part === "string"),
    close: () => (typeof opened === "string" ? undefined : opened.close()),
  };
}

/** Files that grow with the registry. */
const UNBOUNDED: readonly string[] = [BLOCKS_FILE, BUNDLE_FILE, INDEX_FILE];

/**
 * Skips all but regular files before opening them, since a pipe would block. A file that is too
 * large has an empty digest.
 */
function digestAll(effects: Effects, directory: string, names: readonly string[]): Digests {
  const digests = new Map<string, ReturnType<Effects["digest"]>>();
  for (const name of names) {
    const file = path.join(directory, name);
    const most = UNBOUNDED.includes(name) ? Infinity : FILE_MAX_BYTES;
    try {
      if (effects.kind(file) === "file" && !effects.isLink(file)) digests.set(name, effects.digest(file, most));
    } catch {
      // The file is not readable, or has disappeared; either way it is unexpected.
    }
  }
  return digests;
}

function readManifest(bytes: Uint8Array | undefined): Manifest | string {
  if (bytes === undefined) return `${MANIFEST_FILE}: missing, or not a regular file`;
  const manifest = readAs(bytes, parseManifest);
  if (!manifest.ok) return `${MANIFEST_FILE}: ${manifest.fault}`;
  if (parseOrigin(manifest.value.origin) !== manifest.value.origin) return `${MANIFEST_FILE}: names no origin`;
  return manifest.value;
}

function openIndex(directory: string, digests: Digests): RegistryFiles | string {
  const absent = [INDEX_FILE, BUNDLE_FILE].find((name) => !digests.has(name));
  if (absent !== undefined) return `${absent}: missing, or not a regular file`;
  try {
    return openRegistryFiles(directory);
  } catch (error) {
    // The message begins with the folder, which the caller knows.
    if (error instanceof ReleaseError) return `${INDEX_FILE}: ${error.message.replace(/^.*?registry\.index: /, "")}`;
    throw error;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined for bytes that are not UTF-8. */
function decodeText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
