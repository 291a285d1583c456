/**
 * A log as its readers see it: files of a folder or below an address, the entries that its
 * checkpoint commits to, and the policy that it is read by.
 */
import path from "node:path";
import type { Effects } from "../../effects/effects.ts";
import { httpClient } from "../../effects/http-client.ts";
import { CHECKPOINT_FILE } from "../../registry/log-head.ts";
import {
  type Checkpoint,
  encodeBase64,
  parseCheckpoint,
  parseNote,
  ProofError,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  type Policy,
} from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { TileReader, TreeWriter } from "./tiles.ts";
import { type Entry, parseEntry } from "./verifier.ts";

/** The next checkpoint before it is signed. It is no note, so it has another name. */
export const UNSIGNED_FILE = "checkpoint.unsigned";
export const POLICY_FILE = "policy";
export const BINDINGS_FOLDER = "bindings";
/** Far more than the largest file of a log: 256 entries of 64 KiB. */
const FILE_MOST = 1 << 25;
const TIMEOUT_MS = 30_000;

/** The log cannot be read: not a contradiction, but no answer either. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

export interface LogSource {
  /** As it was named. */
  readonly name: string;
  /** Undefined if there is no such file. Throws UnreachableError if that cannot be known. */
  read(file: string): Promise<Uint8Array | undefined>;
  close(): void;
}

/** A folder, or an address that begins with http:// or https://. */
export function openSource(effects: Effects, name: string): LogSource {
  return /^https?:\/\//.test(name) ? remoteSource(name) : folderSource(effects, name);
}

function folderSource(effects: Effects, name: string): LogSource {
  return {
    name,
    read: async (file) => {
      if (effects.kind(name) !== "directory") throw new UnreachableError(`${name} is not a folder`);
      const place = path.join(name, file);
      return effects.kind(place) === "file" ? effects.read(place) : undefined;
    },
    close: () => undefined,
  };
}

function remoteSource(name: string): LogSource {
  const client = httpClient();
  const prefix = name.replace(/\/*$/, "/");
  return {
    name,
    async read(file) {
      const url = prefix + file;
      const asked = { url, method: "GET", fields: {}, maxBytes: FILE_MOST, timeoutMs: TIMEOUT_MS };
      const { status, body } = await client.ask(asked).catch((error: unknown) => {
        throw new UnreachableError(`${url}: ${(error as Error).message}`);
      });
      if (status === 404 || status === 410) return undefined;
      if (status !== 200) throw new UnreachableError(`${url} answers ${status}`);
      if (body.length > FILE_MOST) throw new ProofError(`${url} is larger than any file of a log`);
      return body;
    },
    close: () => client.close(),
  };
}

/** The bytes of a file that must be there. Throws ProofError. */
export async function readNeeded(source: LogSource, file: string): Promise<Uint8Array> {
  const bytes = await source.read(file);
  if (bytes === undefined) throw new ProofError(`${source.name} has no ${file}, which its checkpoint commits to`);
  return bytes;
}

/** The text of a file, or undefined; throws ProofError if it is not UTF-8. */
export async function readTextOf(source: LogSource, file: string): Promise<string | undefined> {
  const bytes = await source.read(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ProofError(`${file} in ${source.name} is not UTF-8`);
  }
}

export interface Log {
  readonly checkpoint: Checkpoint;
  readonly entries: readonly Entry[];
  /** The RFC 8785 form of each entry. */
  readonly leaves: readonly Uint8Array[];
}

/** A signed log: the note as it is, and what its signatures say. */
export interface SignedLog extends Log {
  readonly note: string;
  readonly checkpoint: VerifiedCheckpoint;
}

/** The signed checkpoint with its entries. Throws ProofError if anything contradicts it. */
export async function readSigned(source: LogSource, policy: Policy): Promise<SignedLog> {
  const note = await readTextOf(source, CHECKPOINT_FILE);
  if (note === undefined) throw new UnreachableError(`${source.name} has no ${CHECKPOINT_FILE}`);
  const checkpoint = await verifyCheckpoint(note, policy, nodeCryptography);
  return { note, ...(await readEntries(source, checkpoint)), checkpoint };
}

/** The log with its next checkpoint if one waits to be signed; undefined for an empty log. */
export async function readNext(source: LogSource, policy: Policy): Promise<Log | undefined> {
  const unsigned = await readTextOf(source, UNSIGNED_FILE);
  if (unsigned !== undefined) return readEntries(source, parseCheckpoint(unsigned));
  const note = await readTextOf(source, CHECKPOINT_FILE);
  return note === undefined ? undefined : readSigned(source, policy);
}

/** The size and root of the signed checkpoint; undefined if there is none. */
export async function signedHead(source: LogSource): Promise<Checkpoint | undefined> {
  const note = await readTextOf(source, CHECKPOINT_FILE);
  return note === undefined ? undefined : parseCheckpoint(parseNote(note).text);
}

async function readEntries(source: LogSource, checkpoint: Checkpoint): Promise<Log> {
  const { size, root } = checkpoint;
  const reader = new TileReader((file) => readNeeded(source, file), size);
  const leaves: Uint8Array[] = [];
  for (let bundle = 0; leaves.length < size; bundle++) leaves.push(...(await reader.entries(bundle)));
  const due = encodeBase64(root);
  const found = rootAt(leaves, size);
  if (found !== due)
    throw new ProofError(`The entries of ${source.name} make the root ${found}, but its checkpoint says ${due}`);
  const entries = leaves.map(parseEntry);
  const other = entries.find(({ registry }) => registry !== entries[0]?.registry);
  if (other !== undefined)
    throw new ProofError(`${other.registryVersion} is of the registry ${other.registry}, not ${entries[0]?.registry}`);
  return { checkpoint, entries, leaves };
}

/** The root of the first `size` entries, in base64. */
export function rootAt(leaves: readonly Uint8Array[], size: number): string {
  const tree = new TreeWriter(() => undefined);
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  return encodeBase64(tree.finish().root);
}
