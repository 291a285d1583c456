/**
 * Makes proofs: of a release, of what an expression or a code has meant, or that an expression was
 * never bound. What no proof can be made of is refused, with the remedy.
 * No Node API: a page makes them too.
 * Source: c2sp.org/tlog-proof; the layout of `extra`: docs/log.md.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import { UsageError } from "../../text/usage-error.ts";
import { type Cryptography, encodeBase64, joinBytes, ProofError } from "./c2sp.ts";
import { inclusionPath } from "./paths.ts";
import { BINDINGS_FOLDER, type LogFiles, readNeeded, type SignedLog } from "./signed-log.ts";
import { TileReader, WIDTH } from "./tile-reader.ts";
import { type Binding, type Entry, leafKey, parseBinding } from "./verifier.ts";

/** A log, and where its tiles are. */
export interface Provable {
  readonly files: LogFiles;
  readonly log: SignedLog;
  readonly cryptography: Cryptography;
}

export interface Request {
  readonly expression: string;
  /** Undefined if it is not known; null for requests that name none. */
  readonly language: string | null | undefined;
}

/** The proof that a release is in the log. */
export async function proveRelease(provable: Provable, registryVersion: string): Promise<string> {
  const { entries } = provable.log;
  const index = entries.findIndex((entry) => entry.registryVersion === registryVersion);
  const last = entries.at(-1)?.registryVersion ?? "nothing";
  if (index < 0) throw new UsageError(`The log has no release ${registryVersion}: it ends with ${last}`);
  return formatProof(provable, { index, records: [] });
}

/** The proof of what an expression has meant, or that it was never bound in the language. */
export async function proveExpression(provable: Provable, request: Request): Promise<string> {
  const tree = openBindings(provable);
  const expression = keyOf(request.expression);
  const { language } = request;
  const levels = language === undefined ? await tagsOf(tree, expression) : levelsOf(language);
  if (language === undefined && levels.length !== 1) throw new UsageError(ambiguous(expression, levels));
  for (const level of levels) {
    const { index, isThere } = await tree.find({ expression, language: level });
    if (isThere) return proofOf(provable, tree, [index]);
  }
  const { index } = await tree.find({ expression, language: language ?? null });
  const neighbours = [index - 1, index].filter((one) => one >= 0 && one < tree.count);
  return proofOf(provable, tree, neighbours);
}

/** A request is answered at the first level of its tag that has the expression (RFC 4647 §3.4). */
function levelsOf(language: string | null): (string | null)[] {
  return language === null ? [null] : lookupLevels(language);
}

async function tagsOf({ where }: Bindings, expression: string): Promise<(string | null)[]> {
  const found = await where((binding) => binding.expression === expression && binding.language !== null);
  return found.map(({ binding }) => binding.language);
}

function ambiguous(expression: string, tags: readonly (string | null)[]): string {
  const quoted = JSON.stringify(expression);
  if (tags.length === 0) return `${quoted} was never bound in any language: name one with --language to prove it there`;
  return `${quoted} is bound in ${tags.join(", ")}: name one with --language`;
}

/** The proof of every expression that ever led to a code. */
export async function proveCode(provable: Provable, code: string): Promise<string> {
  const tree = openBindings(provable);
  const found = await tree.where(({ codes }) => codes.some(([one]) => one === code));
  if (found.length === 0) throw new UsageError(`No expression ever led to ${code} in the log`);
  return proofOf(provable, tree, found.map(({ index }) => index)); // prettier-ignore
}

/** One proof of several expressions; those that the log has no binding of are left out. */
export async function proveBound(provable: Provable, pairs: readonly Pair[]): Promise<string> {
  const tree = openBindings(provable);
  const found = await Promise.all(
    pairs.map(({ expression, language }) => tree.find({ expression: keyOf(expression), language })),
  );
  const places = new Set(found.flatMap(({ index, isThere }) => (isThere ? [index] : [])));
  return proofOf(provable, tree, [...places].sort((a, b) => a - b)); // prettier-ignore
}

export type Pair = Pick<Binding, "expression" | "language">;

interface Bindings {
  readonly count: number;
  /** Where the leaf of an expression in NFC is, or would be. */
  find(this: void, pair: Pair): Promise<{ index: number; isThere: boolean }>;
  /** Reads all of them. */
  where(this: void, isOne: (binding: Binding) => boolean): Promise<{ index: number; binding: Binding }[]>;
  /** Each leaf, and its place: the index as u64, then its path. */
  recordsAt(this: void, indexes: readonly number[]): Promise<Uint8Array[]>;
}

/** The bindings of the last release, which are the only ones that are kept. */
function openBindings({ files, log, cryptography }: Provable): Bindings {
  const { count } = lastOf(log).bindings;
  const reader = new TileReader((file) => readNeeded(files, `${BINDINGS_FOLDER}/${file}`), count, cryptography);
  const known = new Map<number, Promise<Uint8Array[]>>();
  const bundleAt = (bundle: number): Promise<Uint8Array[]> => {
    const entries = known.get(bundle) ?? reader.entries(bundle);
    known.set(bundle, entries);
    return entries;
  };
  return {
    count,
    find: (pair) => findLeaf(pair, { count, bundleAt, cryptography }),
    async where(isOne) {
      const found: { index: number; binding: Binding }[] = [];
      for (let start = 0; start < count; start += WIDTH)
        for (const [i, leaf] of (await reader.entries(start / WIDTH)).entries()) {
          const binding = parseBinding(leaf);
          if (isOne(binding)) found.push({ index: start + i, binding });
        }
      return found;
    },
    async recordsAt(indexes) {
      const records: Uint8Array[] = [];
      for (const index of indexes) {
        const at = new Uint8Array(8);
        new DataView(at.buffer).setBigUint64(0, BigInt(index));
        const path = await reader.roots(inclusionPath(index, count));
        const leaf = (await bundleAt(Math.floor(index / WIDTH)))[index % WIDTH] ?? at;
        records.push(leaf, joinBytes([at, ...path]));
      }
      return records;
    },
  };
}

interface Leaves {
  readonly count: number;
  readonly cryptography: Cryptography;
  bundleAt(this: void, bundle: number): Promise<Uint8Array[]>;
}

/** Keys are digests, so a leaf is near the place that its first bytes say: few bundles are read. */
async function findLeaf(pair: Pair, { count, bundleAt, cryptography }: Leaves): ReturnType<Bindings["find"]> {
  const key = await leafKey(pair, cryptography);
  let [low, high] = [0, Math.ceil(count / WIDTH)];
  const guess = Math.floor((parseInt(key.slice(0, 8), 16) / 2 ** 32) * high);
  while (low < high) {
    const bundle = Math.min(Math.max(guess, low), high - 1);
    const leaves = await bundleAt(bundle);
    const keys = await Promise.all(leaves.map((leaf) => leafKey(parseBinding(leaf), cryptography)));
    const before = keys.filter((one) => one < key).length;
    if (keys[before] === key) return { index: bundle * WIDTH + before, isThere: true };
    if (before === 0) high = bundle;
    else if (before === keys.length) low = bundle + 1;
    else return { index: bundle * WIDTH + before, isThere: false };
  }
  return { index: Math.min(low * WIDTH, count), isThere: false };
}

function lastOf({ entries }: SignedLog): Entry {
  const last = entries.at(-1);
  if (last === undefined) throw new UsageError("The log has no release yet");
  return last;
}

/** Of leaves of the last release. */
async function proofOf(provable: Provable, tree: Bindings, indexes: readonly number[]): Promise<string> {
  const records = await tree.recordsAt(indexes);
  return formatProof(provable, { index: provable.log.entries.length - 1, records });
}

interface Proven {
  /** Of the release in the log. */
  readonly index: number;
  readonly records: readonly Uint8Array[];
}

async function formatProof({ files, log, cryptography }: Provable, { index, records }: Proven): Promise<string> {
  const { note, checkpoint, leaves } = log;
  const leaf = leaves[index];
  if (leaf === undefined) throw new ProofError(`Entry ${index} is not in the log`);
  const reader = new TileReader((file) => readNeeded(files, file), checkpoint.size, cryptography);
  const path = await reader.roots(inclusionPath(index, checkpoint.size));
  const extra = [leaf, ...records].flatMap((one) => [Uint8Array.of(one.length >> 8, one.length & 0xff), one]);
  const lines = [
    "c2sp.org/tlog-proof@v1",
    `extra ${encodeBase64(joinBytes(extra))}`,
    `index ${index}`,
    ...path.map(encodeBase64),
  ];
  return `${lines.join("\n")}\n\n${note}`;
}
