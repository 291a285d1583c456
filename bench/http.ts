/** Resolve and concept GET, against a raw node:http server that does the same work with the same bytes. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileSystem } from "../generator/effects.ts";
import { checkRegistry } from "../generator/registry/check.ts";
import { readRegistry } from "../generator/registry/read.ts";
import { buildInto } from "../test/support/release.ts";
import { probe, startServer } from "./processes.ts";

interface Rates {
  /** Requests a second by variant: median slot. */
  readonly rates: number[];
  /** Completions of the first variant over those of the second, in equal slot time. */
  readonly ratio: number;
}

export async function measureHttp(): Promise<string[][]> {
  const { registry } = checkRegistry(readRegistry(fileSystem, "registry", () => undefined));
  if (registry === undefined) throw new Error("The starter registry has errors");
  const out = path.join(mkdtempSync(path.join(tmpdir(), "bench-")), "dist");
  await buildInto(out, registry, { origin: "http://127.0.0.1:8080" });
  const servers = [await startServer("../runtime/main.ts", ["--out", out]), await startServer("raw-server.ts", [out])];
  const table = [["HTTP, 64 connections", "ours, requests/s", "raw node:http, requests/s", "ratio"]];
  try {
    for (const route of ["resolve", "concept", "not modified"]) {
      const { rates, ratio } = await probe<Rates>("load.ts", [route, out, ...servers.map(({ port }) => String(port))]);
      table.push([route, ...rates.map((rate) => rate.toFixed(0)), ratio.toFixed(2)]);
    }
  } finally {
    for (const server of servers) server.stop();
  }
  return table;
}
