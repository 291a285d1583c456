/**
 * The key of a log: made here, kept as PKCS #8 (RFC 8410) in a file that only its owner may read,
 * outside the repository. Nothing prints it, and no error quotes it.
 * Source: c2sp.org/signed-note, Ed25519 signatures and Verifier keys.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from "node:crypto";
import path from "node:path";
import { type Effects, readText } from "../../effects/effects.ts";
import { UsageError } from "../../text/usage-error.ts";
import { LOG_KEY, type VerifierKey } from "./c2sp.ts";

/** Makes a key pair and writes the private key. Returns the verifier key as text. */
export function makeKey(effects: Effects, file: string, name: string): string {
  requireOutside(effects, file);
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  if (!effects.writePrivate(file, pem))
    throw new UsageError(`--key ${file} exists: a key is never overwritten, so name another file or remove it`);
  return formatVerifierKey(name, publicBytes(privateKey));
}

/** A repository is published; a key that was ever in it is everybody's. */
function requireOutside(effects: Effects, file: string): void {
  const start = path.dirname(effects.realPath(file));
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (effects.kind(path.join(folder, ".git")) !== "none")
      throw new UsageError(`--key ${file} is in the repository ${folder}: name a file outside it`);
    if (folder === path.dirname(folder)) return;
  }
}

/** Throws UsageError if it is not an Ed25519 key that only its owner may read. */
export function readKey(effects: Effects, file: string): KeyObject {
  if (effects.kind(file) !== "file") throw new UsageError(`--key ${file} is not a file`);
  if (!effects.isPrivate(file))
    throw new UsageError(`--key ${file} can be read by others, so it is not used: chmod 600 it, or make another key`);
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(readText(effects, file));
  } catch {
    // What the library says could quote the file.
  }
  if (key?.asymmetricKeyType !== "ed25519")
    throw new UsageError(`--key ${file} is not an Ed25519 key in PKCS #8 (PEM)`);
  return key;
}

/** Throws UsageError unless the key is the private half of the verifier key. */
export function requireSame(key: KeyObject, { name, publicKey }: VerifierKey, file: string): void {
  if (Buffer.compare(publicBytes(key), publicKey) !== 0)
    throw new UsageError(`--key ${file} is not the key of ${name}`);
}

/** The 32 bytes of the public key (RFC 8032). */
function publicBytes(key: KeyObject): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url");
}

/** `name+hash+base64` */
function formatVerifierKey(name: string, publicKey: Uint8Array): string {
  const typed = Buffer.concat([Buffer.of(LOG_KEY), publicKey]);
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typed])).slice(0, 8);
  return `${name}+${id}+${typed.toString("base64")}`;
}

/** The note of a text with the signature of its log. */
export function signNote(text: string, key: KeyObject, { name, id }: Pick<VerifierKey, "name" | "id">): string {
  const signature = Buffer.concat([Buffer.from(id, "hex"), sign(null, Buffer.from(text), key)]);
  return `${text}\n\u2014 ${name} ${signature.toString("base64")}\n`;
}
