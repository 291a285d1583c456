/**
 * Verifies a `.tlog-proof` of a registry offline: that a release is in its log, and what an
 * expression has meant in all releases up to it. A proof shows what the owner committed to before
 * everybody, not that a meaning is right. No Node API: it runs wherever c2sp.ts does.
 * Source: c2sp.org/tlog-proof, Verifying a tlog proof; the layout of `extra`: docs/log.md.
 */
import {
  type Cryptography,
  encodeBase64,
  type Inclusion,
  joinBytes,
  parseNumber,
  parseProof,
  type Policy,
  ProofError,
  rootOf,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  webCrypto,
} from "./c2sp.ts";

export const ENTRY_SCHEMA = "service-semantics.log-entry.v1";

/** The entry of a release: RFC 8785 JSON, with members in this order. Digests are lowercase hex. */
export interface Entry {
  /** The tree over everything that ever resolved; its root in base64. */
  readonly bindings: { readonly count: number; readonly root: string };
  readonly bundleSha256: string;
  readonly contentSha256: string;
  /** Of registry.root. */
  readonly indexRootSha256: string;
  readonly origin: string;
  /** The version before; null for the first release of the registry. */
  readonly previous: string | null;
  /** The number of expressions that lead to another code since the version before. */
  readonly reassigned: number;
  readonly registry: string;
  readonly registryVersion: string;
  readonly schema: string;
  /** Of SHA256SUMS, which lists every other file. */
  readonly sumsSha256: string;
}

/** What an expression has meant: RFC 8785 JSON, with members in this order. */
export interface Binding {
  /** Each code with the version in which it came, oldest first. */
  readonly codes: readonly (readonly [code: string, version: string])[];
  /** In Unicode NFC. */
  readonly expression: string;
  /** Null for requests without a language. */
  readonly language: string | null;
}

/** What the caller asks; a proof of anything else is refused. */
export interface Asked {
  readonly expression?: string | undefined;
  /** Null for requests without a language. */
  readonly language?: string | null | undefined;
  /** The only code that it may ever have had. */
  readonly code?: string | undefined;
  readonly registryVersion?: string | undefined;
}

export interface Trust {
  readonly policy: Policy;
  readonly asked?: Asked;
  readonly cryptography?: Cryptography;
}

export interface Verified {
  readonly checkpoint: VerifiedCheckpoint;
  readonly index: number;
  readonly entry: Entry;
  /** Empty for a proof of the release alone; null if it shows that nothing was ever bound. */
  readonly bindings: readonly Binding[] | null;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Throws ProofError, whose message says what contradicts what. */
export async function verifyProof(text: string, trust: Trust): Promise<Verified> {
  const { policy, asked = {}, cryptography = webCrypto } = trust;
  const { extra, index, path, checkpoint: note } = parseProof(text);
  const checkpoint = await verifyCheckpoint(note, policy, cryptography);
  const [statement, ...records] = splitRecords(extra, "The extra data of the proof");
  if (statement === undefined) throw new ProofError("The proof holds no entry of a release");
  const inLog = { leaf: statement, index, size: checkpoint.size, path };
  await requireRoot(inLog, encodeBase64(checkpoint.root), { of: "the checkpoint", cryptography });
  const entry = parseEntry(statement);
  if (asked.registryVersion !== undefined && asked.registryVersion !== entry.registryVersion)
    throw new ProofError(`The proof is of ${entry.registryVersion}, not of ${asked.registryVersion}`);
  const leaves = await verifyLeaves(records, entry, cryptography);
  return { checkpoint, index, entry, bindings: await answerIn(leaves, { asked, entry, cryptography }) };
}

interface Root {
  readonly of: string;
  readonly cryptography: Cryptography;
}

async function requireRoot(inclusion: Inclusion, due: string, { of, cryptography }: Root): Promise<void> {
  const root = encodeBase64(await rootOf(inclusion, cryptography));
  if (root !== due)
    throw new ProofError(`The path of index ${inclusion.index} leads to ${root}, not to ${due} of ${of}`);
}

interface Leaf {
  readonly index: number;
  readonly binding: Binding;
}

/** Records of a leaf are its bytes, then its index as u64 and its path. */
async function verifyLeaves(
  records: readonly Uint8Array[],
  { bindings, registryVersion }: Entry,
  cryptography: Cryptography,
): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (let i = 0; i < records.length; i += 2) {
    const [leaf, place] = [records[i], records[i + 1]];
    if (leaf === undefined || place === undefined || place.length % 32 !== 8)
      throw new ProofError("The proof holds a binding without its place in the tree");
    const index = Number(new DataView(place.buffer, place.byteOffset).getBigUint64(0));
    const path = Array.from({ length: (place.length - 8) / 32 }, (_, n) => place.subarray(8 + 32 * n, 40 + 32 * n));
    const of = `the bindings of ${registryVersion}`;
    await requireRoot({ leaf, index, size: bindings.count, path }, bindings.root, { of, cryptography });
    leaves.push({ index, binding: parseBinding(leaf) });
  }
  return leaves;
}

interface Question {
  readonly asked: Asked;
  readonly entry: Entry;
  readonly cryptography: Cryptography;
}

/** What the proof says of what was asked; null if it shows that nothing was ever bound. */
async function answerIn(leaves: readonly Leaf[], question: Question): Promise<Verified["bindings"]> {
  const { expression, language, code } = question.asked;
  const { bindings, registryVersion } = question.entry;
  if (leaves.length === 0 && (bindings.count > 0 || expression === undefined)) {
    if (expression === undefined && code === undefined) return [];
    throw new ProofError(`The proof is of the release ${registryVersion} alone, not of an expression`);
  }
  const asked = leaves.map(({ binding }) => binding).filter((binding) => isSame(binding, question.asked));
  if (asked.length > 0) {
    for (const binding of asked) requireCode(binding, code);
    return asked;
  }
  if (expression === undefined) throw new ProofError(`The proof is of no expression in ${language ?? "no language"}`);
  if (language === undefined)
    throw new ProofError(`The proof is not of ${JSON.stringify(expression)}: name its language`);
  await requireGap(leaves, { ...question, expression, language });
  if (code !== undefined) throw new ProofError(`${JSON.stringify(expression)} was never bound to ${code} or any code`);
  return null;
}

function isSame(binding: Binding, { expression, language }: Asked): boolean {
  const isExpression = expression === undefined || expression.normalize("NFC") === binding.expression;
  return isExpression && (language === undefined || tagKey(language) === tagKey(binding.language));
}

function requireCode({ codes, expression }: Binding, code: string | undefined): void {
  if (code === undefined || (codes.length === 1 && codes[0]?.[0] === code)) return;
  const had = codes.map(([one, version]) => `${one} from ${version}`).join(", ");
  throw new ProofError(`${JSON.stringify(expression)} has meant ${had}, not ${code} alone`);
}

/** RFC 6962 trees prove no absence by themselves: neighbours in the order of keys do. */
async function requireGap(
  leaves: readonly Leaf[],
  {
    expression,
    language,
    entry,
    cryptography,
  }: Omit<Question, "asked"> & Required<Pick<Binding, "expression" | "language">>,
): Promise<void> {
  const { count } = entry.bindings;
  const key = await leafKey({ expression: expression.normalize("NFC"), language }, cryptography);
  const keys = await Promise.all(leaves.map(({ binding }) => leafKey(binding, cryptography)));
  const places = leaves.map(({ index }) => index);
  const [first = 0, last = first] = places;
  const isPair = places.length === 2 && last === first + 1;
  const isEdge = places.length === 1 && (first === 0 || first === count - 1);
  const isAfter = (one = ""): boolean => one < key;
  const isBetween = isPair
    ? isAfter(keys[0]) && !isAfter(keys[1]) && keys[1] !== key
    : isEdge && keys[0] !== key && (isAfter(keys[0]) ? first === count - 1 : first === 0);
  if (!isBetween && count > 0)
    throw new ProofError(`The proof is not about ${JSON.stringify(expression)} in ${language ?? "no language"}`);
}

/** The order of the tree: lowercase hex SHA-256 of NFC expression, zero byte, tag in lower case. */
export async function leafKey(
  { expression, language }: Pick<Binding, "expression" | "language">,
  { sha256 }: Cryptography,
): Promise<string> {
  const key = await sha256(joinBytes([encoder.encode(expression), Uint8Array.of(0), encoder.encode(tagKey(language))]));
  return Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tagKey(language: string | null): string {
  return (language ?? "").toLowerCase();
}

/** Records of a big-endian u16 length and as many bytes, as in entry bundles (tlog-tiles). */
export function splitRecords(bytes: Uint8Array, from: string): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    if (at + 2 > bytes.length || end > bytes.length) throw new ProofError(`${from} is cut short`);
    records.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return records;
}

/** Throws ProofError unless the bytes are the RFC 8785 form of an entry. */
export function parseEntry(bytes: Uint8Array): Entry {
  const { text, value } = parseJson(bytes, "The entry");
  const { bindings, bundleSha256, contentSha256, indexRootSha256, origin, previous, reassigned, ...rest } =
    value as unknown as Entry;
  const { registry, registryVersion, schema, sumsSha256 } = rest;
  const head = { bindings: { count: bindings?.count, root: bindings?.root }, bundleSha256, contentSha256 };
  const middle = { indexRootSha256, origin, previous, reassigned, registry, registryVersion, schema, sumsSha256 };
  const entry: Entry = { ...head, ...middle };
  // RFC 8785 sorts members and writes strings and integers as ECMAScript does.
  if (JSON.stringify(entry) !== text || schema !== ENTRY_SCHEMA || typeof registryVersion !== "string")
    throw new ProofError(`The entry is not canonical JSON of ${ENTRY_SCHEMA}`);
  parseNumber(String(bindings.count), "The count of the bindings");
  return entry;
}

/** Throws ProofError unless the bytes are the RFC 8785 form of a binding in NFC. */
export function parseBinding(bytes: Uint8Array): Binding {
  const { text, value } = parseJson(bytes, "The binding");
  const { codes, expression, language } = value as unknown as Binding;
  const isShaped =
    Array.isArray(codes) &&
    codes.length > 0 &&
    codes.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string")) &&
    typeof expression === "string" &&
    (typeof language === "string" || language === null);
  if (!isShaped || JSON.stringify({ codes, expression, language }) !== text)
    throw new ProofError("The binding is not canonical JSON of codes, expression and language");
  if (expression.normalize("NFC") !== expression)
    throw new ProofError(`The binding of ${JSON.stringify(expression)} is not in Unicode NFC`);
  return { codes, expression, language };
}

function parseJson(bytes: Uint8Array, what: string): { text: string; value: Readonly<Record<string, unknown>> } {
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { text, value: value as Readonly<Record<string, unknown>> };
  } catch {
    // Answered below.
  }
  throw new ProofError(`${what} is not JSON in UTF-8`);
}
