/**
 * Measures the costs that grow with a registry: build time and memory, size of the release, start.
 */
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { measureCommand, type Server, startServer } from "./processes.ts";
import { type Size, writeScaleRegistry } from "./scale-registry.ts";
import { median } from "./median.ts";

const SIZES: readonly Size[] = [
  { concepts: 1000, languages: 10 },
  { concepts: 10_000, languages: 10 },
  ...inBothOrders(1_000_000),
  { concepts: 34_000, languages: 30 },
];
const STARTS = 7;
/** The same flags as in `npm run build`. */
const BUILD_FLAGS = ["--heap-growing-percent=60", "--max-semi-space-size=16"];

function inBothOrders(expressions: number): Size[] {
  const size = { concepts: expressions / 10, languages: 10 };
  return [size, { ...size, isMixed: true }];
}

/** Measures registries of these numbers of expressions in ten languages, or of the usual sizes. */
export async function measureScale(counts: readonly number[]): Promise<string[][]> {
  const sizes = counts.length === 0 ? SIZES : counts.flatMap(inBothOrders);
  const table = [
    [
      "expressions",
      "concepts × languages",
      "build, s",
      "against SHA-256 of what it reads and writes",
      "memory of the build at most, MB",
      "dist, MB",
      "index, MB",
      "start to the first answer, ms",
      "against @fastify/static on the same dist",
      "memory at most, all loaded and checked, MB",
    ],
  ];
  for (const size of sizes) {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-scale-"));
    try {
      table.push(await measureSize(folder, size));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return table;
}

async function measureSize(folder: string, size: Size): Promise<string[]> {
  const { concepts, languages, isMixed = false } = size;
  const [registry, out] = [path.join(folder, "registry"), path.join(folder, "dist")];
  writeScaleRegistry(registry, size);
  const args = ["build", "--registry", registry, "--content", "content", "--out", out];
  const { seconds, memoryMb } = measureCommand(args, BUILD_FLAGS);
  const hashed = hashFolder(registry).seconds + hashFolder(out).seconds;
  const index = statSync(path.join(out, "registry.index")).size;
  const starts = await compareStarts(out);
  return [
    String(concepts * languages),
    `${concepts} × ${languages}${isMixed ? ", in no order" : ""}`,
    seconds.toFixed(1),
    (seconds / hashed).toFixed(0),
    memoryMb.toFixed(0),
    (hashFolder(out).bytes / 1e6).toFixed(0),
    (index / 1e6).toFixed(0),
    starts.ours.toFixed(0),
    (starts.ours / starts.files).toFixed(2),
    starts.memoryMb.toFixed(0),
  ];
}

/** Reads and hashes all files below a folder, like `sha256sum`: the minimum work of any check. */
function hashFolder(folder: string): { bytes: number; seconds: number } {
  const started = performance.now();
  const running = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1 << 18);
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!statSync(path.join(folder, name)).isFile()) continue;
    const file = openSync(path.join(folder, name), "r");
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      running.update(buffer.subarray(0, read));
      bytes += read;
    }
    closeSync(file);
  }
  running.digest();
  return { bytes, seconds: (performance.now() - started) / 1000 };
}

/** Starts both servers in turn; returns the median times to their first answers, and our memory. */
async function compareStarts(out: string): Promise<{ ours: number; files: number; memoryMb: number }> {
  const body = JSON.stringify({ expression: "no such expression" });
  const [ours, files, memory]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < STARTS; i++) {
    const own = await startAndAsk(["../runtime/main.js", "--out", out], { path: "/api/v1/resolve", body });
    ours.push(own.ms);
    // The identity is known once everything is loaded and the registry is read to its end.
    await ask(own.server.port, { path: "/.well-known/service-semantics-deployment.json" });
    memory.push(memoryOf(own.server));
    await own.server.stop();
    const other = await startAndAsk(["static-server.js", out], { path: "/robots.txt" });
    files.push(other.ms);
    await other.server.stop();
  }
  return { ours: median(ours), files: median(files), memoryMb: median(memory) };
}

interface Question {
  readonly path: string;
  /** The body of a POST; without it, the question is a GET. */
  readonly body?: string;
}

async function startAndAsk(
  [script = "", ...args]: string[],
  question: Question,
): Promise<{ server: Server; ms: number }> {
  const started = performance.now();
  const server = await startServer(script, args, { pinned: false });
  const status = await ask(server.port, question);
  if (status !== 200) throw new Error(`${script} answered ${status}`);
  return { server, ms: performance.now() - started };
}

function ask(port: number, { path: target, body }: Question): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const headers = { "content-type": "application/json", connection: "close" };
    request({ host: "127.0.0.1", port, path: target, method, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end(body);
  });
}

/** Peak resident memory so far; NaN if there is no /proc. */
function memoryOf({ processId }: Server): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
