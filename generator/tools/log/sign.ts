/**
 * Signs the next checkpoint, adds cosignatures, and writes the proof of the newest release. A
 * checkpoint that contradicts one that was signed before is never signed.
 * Source: c2sp.org/tlog-checkpoint, Signatures.
 */
import type { KeyObject } from "node:crypto";
import path from "node:path";
import type { Effects } from "../../effects/effects.ts";
import { CHECKPOINT_FILE } from "../../registry/log-head.ts";
import { encodeBase64, policyOfLog, ProofError, type VerifierKey } from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { signNote } from "./key.ts";
import { checkpointText, replaceFile, writing } from "./log-folder.ts";
import { proveRelease } from "./prove.ts";
import { readTextOf } from "./signed-log.ts";
import { openSource, readNext, readSigned, rootAt, signedHead, UNSIGNED_FILE } from "./source.ts";

/** Returns the size that was signed; undefined if nothing waits to be signed. */
export async function signCheckpoint(
  effects: Effects,
  folder: string,
  { key, verifier }: { readonly key: KeyObject; readonly verifier: VerifierKey },
): Promise<number | undefined> {
  const source = openSource(effects, folder);
  const unsigned = await readTextOf(source, UNSIGNED_FILE);
  const log = unsigned === undefined ? undefined : await readNext(source, policyOfLog(verifier));
  if (unsigned === undefined || log === undefined) return undefined;
  const { size, root } = log.checkpoint;
  if (unsigned !== checkpointText(verifier.name, { size, root }))
    throw new ProofError(`${UNSIGNED_FILE} is not a checkpoint of ${verifier.name}: append the release again`);
  const before = await signedHead(source);
  if (before !== undefined && (before.size > size || rootAt(log.leaves, before.size) !== encodeBase64(before.root)))
    throw new ProofError(
      `The entries contradict the checkpoint of size ${before.size} that was signed before: restore ${folder} from version control`,
    );
  await publish(effects, folder, { note: signNote(unsigned, key, verifier), verifier });
  return size;
}

/** Replaces the checkpoint and the proof of the newest release. */
export async function publish(
  effects: Effects,
  folder: string,
  { note, verifier }: { readonly note: string; readonly verifier: VerifierKey },
): Promise<void> {
  writing(effects, folder, () => {
    replaceFile(effects, folder, { name: CHECKPOINT_FILE, text: note });
    effects.remove(path.join(folder, UNSIGNED_FILE));
  });
  const source = openSource(effects, folder);
  const log = await readSigned(source, policyOfLog(verifier));
  const provable = { files: source, log, cryptography: nodeCryptography };
  for (const [i, { registryVersion }] of log.entries.entries()) {
    const name = `${registryVersion}.tlog-proof`;
    // The proof of an earlier release stays as it was given: it is proven for ever.
    if (i < log.entries.length - 1 && effects.kind(path.join(folder, name)) === "file") continue;
    replaceFile(effects, folder, { name, text: await proveRelease(provable, registryVersion) });
  }
}
