/** A release of a million expressions for several files, built once a run by the first to ask. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeScaleRegistry } from "../../bench/scale-registry.ts";
import { run } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";

/** Gives its folder, which is removed with those of the run. Its origin is a free local port. */
export async function millionRelease(): Promise<string> {
  const folder = path.join(tmpdir(), "million");
  const dist = path.join(folder, "dist");
  try {
    mkdirSync(folder);
  } catch {
    // Another process builds it, or has built it.
    while (!existsSync(dist)) {
      if (!existsSync(folder)) throw new Error("The release of a million expressions was not built");
      await sleep(200);
    }
    return dist;
  }
  const [registry, making] = [path.join(folder, "registry"), path.join(folder, "making")];
  writeScaleRegistry(registry, { concepts: 100_000, languages: 10 });
  const origin = `http://127.0.0.1:${await freePort()}`;
  const built = await run("lib/generator/main.js", ["build", "--registry", registry, "--out", making, "--origin", origin]); // prettier-ignore
  if (built.code !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(built.stderr);
  }
  rmSync(registry, { recursive: true });
  renameSync(making, dist);
  return dist;
}
