/**
 * The formats of transparency logs that a client reads, and what it verifies: notes, verifier keys,
 * checkpoints with cosignatures, and proofs of inclusion. No Node API, no files, no clock: for
 * Node, browsers, and whatever else has WebCrypto with Ed25519.
 * Source: c2sp.org/signed-note, /tlog-checkpoint, /tlog-cosignature and /tlog-proof; RFC 9162
 * §2.1.3.2. Not supported: signatures other than Ed25519.
 */

/** What the proof or a key contradicts, in one line. */
export class ProofError extends Error {
  override name = "ProofError";
}

/** The two primitives; by default those of WebCrypto. */
export interface Cryptography {
  sha256(this: void, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** RFC 8032: a public key of 32 bytes, a signature of 64. */
  verifyEd25519(
    this: void,
    signed: {
      readonly publicKey: Uint8Array;
      readonly message: Uint8Array;
      readonly signature: Uint8Array;
    },
  ): boolean | Promise<boolean>;
}

export const webCrypto: Cryptography = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  async verifyEd25519({ publicKey, message, signature }) {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return crypto.subtle.verify("Ed25519", key, signature, message);
  },
};

/** The signature types of signed-note that are verified. */
export const LOG_KEY = 0x01;
const WITNESS_KEY = 0x04;

export interface VerifierKey {
  readonly name: string;
  /** Lowercase hex of 4 bytes. */
  readonly id: string;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

export interface Note {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}
interface NoteSignature {
  readonly name: string;
  readonly id: string;
  /** What follows the key id. */
  readonly bytes: Uint8Array;
  /** The whole line, without its line feed. */
  readonly line: string;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** Whom to trust: logs by name, witnesses by their names in the policy, and the quorum. */
export interface Policy {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: ReadonlyMap<string, VerifierKey>;
  isQuorum(this: void, cosigned: ReadonlySet<string>): boolean;
  /** For messages: the line that states the quorum. */
  readonly quorum: string;
}

export interface VerifiedCheckpoint extends Checkpoint {
  /** The known witnesses that cosigned it; time in seconds since 1970, as the witness states it. */
  readonly witnesses: readonly { readonly name: string; readonly time: number }[];
}

const encoder = new TextEncoder();
/** Unicode spaces, and the plus that separates the parts of a verifier key (signed-note). */
const NOT_IN_NAMES = /[\s\u0085+]/u;

/** Throws ProofError unless the text is exactly one verifier key (signed-note, Verifier keys). */
export async function parseVerifierKey(text: string, cryptography: Cryptography = webCrypto): Promise<VerifierKey> {
  const [, name = "", id = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const key = decodeBase64(encoded);
  if (name === "" || NOT_IN_NAMES.test(name) || key === undefined || key.length === 0)
    throw new ProofError("The verifier key is not of the form name+hash+base64");
  const [type = 0] = key;
  if (type !== LOG_KEY && type !== WITNESS_KEY)
    throw new ProofError(`The verifier key of ${name} has type ${type}: only Ed25519 (1 and 4) is supported`);
  if (key.length !== 33) throw new ProofError(`The verifier key of ${name} does not have 32 bytes`);
  const due = hexOf((await cryptography.sha256(joinBytes([encoder.encode(`${name}\n`), key]))).subarray(0, 4));
  if (due !== id) throw new ProofError(`The verifier key of ${name} has the key id ${id}, but its key makes ${due}`);
  return { name, id, type, publicKey: key.subarray(1) };
}

/** At least 16 signatures must be read (signed-note, Format); nobody needs more than this. */
const MOST_SIGNATURES = 100;

/** Throws ProofError; says nothing of the signatures. */
export function parseNote(note: string): Note {
  // signed-note, Format: no control characters, and the last empty line ends the text.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f\p{Surrogate}]/u.test(note))
    throw new ProofError("The note holds a control character or is not Unicode");
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) throw new ProofError("The note has no signature after an empty line");
  const lines = note.slice(split + 2, -1).split("\n");
  if (lines.length > MOST_SIGNATURES) throw new ProofError(`The note has more than ${MOST_SIGNATURES} signatures`);
  const signatures = lines.map((line): NoteSignature => {
    const [, name = "", encoded = ""] = /^\u2014 ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
    const bytes = decodeBase64(encoded);
    if (name === "" || NOT_IN_NAMES.test(name) || bytes === undefined || bytes.length < 5)
      throw new ProofError(`The signature line ${JSON.stringify(line.slice(0, 40))} is not "— name base64"`);
    return { name, id: hexOf(bytes.subarray(0, 4)), bytes: bytes.subarray(4), line };
  });
  return { text: note.slice(0, split + 1), signatures };
}

/** The text of a note as a checkpoint (tlog-checkpoint, Note text). Throws ProofError. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", encoded = "", ...rest] = text.split("\n");
  const root = decodeBase64(encoded);
  // Extension lines are allowed, but not empty ones; the last line feed ends the text.
  if (origin === "" || root?.length !== 32 || rest.pop() !== "" || rest.includes(""))
    throw new ProofError("The checkpoint is not three lines of origin, size and root");
  return { origin, size: parseNumber(size, "The tree size of the checkpoint"), root };
}

/** Checks the log's signature and all of known witnesses, and the quorum. Throws ProofError. */
export async function verifyCheckpoint(
  note: string,
  { logs, witnesses, isQuorum, quorum }: Policy,
  cryptography: Cryptography = webCrypto,
): Promise<VerifiedCheckpoint> {
  const { text, signatures } = parseNote(note);
  const checkpoint = parseCheckpoint(text);
  // tlog-policy, Defining a log: the name of the key is the origin line of the log.
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) throw new ProofError(`The checkpoint is of ${checkpoint.origin}, not of ${namesOf(logs)}`);
  const linesOf = ({ name, id }: VerifierKey) => signatures.filter((line) => line.name === name && line.id === id);
  const check = async (key: VerifierKey, message: string, signature: Uint8Array): Promise<void> => {
    const signed = { publicKey: key.publicKey, message: encoder.encode(message), signature };
    // A note with a wrong signature of a known key is refused whole (signed-note, Signatures).
    if (signature.length !== 64 || !(await cryptography.verifyEd25519(signed)))
      throw new ProofError(`The signature of ${key.name} does not verify`);
  };
  let isSigned = false;
  for (const key of keys)
    for (const { bytes } of linesOf(key)) {
      await check(key, text, bytes);
      isSigned = true;
    }
  if (!isSigned) {
    const ids = signatures.filter(({ name }) => name === checkpoint.origin).map(({ id }) => id);
    const other = ids.length === 0 ? "has no signature by" : `has the key id ${ids.join(", ")} instead of`;
    throw new ProofError(`The checkpoint ${other} ${keys.map(({ name, id }) => `${name}+${id}`).join(", ")}`);
  }
  const seen = new Map<string, number>();
  for (const [name, key] of witnesses)
    for (const { bytes } of linesOf(key)) {
      const time = bytes.length < 8 ? -1 : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
      if (!Number.isSafeInteger(time) || time < 0) throw new ProofError(`The cosignature of ${name} has no valid time`);
      // tlog-cosignature, Ed25519 signed message.
      await check(key, `cosignature/v1\ntime ${time}\n${text}`, bytes.subarray(8));
      seen.set(name, time);
    }
  if (!isQuorum(new Set(seen.keys())))
    throw new ProofError(`The checkpoint is cosigned by ${namesOf(seen.keys())}, which is not the "${quorum}"`);
  return { ...checkpoint, witnesses: [...seen].map(([name, time]) => ({ name, time })) };
}

function namesOf(all: Iterable<string | VerifierKey>): string {
  const names = Array.from(all, (one) => (typeof one === "string" ? one : one.name));
  return names.length === 0 ? "no known witness" : names.join(", ");
}

/** The policy of one log and no witness. */
export function policyOfLog(key: VerifierKey): Policy {
  return { logs: [key], witnesses: new Map(), isQuorum: () => true, quorum: "quorum none" };
}

export interface Proof {
  readonly extra: Uint8Array;
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** The whole note. */
  readonly checkpoint: string;
}

/** tlog-proof, Format. Throws ProofError. */
export function parseProof(text: string): Proof {
  const split = text.indexOf("\n\n");
  const lines = split < 0 ? [] : text.slice(0, split).split("\n");
  if (lines.shift() !== "c2sp.org/tlog-proof@v1")
    throw new ProofError('The proof does not begin with "c2sp.org/tlog-proof@v1"');
  const encoded = lines[0]?.startsWith("extra ") === true ? (lines.shift() ?? "").slice(6) : "";
  const extra = decodeBase64(encoded);
  const index = /^index (.*)$/.exec(lines.shift() ?? "")?.[1];
  const path = lines.map(decodeBase64);
  if (extra === undefined || index === undefined || !path.every((hash) => hash?.length === 32))
    throw new ProofError("The proof is not lines of extra, index and hashes in base64");
  return {
    extra,
    index: parseNumber(index, "The index of the proof"),
    path: path as Uint8Array[],
    checkpoint: text.slice(split + 2),
  };
}

/** An entry or a leaf in a tree of a size; `path` goes from its sibling up. */
export interface Inclusion {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162 §2.1.3.2: the root that a path leads to. Throws ProofError if its length is wrong. */
export async function rootOf({ leaf, index, size, path }: Inclusion, { sha256 } = webCrypto): Promise<Uint8Array> {
  if (index >= size) throw new ProofError(`Index ${index} is not in a tree of size ${size}`);
  let [fn, sn] = [index, size - 1];
  // §2.1.1: leaves and nodes are hashed with different prefixes.
  let root = await sha256(joinBytes([Uint8Array.of(0), leaf]));
  const wrong = (): ProofError => new ProofError(`The path of index ${index} is not one of a tree of size ${size}`);
  for (const hash of path) {
    if (sn === 0) throw wrong();
    if (fn % 2 === 1 || fn === sn) {
      root = await sha256(joinBytes([Uint8Array.of(1), hash, root]));
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else root = await sha256(joinBytes([Uint8Array.of(1), root, hash]));
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0) throw wrong();
  return root;
}

/** Throws ProofError unless it is the decimal form of a number below 2^53, without zeros before. */
export function parseNumber(text: string, what: string): number {
  const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(number)) throw new ProofError(`${what} is not a decimal number`);
  if (!Number.isSafeInteger(number)) throw new ProofError(`${what} is not below 2^53`);
  return number;
}

/** RFC 4648 §4 in its only canonical form; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
