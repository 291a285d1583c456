/**
 * Measures how many rows of a table `resolve --from` answers, from file to file, per second of
 * processor time of all threads. The table has a million rows from the starter registry; some are
 * unknown, without a language, or in another one.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { resolveTable } from "../generator/tools/query/commands/resolve-batch.ts";
import { fileSystem } from "../generator/effects/file-system.ts";
import { tagOf } from "../generator/registry/concept.ts";
import { openRelease } from "../runtime/release/release.ts";
import { buildInto, starterRegistry } from "./build.ts";
import { median } from "./median.ts";

const ROWS = 1_000_000;
const RUNS = 5;

export async function measureTable(): Promise<string[][]> {
  const registry = starterRegistry();
  const folder = mkdtempSync(path.join(tmpdir(), "bench-table-"));
  const [dist, from] = [path.join(folder, "dist"), path.join(folder, "in.csv")];
  await buildInto(dist, registry);
  const entries = [...registry.concepts].flatMap(({ expressions }) => expressions);
  let text = "id,expression,language\n";
  for (let row = 0; row < ROWS; row++) {
    const entry = entries[row % entries.length];
    if (entry === undefined) throw new Error("The starter registry is empty");
    const expression = `"${entry.expression.replaceAll('"', '""')}${row % 10 === 7 ? " x" : ""}"`;
    const plain = row % 20 === 0 ? expression : expression.slice(1, -1);
    const language = row % 10 === 8 ? "" : row % 10 === 9 ? "en-GB" : tagOf(entry);
    text += `${row},${/[",]/.test(plain) ? expression : plain},${language}\n`;
  }
  writeFileSync(from, text);
  const release = openRelease(dist);
  const console = { print: () => undefined, error: () => undefined, progress: () => undefined };
  const table = [["resolve --from", "rows a second of processor time"]];
  for (const format of ["csv", "ndjson"] as const) {
    const settings = { column: "expression", languageColumn: "language", language: undefined, delimiter: ",", format };
    const rates: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const before = process.cpuUsage();
      const into = path.join(folder, `out.${format}`);
      const code = await resolveTable({ effects: fileSystem, console, env: {} }, release.index, {
        from,
        into,
        settings,
      });
      if (code !== 0) throw new Error(`The table ended with ${code}`);
      const { user, system } = process.cpuUsage(before);
      rates.push(ROWS / ((user + system) / 1e6));
    }
    table.push([format, median(rates).toFixed(0)]);
  }
  release.close();
  rmSync(folder, { recursive: true });
  return table;
}
