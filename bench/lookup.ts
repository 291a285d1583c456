/**
 * Looks up fresh strings in one structure, hits, then misses, in random order; prints the costs.
 */
import { createReadStream, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import type { ByteSource } from "../runtime/registry/byte-source.ts";
import { openIndex, type RegistryIndex } from "../runtime/registry/index.ts";
import { openRelease } from "../runtime/release/release.ts";

const [variant = "", out = ""] = process.argv.slice(2);
const LOOKUPS = 200_000;

function memory(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

/** The time to open without hashing the file: the median of several openings. */
function openOnly(source: ByteSource): number {
  const times = Array.from({ length: 21 }, () => {
    const begun = performance.now();
    openIndex(source);
    return performance.now() - begun;
  });
  return times.sort((a, b) => a - b)[10] ?? 0;
}

interface Opened {
  find(key: string): unknown;
  readonly index?: RegistryIndex;
}

async function open(): Promise<Opened> {
  if (variant === "map") {
    const map = new Map<string, unknown>();
    for await (const line of createInterface({ input: createReadStream(path.join(out, "../map.ndjson")) })) {
      const [key, postings] = JSON.parse(line) as [string, unknown];
      map.set(key, postings);
    }
    return { find: (key) => map.get(key) };
  }
  if (variant === "sqlite") {
    const database = new DatabaseSync(path.join(out, "../peer.sqlite"), { readOnly: true });
    database.exec("PRAGMA mmap_size = 1073741824");
    const select = database.prepare("SELECT v FROM e WHERE k = ?");
    return { find: (key) => select.get(key) };
  }
  const { index } = openRelease(out, variant === "index" ? Number.MAX_SAFE_INTEGER : 0);
  return { find: (key) => index.postings(key)[0], index };
}

const before = memory();
const started = performance.now();
const opened = await open();
const openMs = performance.now() - started;
const memoryMb = (memory() - before) / 1e6;

// The probe's own strings are read only after memory is measured.
const lines = readFileSync(path.join(out, "../map.ndjson"), "utf8").split("\n");
const step = Math.max(1, Math.floor(lines.length / LOOKUPS));
const texts = lines.filter((_, i) => i % step === 0).map((line) => (JSON.parse(line) as [string])[0]);
for (let i = texts.length - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1));
  [texts[i], texts[j]] = [texts[j] ?? "", texts[i] ?? ""];
}

function time(keys: readonly string[]): number {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    // Fresh strings: no cached hash, no interned pointer; a small set is looked up several times.
    const fresh = Array.from({ length: Math.max(keys.length, LOOKUPS) }, (_, i) =>
      Buffer.from(keys[i % keys.length] ?? "").toString(),
    );
    const begun = performance.now();
    let found = 0;
    for (const key of fresh) if (opened.find(key) !== undefined) found++;
    best = Math.min(best, ((performance.now() - begun) * 1e6) / fresh.length);
    if (found !== fresh.length && found !== 0) throw new Error(`${found} of ${fresh.length} found`);
  }
  return best;
}

const hitNs = time(texts);
const missNs = time(texts.map((text) => `${text}\u0001`));
const cost = { openMs, memoryMb, hitNs, missNs };
const { index } = opened;
if (index === undefined) process.stdout.write(JSON.stringify(cost));
else {
  // Codes are keys too, so their bytes count.
  const keyPages = index.sections.pages.length + index.sections.directory.length;
  const structure = { openOnlyMs: openOnly(index.source), keys: index.expressionCount, keyPages };
  process.stdout.write(JSON.stringify({ ...cost, ...structure }));
}
