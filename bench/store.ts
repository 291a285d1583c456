/**
 * Compares the places of a registry of a million expressions: memory, files, Redis cluster, ranges.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { measureCommand, probe, type Server, startServer } from "./processes.ts";
import { REDIS, startCluster } from "./redis-cluster.ts";
import { writeScaleRegistry } from "./scale-registry.ts";

interface Found {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

export async function measureStore(): Promise<string[][]> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-store-"));
  const [registry, out] = [path.join(folder, "registry"), path.join(folder, "dist")];
  writeScaleRegistry(registry, { concepts: 100_000, languages: 10 });
  measureCommand(["build", "--registry", registry, "--content", "content", "--out", out]);
  const cluster = existsSync(REDIS) ? await startCluster() : undefined;
  if (cluster === undefined) process.stderr.write(`Without a cluster: ${REDIS} is missing\n`);
  else measureCommand(["store", "push", "--to", cluster.urls, "--out", out]);
  const files = await startServer("static-server.js", [out], { pinned: false });
  const ranges = `http://127.0.0.1:${files.port}/`;
  const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    memory: { INDEX_MEMORY_MAX_BYTES: "10000000000" },
    file: {},
    ...(cluster !== undefined && { "Redis cluster": { STORE_URL: cluster.urls } }),
    ranges: { STORE_URL: ranges },
  };
  const servers: Server[] = [];
  const table = [
    [
      "a million expressions in",
      "asked before, requests/s",
      "p50, ms",
      "p99, ms",
      "not asked before, requests/s",
      "p50, ms",
      "p99, ms",
    ],
  ];
  try {
    for (const env of Object.values(kinds))
      servers.push(await startServer("../runtime/main.js", ["--out", out], { env }));
    const ports = servers.map(({ port }) => String(port));
    const found = await probe<Record<string, Found[]>>("store-load.js", [out, ...ports]);
    Object.keys(kinds).forEach((kind, i) => {
      const cells = ["warm", "cold"].flatMap((state) => {
        const { rate = 0, p50 = 0, p99 = 0, failed = 0 } = found[state]?.[i] ?? {};
        if (failed > 0) process.stderr.write(`${kind}, ${state}: ${failed} answers were not 200\n`);
        return [rate.toFixed(0), p50.toFixed(1), p99.toFixed(1)];
      });
      table.push([kind, ...cells]);
    });
  } finally {
    for (const server of [...servers, files]) await server.stop();
    await cluster?.close();
    rmSync(folder, { recursive: true });
  }
  return table;
}
