/**
 * A log as its readers see it: files of a folder or below an address, the entries that its
 * checkpoint commits to, and the policy that it is read by.
 */
import path from "node:path";
import type { Effects } from "../../effects/effects.ts";
import { httpClient } from "../../effects/http-client.ts";
import { CHECKPOINT_FILE } from "../../registry/log-head.ts";
import { type Checkpoint, encodeBase64, parseCheckpoint, parseNote, type Policy, ProofError } from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { type Log, type LogFiles, openNote, readEntries, readTextOf, type SignedLog } from "./signed-log.ts";
import { TreeWriter } from "./tiles.ts";

/** The next checkpoint before it is signed. It is no note, so it has another name. */
export const UNSIGNED_FILE = "checkpoint.unsigned";
export const POLICY_FILE = "policy";
/** Far more than the largest file of a log: 256 entries of 64 KiB. */
const FILE_MOST = 1 << 25;
const TIMEOUT_MS = 30_000;

/** The log cannot be read: not a contradiction, but no answer either. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

/** The files of a log. `read` throws UnreachableError if it cannot know whether one is there. */
export interface LogSource extends LogFiles {
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

/** The signed checkpoint with its entries. Throws ProofError if anything contradicts it. */
export async function readSigned(source: LogSource, policy: Policy): Promise<SignedLog> {
  const note = await readTextOf(source, CHECKPOINT_FILE);
  if (note === undefined) throw new UnreachableError(`${source.name} has no ${CHECKPOINT_FILE}`);
  const log = await openNote(source, note, { policy, cryptography: nodeCryptography });
  requireRoot(source, log);
  return log;
}

/** The log with its next checkpoint if one waits to be signed; undefined for an empty log. */
export async function readNext(source: LogSource, policy: Policy): Promise<Log | undefined> {
  const unsigned = await readTextOf(source, UNSIGNED_FILE);
  if (unsigned !== undefined) {
    const log = await readEntries(source, parseCheckpoint(unsigned));
    requireRoot(source, log);
    return log;
  }
  const note = await readTextOf(source, CHECKPOINT_FILE);
  return note === undefined ? undefined : readSigned(source, policy);
}

/** The size and root of the signed checkpoint; undefined if there is none. */
export async function signedHead(source: LogSource): Promise<Checkpoint | undefined> {
  const note = await readTextOf(source, CHECKPOINT_FILE);
  return note === undefined ? undefined : parseCheckpoint(parseNote(note).text);
}

function requireRoot({ name }: LogSource, { leaves, checkpoint }: Log): void {
  const due = encodeBase64(checkpoint.root);
  const found = rootAt(leaves, checkpoint.size);
  if (found !== due)
    throw new ProofError(`The entries of ${name} make the root ${found}, but its checkpoint says ${due}`);
}

/** The root of the first `size` entries, in base64. */
export function rootAt(leaves: readonly Uint8Array[], size: number): string {
  const tree = new TreeWriter(() => undefined);
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  return encodeBase64(tree.finish().root);
}
