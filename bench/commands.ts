/**
 * Measures the commands that read or change a whole vocabulary: one registry is released, built,
 * verified and exported, and its Turtle imported and reviewed again. Each runs with the flags of
 * its npm script.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { measureCommand } from "./processes.ts";
import { writeScaleRegistry } from "./scale-registry.ts";

const VERSION = ["--version", "2026.11.1"];
const REVIEW = ["--accept", "--as", "editor", "--on", "2026-11-21"];

/** Measures a registry of each of these numbers of expressions, in ten languages. */
export async function measureCommands(counts: readonly number[]): Promise<string[][]> {
  const table = [["expressions", "command", "s", "memory at most, MB"]];
  for (const count of counts.length === 0 ? [1_000_000] : counts) {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-commands-"));
    try {
      table.push(...measureAll(folder, count));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return Promise.resolve(table);
}

function measureAll(folder: string, expressions: number): string[][] {
  const [registry, out, turtle, imported] = ["registry", "dist", "words.ttl", "imported"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string, string];
  writeScaleRegistry(registry, { concepts: expressions / 10, languages: 10 });
  const commands = [
    ["release:registry", "--registry", registry, ...VERSION],
    ["build", "--registry", registry, "--out", out],
    ["verify", "--out", out],
    ["export", "--registry", registry, "--into", turtle],
    ["import", "--from", turtle, "--into", imported],
    ["review", "--registry", imported, ...REVIEW],
  ];
  return commands.map(([script = "", ...args]) => {
    const { name, flags } = ofScript(script);
    const { seconds, memoryMb } = measureCommand([name, ...args], flags);
    return [String(expressions), script, seconds.toFixed(1), memoryMb.toFixed(0)];
  });
}

/** The command that an npm script runs, and the flags that it gives to Node. */
function ofScript(script: string): { name: string; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const [, flags = "", name = ""] =
    /node ((?:--\S+ )*)lib\/generator\/main\.js (\S+)$/.exec(scripts[script] ?? "") ?? [];
  return { name, flags: flags.split(" ").filter((flag) => flag !== "") };
}
