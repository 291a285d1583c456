/**
 * Size, opening time, memory and lookup time of the index, a JS Map and node:sqlite, with CLDR
 * names.
 */
import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CheckedRegistry } from "../generator/registry/checked.ts";
import { cldrRegistry } from "./cldr.ts";
import { buildInto } from "./build.ts";
import { probe } from "./processes.ts";

const SIZES = [3000, 100_000, 1_000_000];
const VARIANTS = ["index", "index-file", "map", "sqlite"] as const;

interface Lookup {
  readonly openMs: number;
  readonly memoryMb: number;
  readonly hitNs: number;
  readonly missNs: number;
  /** Measured only for our index. */
  readonly openOnlyMs?: number;
  readonly keys?: number;
  readonly keyPages?: number;
}

async function write(registry: CheckedRegistry): Promise<{ out: string; bytes: number; buildMs: number }> {
  const out = path.join(mkdtempSync(path.join(tmpdir(), "bench-")), "dist");
  const started = performance.now();
  await buildInto(out, registry);
  return { out, bytes: statSync(path.join(out, "registry.index")).size, buildMs: performance.now() - started };
}

/** The same keys and postings for the peers. */
function writePeers(registry: CheckedRegistry, out: string): number {
  const postings = new Map<string, [string, number][]>();
  let keyBytes = 0;
  [...registry.concepts].forEach(({ expressions }, id) => {
    for (const { expression, language } of expressions) {
      const known = postings.get(expression);
      if (known !== undefined) known.push([language, id]);
      else {
        postings.set(expression, [[language, id]]);
        keyBytes += Buffer.byteLength(expression);
      }
    }
  });
  writeFileSync(path.join(out, "../map.ndjson"), [...postings].map((entry) => JSON.stringify(entry)).join("\n"));
  const database = new DatabaseSync(path.join(out, "../peer.sqlite"));
  database.exec("CREATE TABLE e (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID; BEGIN");
  const insert = database.prepare("INSERT INTO e VALUES (?, ?)");
  for (const [key, list] of postings) insert.run(key, JSON.stringify(list));
  database.exec("COMMIT");
  database.close();
  return keyBytes;
}

export async function measureIndex(): Promise<string[][]> {
  const head = [
    "open, ms",
    "without its digest, ms",
    "memory added, MB",
    "hit, ns",
    "miss, ns",
    "bytes a key beyond the key",
  ];
  const table = [["expressions", "structure", ...head]];
  for (const size of SIZES) {
    const registry = cldrRegistry(size);
    const { out, buildMs } = await write(registry);
    const keyBytes = writePeers(registry, out);
    process.stderr.write(`Built ${size} expressions in ${(buildMs / 1000).toFixed(1)} s\n`);
    for (const variant of VARIANTS) {
      const { openMs, memoryMb, hitNs, missNs, ...own } = await probe<Lookup>("lookup.js", [variant, out]);
      const overhead = own.keys === undefined ? "" : (((own.keyPages ?? 0) - keyBytes) / own.keys).toFixed(1);
      const figures = [memoryMb, hitNs, missNs].map((figure) => figure.toFixed(0));
      table.push([String(size), variant, openMs.toFixed(1), own.openOnlyMs?.toFixed(2) ?? "", ...figures, overhead]);
    }
  }
  return table;
}
