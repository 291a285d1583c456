/**
 * The folder of a log in an owner's repository: the key and policy that it is read by, and writing
 * in an order in which a killed command leaves a log that can be read and continued.
 */
import path from "node:path";
import { whileClaimed } from "../../effects/claim.ts";
import { type Effects, readText } from "../../effects/effects.ts";
import { invocation } from "../../effects/invocation.ts";
import { VKEY_FILE } from "../../registry/log-head.ts";
import { encoded } from "../../text/chunks.ts";
import { UsageError } from "../../text/usage-error.ts";
import {
  encodeBase64,
  LOG_KEY,
  parseVerifierKey,
  type Policy,
  policyOfLog,
  ProofError,
  type VerifierKey,
} from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { parsePolicy } from "./policy.ts";
import type { Tree } from "./tiles.ts";

/** The verifier key of the log in a folder. Throws UsageError if there is none. */
export async function readOwnKey(effects: Effects, folder: string): Promise<VerifierKey> {
  const file = path.join(folder, VKEY_FILE);
  if (effects.kind(file) !== "file")
    throw new UsageError(`${file} does not exist: begin a log with ${invocation("log", "init --key FILE")}`);
  return readVerifierKey(readText(effects, file).trimEnd(), file);
}

/** Throws UsageError, which names where the text comes from. */
export async function readVerifierKey(text: string, from: string): Promise<VerifierKey> {
  const key = await reading(from, () => parseVerifierKey(text, nodeCryptography));
  if (key.type !== LOG_KEY) throw new UsageError(`${from}: it is the key of a witness, not of a log`);
  return key;
}

/** The policy in a file; without one, that of the log alone. Throws UsageError. */
export async function readPolicy(effects: Effects, file: string | undefined, key: VerifierKey): Promise<Policy> {
  if (file === undefined) return policyOfLog(key);
  if (effects.kind(file) !== "file") throw new UsageError(`${file} is not a file`);
  const policy = await reading(file, () => parsePolicy(readText(effects, file), nodeCryptography));
  // The log is known from elsewhere: what a policy says of logs cannot widen that.
  return { ...policy, logs: [key] };
}

async function reading<T>(from: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new UsageError(`${from}: ${error.message}`);
  }
}

/** The text of a checkpoint (tlog-checkpoint, Note text). */
export function checkpointText(origin: string, { size, root }: Tree): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** Replaces a file of the folder at once; readers see the old or the new one. */
export function replaceFile(effects: Effects, folder: string, { name, text }: { name: string; text: string }): void {
  const next = path.join(folder, `.${name}.${effects.processId}.new`);
  try {
    effects.write(next, encoded(text));
    effects.rename(next, path.join(folder, name));
  } finally {
    effects.remove(next);
  }
}

/** Lets only one command at a time write the log. Throws UsageError if another does. */
export function writing(effects: Effects, folder: string, write: () => void): void {
  whileClaimed(effects, folder, write);
}
