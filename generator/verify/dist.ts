/** A dist as an auditor has it: the files in a folder and, of those that vouch for the rest, what can be read. */
import path from "node:path";
import { parseJson } from "../../runtime/json.ts";
import { INDEX_FILE, type Manifest, MANIFEST_FILE, parseManifest } from "../../runtime/manifest.ts";
import { parseOrigin } from "../../runtime/origin.ts";
import type { RegistryIndex } from "../../runtime/registry-index.ts";
import { openIndexFile, ReleaseError } from "../../runtime/release.ts";
import { firstFault } from "../../runtime/validator.ts";
import type { Effects } from "../effects.ts";

export interface Dist {
  /** Plain files, in code-point order; names are below the folder, with `/`. */
  readonly names: readonly string[];
  /** What else is there. */
  readonly odd: readonly string[];
  read(name: string): Uint8Array | undefined;
  /** The text of a file that is UTF-8. */
  text(name: string): string | undefined;
  /** Digest of a plain file. */
  digest(name: string): { readonly bytes: number; readonly sha256: string };
  readonly manifest: Manifest | undefined;
  readonly index: RegistryIndex | undefined;
  /** Why there is no manifest, or no index. */
  readonly faults: readonly string[];
  close(): void;
}

/** What some check found wrong: `place: what`. */
export type Faults = string[];

export function openDist(effects: Effects, directory: string): Dist {
  const listed = effects.list(directory);
  const isPlain = (name: string): boolean => {
    const file = path.join(directory, name);
    return effects.kind(file) === "file" && !effects.isLink(file);
  };
  const names = listed.filter(isPlain);
  const present = new Set(names);
  const read = (name: string): Uint8Array | undefined =>
    present.has(name) ? effects.read(path.join(directory, name)) : undefined;
  const manifest = readManifest(read(MANIFEST_FILE));
  const opened = openIndex(directory, present.has(INDEX_FILE));
  return {
    names,
    odd: listed.filter((name) => !present.has(name)),
    read,
    text: (name) => decodeText(read(name)),
    digest: (name) => effects.digest(path.join(directory, name)),
    manifest: typeof manifest === "string" ? undefined : manifest,
    index: typeof opened === "string" ? undefined : opened.index,
    faults: [manifest, opened].filter((part) => typeof part === "string"),
    close: () => (typeof opened === "string" ? undefined : opened.close()),
  };
}

function readManifest(bytes: Uint8Array | undefined): Manifest | string {
  if (bytes === undefined) return `${MANIFEST_FILE}: missing, or not a plain file`;
  const json = parseJson(bytes);
  if (!json.ok) return `${MANIFEST_FILE}: not JSON`;
  const reading = parseManifest(json.value);
  if (!reading.ok) return `${MANIFEST_FILE}: ${firstFault(reading.violations, "", "it")}`;
  if (parseOrigin(reading.value.origin) !== reading.value.origin) return `${MANIFEST_FILE}: names no origin`;
  return reading.value;
}

function openIndex(directory: string, isThere: boolean): ReturnType<typeof openIndexFile> | string {
  if (!isThere) return `${INDEX_FILE}: missing, or not a plain file`;
  try {
    return openIndexFile(path.join(directory, INDEX_FILE));
  } catch (error) {
    if (error instanceof ReleaseError) return error.message;
    throw error;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined for what is no UTF-8. */
function decodeText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
