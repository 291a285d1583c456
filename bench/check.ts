/**
 * Measures how many rows a second `check` judges, next to `resolve --from` over the same table and
 * to a loop that only reads its rows. The rows are from the starter registry, with their codes.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { command as check } from "../generator/tools/data/commands/check.ts";
import { resolveTable } from "../generator/tools/query/commands/resolve-batch.ts";
import { streamTable } from "../generator/commands/stream-table.ts";
import { fileSystem } from "../generator/effects/file-system.ts";
import { tagOf } from "../generator/registry/concept.ts";
import { TableReader } from "../generator/text/table.ts";
import { openRelease } from "../runtime/release/release.ts";
import { buildInto, starterRegistry } from "./build.ts";
import { median } from "./median.ts";

const ROWS = 300_000;
const RUNS = 3;

export async function measureCheck(): Promise<string[][]> {
  const registry = starterRegistry();
  const folder = mkdtempSync(path.join(tmpdir(), "bench-check-"));
  const [dist, from, into] = ["dist", "in.csv", "out.csv"].map((name) => path.join(folder, name)) as [string, string, string]; // prettier-ignore
  await buildInto(dist, registry);
  const entries = [...registry.concepts].flatMap(({ code, expressions }) => expressions.map((one) => ({ code, one })));
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const { code, one } = entries[row % entries.length] as (typeof entries)[number];
    return `${row},${code},"${one.expression.replaceAll('"', '""')}",${tagOf(one)}\n`;
  });
  writeFileSync(from, `id,concept,expression,language\n${lines.join("")}`);
  const release = openRelease(dist);
  const console = { print: () => undefined, error: () => undefined, progress: () => undefined };
  const outside = { effects: fileSystem, console, env: {}, run: () => Promise.resolve(0) };
  const batch = { column: "expression", languageColumn: "language", language: undefined, delimiter: ",", format: "csv" } as const; // prettier-ignore
  const given = { out: [dist], from: [from], into: [into], codeColumn: ["concept"] };
  const checkAs = (report: string) => () => check.start(outside, { options: { ...given, report: [report] }, args: [] });
  const variants: Record<string, () => Promise<unknown>> = {
    "only reading the rows": () => streamTable(outside, { from, into }, onlyRead()),
    "`check`, a report for people": checkAs("text"),
    "`check --report csv`": checkAs("csv"),
    "`resolve --from`": () => resolveTable(outside, release.index, { from, into, settings: batch }),
  };
  const rates = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, measure] of Object.entries(variants)) {
      const before = process.cpuUsage();
      await measure();
      const { user, system } = process.cpuUsage(before);
      rates.get(name)?.push(ROWS / ((user + system) / 1e6));
    }
  }
  release.close();
  rmSync(folder, { recursive: true });
  return [["table", "rows a second of processor time"], ...[...rates].map(([name, all]) => [name, median(all).toFixed(0)])]; // prettier-ignore
}

function onlyRead() {
  const reader = new TableReader(",");
  let count = 0;
  return {
    doing: "Reading",
    rows: () => count,
    async *answers(table: AsyncIterable<Uint8Array>) {
      for await (const rows of reader.rows(table)) {
        count += rows.length;
        yield "";
      }
    },
  };
}
