/**
 * Prints what docs/performance.md and docs/scale.md sum up. Ratios
 * compare variants that are measured in one run, in short slots of random order, so that a busy
 * machine affects all of them alike; absolute figures are only context.
 */
import { isBuiltin } from "node:module";
import { cpus } from "node:os";

/** Loaded on demand: the index is compared with node:sqlite, which Node 20 does not have. */
const sections: Record<string, (sizes: readonly number[]) => Promise<string[][]>> = {
  http: async () => (await import("./http.ts")).measureHttp(),
  hosts: async () => (await import("./hosts.ts")).measureHosts(),
  index: async () =>
    isBuiltin("node:sqlite")
      ? (await import("./index.ts")).measureIndex()
      : [["index"], ["Not measured: node:sqlite needs Node 22.13 or newer"]],
  filter: async () => (await import("./filter.ts")).measureFilter(),
  diff: async () => (await import("./diff.ts")).measureDiff(),
  table: async () => (await import("./table.ts")).measureTable(),
  check: async () => (await import("./check.ts")).measureCheck(),
  scale: async (sizes) => (await import("./scale.ts")).measureScale(sizes),
  commands: async (sizes) => (await import("./commands.ts")).measureCommands(sizes),
  compile: async (sizes) => (await import("./compile.ts")).measureCompile(sizes),
  log: async (sizes) => (await import("./log.ts")).measureLog(sizes),
  shards: async () => (await import("./shards.ts")).measureShards(),
  store: async () => (await import("./store.ts")).measureStore(),
};

if (process.argv.includes("--help")) {
  process.stdout.write(
    `npm run bench [-- ${Object.keys(sections).join(" ")}] [expressions]\n\nMeasures all parts, or the named ones. For scale, commands, compile and log, numbers of expressions replace the usual sizes. The first run installs CLDR data into bench/.cache.\n`,
  );
} else {
  const [chosen, sizes] = [process.argv.slice(2), process.argv.slice(2).map(Number).filter(Number.isInteger)];
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${process.platform} ${process.arch}\n`,
  );
  for (const [name, measure] of Object.entries(sections)) {
    if (chosen.length === sizes.length || chosen.includes(name)) print(await measure(sizes));
  }
}

/** A Markdown table; the first row is the header. */
function print([head = [], ...rows]: string[][]): void {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(`\n${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}`);
}
