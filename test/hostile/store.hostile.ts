/** `store push`, killed at any time: no value is half-written, and a second push completes it. */
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, REDIS, type Servers, startServer } from "../../bench/redis-cluster.ts";
import { writeScaleRegistry } from "../../bench/scale-registry.ts";
import { folder, run, runHere } from "../support/command.ts";
import { project } from "../support/project.ts";
import { Chance, deadline, goesOn, report, SEED } from "./chance.ts";

const hasRedis = existsSync(REDIS);
if (!hasRedis) console.warn(`Skipped, there is no ${REDIS}: install redis-server.`);

describe.skipIf(!hasRedis)("a store", () => {
  const home = folder({});
  const dist = path.join(home, "dist");
  let server: Servers;
  beforeAll(async () => {
    writeScaleRegistry(path.join(home, "registry"), { concepts: 5000, languages: 10 });
    const { code, stderr } = await run("lib/generator/main.js", ["build", "--registry", path.join(home, "registry"), "--out", dist, "--origin", "https://registry.example"]); // prettier-ignore
    if (code !== 0) throw new Error(stderr);
    server = await startServer();
  });
  afterAll(async () => {
    await server.close();
    rmSync(home, { recursive: true });
  });

  it("has whole values alone when a push was killed, and the next one writes the others", { timeout: 0 }, async () => {
    const end = deadline(0.02);
    const chance = new Chance(9000);
    const [wrong, args] = [[] as string[], ["store", "push", "--to", server.urls, "--out", dist]];
    const ask = async (...words: string[]): Promise<unknown> => server.nodes[0]?.ask(...words);
    const count = async (): Promise<number> => Number(await ask("DBSIZE"));
    await runHere(args);
    const all = await count();
    let [kills, partly] = [0, 0];
    for (; goesOn(kills, end); kills++) {
      await ask("FLUSHALL");
      const child = spawn(process.execPath, [path.join(project, "lib/generator/main.js"), ...args], {
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
      await Promise.race([ended, eventually(async () => (await count()) > 0, "the first block")]);
      await sleep(chance.below(60));
      child.kill("SIGKILL");
      await ended;
      const left = await count();
      if (left > 0 && left < all) partly++;
      const { code, stdout } = await runHere([...args, "--check", "all"]);
      if (code !== 0 || !stdout.includes("checked, all right") || (await count()) !== all) wrong.push(`after ${left} of ${all} blocks: ${code} ${stdout}`); // prettier-ignore
    }
    report("kills of store push", { seed: SEED, kills, "with a part there": partly, blocks: all, lost: wrong.length });
    expect(wrong).toEqual([]);
  });
});
