/**
 * Compares every kind of route with a raw node:http server that does the same work with the same
 * bytes, and some of them with prebuilt answers, without ADMIN_ADDRESS and with libraries.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildInto, starterRegistry } from "./build.ts";
import { probe, startServer } from "./processes.ts";

interface Rates {
  /** Requests per second of each variant, in its median slot. */
  readonly rates: number[];
  /** Completions per second of slot time: the first variant's divided by the second's. */
  readonly ratio: number;
}

export async function measureHttp(): Promise<string[][]> {
  const out = path.join(mkdtempSync(path.join(tmpdir(), "bench-")), "dist");
  await buildInto(out, starterRegistry());
  const ours = await startServer("../runtime/main.js", ["--out", out]);
  const watched = await startServer("../runtime/main.js", ["--out", out], { env: { ADMIN_ADDRESS: "127.0.0.1:0" } });
  const raw = await startServer("raw-server.js", [out]);
  const prebuilt = await startServer("map-server.js", [out]);
  const files = await startServer("static-server.js", [out]);
  const sdk = await startServer("mcp-sdk-server.js", [out]);
  const table = [["HTTP, 64 connections", "baseline", "ours, requests/s", "baseline, requests/s", "ratio"]];
  const compare = async (
    route: string,
    [name, baseline]: [string, { port: number }],
    measured = ours,
  ): Promise<void> => {
    const ports = [measured.port, baseline.port].map(String);
    const { rates, ratio } = await probe<Rates>("load.js", [route, out, ...ports]);
    table.push([route, name, ...rates.map((rate) => rate.toFixed(0)), ratio.toFixed(2)]);
  };
  try {
    for (const route of ["resolve", "document"]) await compare(route, ["prebuilt answers in a Map", prebuilt]);
    for (const route of ["resolve", "concept", "concept, 304", "document", "document, 304", "tools/call"]) {
      await compare(route, ["raw node:http", raw]);
    }
    for (const route of ["resolve", "document"]) await compare(route, ["ours without ADMIN_ADDRESS", ours], watched);
    await compare("document", ["@fastify/static", files]);
    await compare("tools/call", ["official MCP server SDK", sdk]);
  } finally {
    for (const server of [ours, watched, raw, prebuilt, files, sdk]) await server.stop();
  }
  return table;
}
