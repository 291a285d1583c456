/**
 * The lexical filter `q` over a million concepts: time to the matches, and delay of other requests.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileSystem } from "../generator/effects/file-system.ts";
import { Concepts } from "../generator/registry/concepts.ts";
import { buildInto } from "./build.ts";
import { cldrRegistry } from "./cldr.ts";
import { probe } from "./processes.ts";

interface Query {
  readonly query: string;
  readonly count: number;
  readonly ms: number;
  readonly heldMs: number;
  readonly pieceMs: number;
}

const FILTERED = 1_000_000;

export async function measureFilter(): Promise<string[][]> {
  const concepts = new Concepts(fileSystem);
  for (let i = 0; i < FILTERED; i++) {
    const code = `F-${String(i).padStart(7, "0")}`;
    const name = `Concept number ${i} of shipment ${i % 977}`;
    const definition = `A definition of some length for concept ${i}, said in the words that such definitions use, with ${i % 13} clauses.`;
    concepts.add({ code, name, definition, domain: "bench", provenance: null, expressions: [], renderings: [] });
  }
  const out = path.join(mkdtempSync(path.join(tmpdir(), "bench-")), "dist");
  await buildInto(out, { ...cldrRegistry(0), concepts });
  const rows = await probe<Query[]>("filter-queries.js", [out]);
  const head = ["matches", "matches known, ms (median)", "longest step, ms (median)", "longest piece, ms (median)"];
  const table = [[`q over ${FILTERED} concepts`, ...head]];
  for (const { query, count, ms, heldMs, pieceMs } of rows)
    table.push([query, String(count), ms.toFixed(1), heldMs.toFixed(1), pieceMs.toFixed(1)]);
  return table;
}
