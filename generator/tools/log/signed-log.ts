/**
 * A signed log as its files give it: the note, and the entries that its checkpoint commits to. No
 * Node API: the files may be anywhere.
 */
import {
  type Checkpoint,
  type Cryptography,
  type Policy,
  ProofError,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from "./c2sp.ts";
import { TileReader } from "./tile-reader.ts";
import { type Entry, parseEntry } from "./verifier.ts";

export const BINDINGS_FOLDER = "bindings";

/** The files of a log, by their names below its folder or address. */
export interface LogFiles {
  /** As it was named. */
  readonly name: string;
  /** Undefined if there is no such file. Throws if that cannot be known. */
  read(file: string): Promise<Uint8Array | undefined>;
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

/** The bytes of a file that must be there. Throws ProofError. */
export async function readNeeded(files: LogFiles, file: string): Promise<Uint8Array> {
  const bytes = await files.read(file);
  if (bytes === undefined) throw new ProofError(`${files.name} has no ${file}, which its checkpoint commits to`);
  return bytes;
}

/** The text of a file, or undefined; throws ProofError if it is not UTF-8. */
export async function readTextOf(files: LogFiles, file: string): Promise<string | undefined> {
  const bytes = await files.read(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ProofError(`${file} in ${files.name} is not UTF-8`);
  }
}

/** The entries that a note commits to, once its signatures are verified; no root is made. */
export async function openNote(
  files: LogFiles,
  note: string,
  { policy, cryptography }: { readonly policy: Policy; readonly cryptography: Cryptography },
): Promise<SignedLog> {
  const checkpoint = await verifyCheckpoint(note, policy, cryptography);
  return { note, ...(await readEntries(files, checkpoint)), checkpoint };
}

/** Throws ProofError if an entry is missing or not an entry of one registry. */
export async function readEntries(files: LogFiles, checkpoint: Checkpoint): Promise<Log> {
  const reader = new TileReader((file) => readNeeded(files, file), checkpoint.size);
  const leaves: Uint8Array[] = [];
  for (let bundle = 0; leaves.length < checkpoint.size; bundle++) leaves.push(...(await reader.entries(bundle)));
  const entries = leaves.map(parseEntry);
  const other = entries.find(({ registry }) => registry !== entries[0]?.registry);
  if (other !== undefined)
    throw new ProofError(`${other.registryVersion} is of the registry ${other.registry}, not ${entries[0]?.registry}`);
  return { checkpoint, entries, leaves };
}
