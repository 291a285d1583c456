/**
 * Makes proofs: of a release, of what an expression or a code has meant, or that an expression was
 * never bound. What no proof can be made of is refused, with the remedy.
 * Source: c2sp.org/tlog-proof; the layout of `extra`: docs/log.md.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import { UsageError } from "../../text/usage-error.ts";
import { bindingKey } from "./bindings.ts";
import { encodeBase64, joinBytes, ProofError } from "./c2sp.ts";
import { inclusionPath } from "./merkle.ts";
import { BINDINGS_FOLDER, type LogSource, readNeeded, type SignedLog } from "./source.ts";
import { TileReader } from "./tiles.ts";
import { type Binding, type Entry, parseBinding } from "./verifier.ts";

export interface Request {
  readonly expression: string;
  /** Undefined if it is not known; null for requests that name none. */
  readonly language: string | null | undefined;
}

/** The proof that a release is in the log. */
export async function proveRelease(source: LogSource, log: SignedLog, registryVersion: string): Promise<string> {
  const index = log.entries.findIndex((entry) => entry.registryVersion === registryVersion);
  if (index < 0) throw new UsageError(`The log has no release ${registryVersion}: it ends with ${lastOf(log)}`);
  return formatProof(source, log, { index, records: [] });
}

function lastOf({ entries }: SignedLog): string {
  return entries.at(-1)?.registryVersion ?? "nothing";
}

/** The proof of what an expression has meant, or that it was never bound in the language. */
export async function proveExpression(source: LogSource, log: SignedLog, request: Request): Promise<string> {
  const tree = openBindings(source, log);
  const expression = keyOf(request.expression);
  const { language } = request;
  const levels = language === undefined ? await tree.tagsOf(expression) : levelsOf(language);
  if (language === undefined && levels.length !== 1) throw new UsageError(ambiguous(expression, levels));
  for (const level of levels) {
    const { index, isThere } = await tree.find(bindingKey(expression, level));
    if (isThere) return formatProof(source, log, { index: tree.entry, records: await tree.recordsAt([index]) });
  }
  const { index } = await tree.find(bindingKey(expression, language ?? null));
  const neighbours = [index - 1, index].filter((one) => one >= 0 && one < tree.count);
  return formatProof(source, log, { index: tree.entry, records: await tree.recordsAt(neighbours) });
}

/** A request is answered at the first level of its tag that has the expression (RFC 4647 §3.4). */
function levelsOf(language: string | null): (string | null)[] {
  return language === null ? [null] : lookupLevels(language);
}

function ambiguous(expression: string, tags: readonly (string | null)[]): string {
  const quoted = JSON.stringify(expression);
  if (tags.length === 0) return `${quoted} was never bound in any language: name one with --language to prove it there`;
  return `${quoted} is bound in ${tags.join(", ")}: name one with --language`;
}

/** The proof of every expression that ever led to a code. */
export async function proveCode(source: LogSource, log: SignedLog, code: string): Promise<string> {
  const tree = openBindings(source, log);
  const places = await tree.where(({ codes }) => codes.some(([one]) => one === code));
  if (places.length === 0) throw new UsageError(`No expression ever led to ${code} in the log`);
  return formatProof(source, log, { index: tree.entry, records: await tree.recordsAt(places) });
}

interface Bindings {
  readonly count: number;
  /** The index of their release in the log. */
  readonly entry: number;
  /** Where the key is, or would be. */
  find(key: Uint8Array): Promise<{ index: number; isThere: boolean }>;
  where(isOne: (binding: Binding) => boolean): Promise<number[]>;
  tagsOf(expression: string): Promise<string[]>;
  /** Each leaf, and its place: the index as u64, then its path. */
  recordsAt(indexes: readonly number[]): Promise<Uint8Array[]>;
}

/** The bindings of the last release, which are the only ones that are kept. */
function openBindings(source: LogSource, log: SignedLog): Bindings {
  const entry = log.entries.at(-1);
  if (entry === undefined) throw new UsageError("The log has no release yet");
  const { count } = entry.bindings;
  const reader = new TileReader((file) => readNeeded(source, `${BINDINGS_FOLDER}/${file}`), count);
  const keyAt = async (index: number): Promise<Buffer> => {
    const { expression, language } = parseBinding(await reader.entry(index));
    return bindingKey(expression, language);
  };
  const where: Bindings["where"] = async (isOne) => {
    const found: number[] = [];
    for (let index = 0; index < count; index++) if (isOne(parseBinding(await reader.entry(index)))) found.push(index);
    return found;
  };
  return {
    count,
    entry: log.entries.length - 1,
    async find(key) {
      let [low, high] = [0, count];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const order = Buffer.compare(await keyAt(middle), key);
        if (order === 0) return { index: middle, isThere: true };
        if (order < 0) low = middle + 1;
        else high = middle;
      }
      return { index: low, isThere: false };
    },
    where,
    async tagsOf(expression) {
      const places = await where((binding) => binding.expression === expression && binding.language !== null);
      return Promise.all(places.map(async (at) => parseBinding(await reader.entry(at)).language ?? ""));
    },
    recordsAt: (indexes) => placed(reader, entry, indexes),
  };
}

async function placed(reader: TileReader, { bindings }: Entry, indexes: readonly number[]): Promise<Uint8Array[]> {
  const records: Uint8Array[] = [];
  for (const index of indexes) {
    const at = Buffer.alloc(8);
    at.writeBigUInt64BE(BigInt(index));
    const path = await reader.path((subtrees) => inclusionPath(subtrees, index, bindings.count));
    records.push(await reader.entry(index), joinBytes([at, ...path]));
  }
  return records;
}

interface Proven {
  /** Of the release in the log. */
  readonly index: number;
  readonly records: readonly Uint8Array[];
}

async function formatProof(source: LogSource, log: SignedLog, { index, records }: Proven): Promise<string> {
  const { note, checkpoint, leaves } = log;
  const leaf = leaves[index];
  if (leaf === undefined) throw new ProofError(`Entry ${index} is not in the log`);
  const reader = new TileReader((file) => readNeeded(source, file), checkpoint.size);
  const path = await reader.path((subtrees) => inclusionPath(subtrees, index, checkpoint.size));
  const extra = [leaf, ...records].flatMap((one) => [Uint8Array.of(one.length >> 8, one.length & 0xff), one]);
  const lines = [
    "c2sp.org/tlog-proof@v1",
    `extra ${encodeBase64(joinBytes(extra))}`,
    `index ${index}`,
    ...path.map(encodeBase64),
  ];
  return `${lines.join("\n")}\n\n${note}`;
}
