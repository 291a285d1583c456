/**
 * Prints every figure of docs/performance.md. Ratios come from variants measured side by side in
 * one run, in short slots of random order, so that a busy machine affects all of them alike;
 * absolute figures are only context.
 */
import { cpus } from "node:os";

/** Loaded on demand: the index is compared with node:sqlite, which Node 20 does not have. */
const sections: Record<string, () => Promise<string[][]>> = {
  http: async () => (await import("./http.ts")).measureHttp(),
  hosts: async () => (await import("./hosts.ts")).measureHosts(),
  index: async () => (await import("./index.ts")).measureIndex(),
  filter: async () => (await import("./index.ts")).measureFilter(),
  diff: async () => (await import("./diff.ts")).measureDiff(),
  table: async () => (await import("./table.ts")).measureTable(),
  scale: async () => (await import("./scale.ts")).measureScale(),
};

if (process.argv.includes("--help")) {
  process.stdout.write(
    `npm run bench [-- ${Object.keys(sections).join(" ")}]\n\nMeasures all, or the named parts. The first run installs CLDR data into bench/.cache.\n`,
  );
} else {
  const chosen = process.argv.slice(2);
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${process.platform} ${process.arch}\n`,
  );
  for (const [name, measure] of Object.entries(sections)) {
    if (chosen.length === 0 || chosen.includes(name)) print(await measure());
  }
}

/** A Markdown table; the first row is the header. */
function print([head = [], ...rows]: string[][]): void {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |\n`;
  process.stdout.write(`\n${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}`);
}
