/** The process under a supervisor: an inherited socket, restarts under load, Unix sockets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder, run } from "../../support/command.ts";
import { startLoad } from "../../support/load.ts";
import { nasty } from "../../support/nasty.ts";
import { project } from "../../support/project.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { until } from "../../support/until.ts";

const directory = await buildRelease(checkedRegistry(nasty));
const MAIN = path.join(project, "lib/runtime/main.js");

/**
 * What systemd does for a socket unit: listens, and starts the service with the socket as
 * descriptor 3, again when it ends. It waits without an event loop, so it accepts nothing itself.
 */
const SUPERVISOR = `
const server = require("node:net").createServer().listen(0);
console.log("port " + server.address().port);
const start = 'echo "pid $$"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"';
for (let i = 0; i < 3; i++) {
  const options = { stdio: ["ignore", 1, 2, server._handle.fd] };
  const { status } = require("node:child_process").spawnSync("sh", ["-c", start, process.execPath, ...process.argv.slice(1)], options);
  console.log("status " + status);
}
process.exit();
`;

describe("socket activation", () => {
  it("serves the inherited socket; restarts under load lose and refuse no request", async () => {
    const child = spawn(process.execPath, ["--eval", SUPERVISOR, MAIN, "--out", directory], {
      env: { ...process.env, HOST: "192.0.2.1", PORT: "1", RATE_LIMIT_PER_SECOND: "0" },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const count = (text: string): number => output.split(text).length - 1;
    await until(() => count("Serving Nasty") === 1);
    const load = startLoad(Number(/port (\d+)/.exec(output)?.[1]), { keeping: 4, renewing: 4 });
    for (const round of [1, 2]) {
      const before = load.answered();
      await until(() => load.answered() > before + 40);
      process.kill(Number([...output.matchAll(/pid (\d+)/g)].at(-1)?.[1]), "SIGTERM");
      await until(() => count("Serving Nasty") === round + 1);
    }
    const before = load.answered();
    await until(() => load.answered() > before + 40);
    expect(await load.stop()).toEqual([]);
    process.kill(Number([...output.matchAll(/pid (\d+)/g)].at(-1)?.[1]), "SIGTERM");
    await once(child, "exit");
    expect([count("status 0"), errors]).toEqual([3, ""]);
  });
});

describe("a Unix socket", () => {
  const env = (socket: string): Record<string, string> => ({ ...(process.env as Record<string, string>), HOST: `unix:${socket}` }); // prettier-ignore
  const start = async (socket: string): Promise<ReturnType<typeof spawn>> => {
    const child = spawn(process.execPath, [MAIN, "--out", directory], { env: env(socket), stdio: ["ignore", "pipe", "inherit"] }); // prettier-ignore
    onTestFinished(() => void child.kill("SIGKILL"));
    const line = String((await once(child.stdout as NodeJS.ReadableStream, "data"))[0]);
    expect(line).toBe(`Serving Nasty 2026.11.1 for https://registry.example on unix:${socket}\n`);
    return child;
  };
  const statusOf = (socketPath: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      http
        .get({ socketPath, path: "/api/v1/status", agent: false }, (response) => resolve(response.resume().statusCode))
        .on("error", reject);
    });

  it("is served, taken from a killed process, not from a living one, and removed at the end", async () => {
    const socket = path.join(folder({}), "http.sock");
    const killed = await start(socket);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(existsSync(socket)).toBe(true);
    const child = await start(socket);
    expect(await statusOf(socket)).toBe(200);
    const other = await run(MAIN, ["--out", directory], { env: { HOST: `unix:${socket}` } });
    expect(other).toEqual({ code: 1, stdout: "", stderr: `${socket} is in use: set HOST\n` });
    expect(await statusOf(socket)).toBe(200);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(existsSync(socket)).toBe(false);
  });

  it("does not take the place of a file", async () => {
    const file = path.join(folder({ "http.sock": "mine" }), "http.sock");
    const { code, stderr } = await run(MAIN, ["--out", directory], { env: { HOST: `unix:${file}` } });
    expect([code, stderr, existsSync(file)]).toEqual([1, `${file} is in use: set HOST\n`, true]);
  });

  it("is refused in one line where its folder is missing", async () => {
    const socket = path.join(folder({}), "missing/http.sock");
    const { code, stderr } = await run(MAIN, ["--out", directory], { env: { HOST: `unix:${socket}` } });
    const why = "its folder is missing, or may not be written";
    expect([code, stderr]).toEqual([1, `Cannot make the socket ${socket}: ${why}\n`]);
  });
});
