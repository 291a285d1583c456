/**
 * The service under supervisors that are not ours: the units as systemd reads them, a socket that
 * systemd passes, and two processes on one port by a Node that can share one. What is not here is
 * skipped aloud.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startLoad } from "../support/load.ts";
import { nasty } from "../support/nasty.ts";
import { npx, reasonToSkip } from "../support/npx.ts";
import { project } from "../support/project.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { freePort } from "../support/free-port.ts";

const home = mkdtempSync(path.join(tmpdir(), "supervisors-"));
afterAll(() => rmSync(home, { recursive: true }));
const directory = await buildRelease(checkedRegistry(nasty));
const PROGRAM = [path.join(project, "lib/runtime/main.js"), "--out", directory];

const isHere = (program: string): boolean => {
  const here = spawnSync(program, ["--version"]).status === 0;
  if (!here) console.warn(`Skipped, ${program} is not here`);
  return here;
};

/** A Node that can share a port: this one, or a newer one from npm. */
async function sharingNode(): Promise<string | undefined> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 23 || (major === 22 && minor >= 12)) return process.execPath;
  const pack = `node-${process.platform}-${process.arch}@24.21.0`;
  const probe = await npx(pack, ["node", "-p", "process.execPath"], { cwd: home });
  return reasonToSkip(pack, probe, "once, for about 60 MB") === undefined ? probe.stdout.trim() : undefined;
}

describe.skipIf(!isHere("systemd-analyze"))("systemd-analyze", () => {
  it("finds nothing wrong with the units, and little that they could still do", () => {
    for (const name of ["words.socket", "words.service"]) cpSync(path.join(project, "docs/deploy", name), path.join(home, name)); // prettier-ignore
    // It looks for the program.
    const service = path.join(home, "words.service");
    writeFileSync(service, readFileSync(service, "utf8").replace("/usr/bin/node ", `${process.execPath} `));
    const analyze = (...args: string[]) => spawnSync("systemd-analyze", args, { cwd: home, encoding: "utf8" });
    const verified = analyze("verify", path.join(home, "words.socket"), service);
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    const level = /exposure level for words\.service: ([\d.]+)/.exec(analyze("security", "--offline=true", service).stdout)?.[1]; // prettier-ignore
    expect(Number(level)).toBeLessThan(2);
  });
});

describe.skipIf(!isHere("systemd-socket-activate"))("systemd-socket-activate", () => {
  it("starts the service with the first request, and that is answered", async () => {
    const port = await freePort();
    const child = spawn("systemd-socket-activate", ["-l", `127.0.0.1:${port}`, process.execPath, ...PROGRAM], { stdio: "ignore" }); // prettier-ignore
    let reply: Response | undefined;
    while (reply === undefined) {
      reply = await fetch(`http://127.0.0.1:${port}/api/v1/status`).catch(() => undefined);
      if (reply === undefined) await sleep(50);
    }
    expect(reply.status).toBe(200);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });
});

const node = await sharingNode();
if (node === undefined) console.warn("Skipped, no Node that can share a port is here");

describe.skipIf(node === undefined)("two processes on one port", () => {
  const start = async (env: Record<string, string>): Promise<ChildProcess> => {
    const child = spawn(node ?? "", PROGRAM, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return child;
  };

  it("take over from each other under load: no client that keeps its connection loses a request", async () => {
    const env = { PORT: String(await freePort()), REUSE_PORT: "1" };
    let running = await start(env);
    const load = startLoad(Number(env.PORT), { keeping: 8, renewing: 0 });
    for (let round = 0; round < 3; round++) {
      const before = load.answered();
      while (load.answered() < before + 200) await sleep(20);
      const next = await start(env);
      running.kill("SIGTERM");
      expect((await once(running, "exit"))[0]).toBe(0);
      running = next;
    }
    expect(await load.stop()).toEqual([]);
    running.kill("SIGTERM");
    await once(running, "exit");
  });
});
