/**
 * Connections instead of requests: writers and readers that take their time, floods to the limit of
 * descriptors, and many clients. While it lasts, others are answered; afterwards nothing of it is
 * left.
 */
import { spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { project } from "../support/project.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { AS_DEPLOYED, deadline, report, times } from "./chance.ts";
import { faultOf, readAnswers } from "./replies.ts";
import { held, residentMb, talk } from "./wire.ts";

let directory: string;
let served: Served | undefined;
beforeAll(async () => {
  directory = await buildRelease(checkedRegistry(nasty));
});
afterEach(async () => {
  served?.child.kill();
  await served?.exit;
});

const body = '{"expression":"taxi"}';
const RESOLVE = `POST /api/v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Resolves on a connection of its own; gives how long that took, in milliseconds. */
async function ask(port: number): Promise<number> {
  const started = performance.now();
  const { bytes, trouble } = await talk(port, [Buffer.from(RESOLVE)]);
  expect(trouble).toBeUndefined();
  expect(readAnswers(bytes).answers.map(({ status, body: answer }) => [status, answer.includes("N-TAXI")])).toEqual([[200, true]]); // prettier-ignore
  return performance.now() - started;
}

/** A connection that does as it is told, and what it hears. */
function open(port: number): {
  readonly socket: net.Socket;
  readonly heard: () => Buffer;
  readonly closed: Promise<void>;
} {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part)).on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  return { socket, heard: () => Buffer.concat(parts), closed };
}

describe("hostile connections", () => {
  it("write slowly and never end: others are answered, each gets a 408 or an end, and none is left", async () => {
    const count = times(5000, 300);
    served = await serve("lib/runtime/main.js", ["--out", directory], {});
    const { port } = served;
    const before = held(served);
    const starts = ["", "G", "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nX: ", RESOLVE.slice(0, -10), `${RESOLVE.slice(0, RESOLVE.indexOf("Content-Length"))}Transfer-Encoding: chunked\r\n\r\n`]; // prettier-ignore
    const slow: (ReturnType<typeof open> & { readonly start: string })[] = [];
    while (slow.length < count) {
      const start = starts[slow.length % starts.length] ?? "";
      slow.push({ ...open(port), start });
      slow.at(-1)?.socket.write(start);
      // If too many connections wait to be accepted, the system drops some without telling a silent
      // client.
      if (slow.length % 200 === 0) await ask(port);
    }
    const timer = setInterval(() => {
      for (const { socket, start } of slow) if (start.includes("X: ") && socket.writable) socket.write("x");
    }, 1000);
    const waited: number[] = [];
    const ended = Promise.all(slow.map(({ closed }) => closed)).then(() => (waited.length > 0 ? "all ended" : ""));
    let outcome: string | undefined;
    // The service gives a request 15 s and a connection without one 10 s, and looks every second.
    for (let i = 0; i < 400 && outcome === undefined; i++) {
      waited.push(await ask(port));
      outcome = await Promise.race([ended, sleep(100)]).then((value) => value || undefined);
    }
    clearInterval(timer);
    expect(outcome).toBe("all ended");
    for (const { heard } of slow) {
      const { answers, fault } = readAnswers(heard());
      expect([fault, answers.map(({ status }) => status).filter((status) => status !== 408)]).toEqual([undefined, []]);
      expect(answers.map(faultOf).filter((wrong) => wrong !== undefined)).toEqual([]);
    }
    await sleep(1500);
    expect(held(served)).toBeLessThanOrEqual(before + 2);
    waited.sort((a, b) => a - b);
    report("slow writers", { connections: count, "others asked": waited.length, "median ms": Math.round(waited[waited.length >> 1] ?? 0), "slowest ms": Math.round(waited.at(-1) ?? 0), left: 0 }); // prettier-ignore
  });

  it("send much and read nothing: what waits for them is bounded, and others are answered", async () => {
    const count = times(200, 40);
    served = await serve("lib/runtime/main.js", ["--out", directory], AS_DEPLOYED);
    const { port } = served;
    await ask(port);
    const before = residentMb(served);
    const requests = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    const sockets = Array.from({ length: count }, () => open(port).socket.pause());
    for (const socket of sockets) socket.write(requests);
    const end = Math.min(deadline(0.03), performance.now() + 15_000);
    let highest = before;
    for (let asked = 0; asked < 10 || performance.now() < end; asked++) {
      await ask(port);
      highest = Math.max(highest, residentMb(served));
      await sleep(50);
    }
    for (const socket of sockets) socket.destroy();
    await ask(port);
    report("readers that do not read", { connections: count, "answers asked for": count * 200, "MB before": before, "MB at most": highest }); // prettier-ignore
    expect(highest).toBeLessThan(before + 150);
  });

  it("take every descriptor: the service goes on, and answers once they are gone", async () => {
    const limit = 256;
    const script = `ulimit -n ${limit}; exec "$0" lib/runtime/main.js --out "$1"`;
    const child = spawn("sh", ["-c", script, process.execPath, directory], { cwd: project, env: { ...process.env, PORT: "0", HOST: "", SERVICE_ORIGIN: "" } }); // prettier-ignore
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const port = await new Promise<number>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
        const [, found] = /:(\d+)\n/.exec(stdout) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    });
    const rounds = times(20, 2);
    let opened = 0;
    for (let i = 0; i < rounds; i++) {
      const sockets = Array.from({ length: limit * 2 }, () => open(port));
      for (const { socket } of sockets) socket.write("GET /.well-known/service-semantics-deployment.json HTTP/1.1\r\nHost: localhost\r\n\r\n"); // prettier-ignore
      opened += sockets.length;
      await sleep(300);
      for (const { socket } of sockets) socket.destroy();
      await Promise.all(sockets.map(({ closed }) => closed));
      // Until the service has noticed that they are gone.
      for (let tries = 0; tries < 100 && (await talk(port, [Buffer.from(RESOLVE)])).trouble !== undefined; tries++) await sleep(50); // prettier-ignore
      const answers = sockets.flatMap(({ heard }) => readAnswers(heard()).answers);
      expect(answers.filter(({ status }) => status !== 200 && status !== 503).map(({ status }) => status)).toEqual([]);
      await ask(port);
    }
    // The identity that could not open its files is said for a second.
    await sleep(1500);
    const last = await talk(port, [Buffer.from("GET /.well-known/service-semantics-deployment.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")]); // prettier-ignore
    expect(readAnswers(last.bytes).answers[0]?.status).toBe(200);
    child.kill();
    expect(await exit).toBe(0);
    expect(stderr.replaceAll(/^Deployment identity .*\n/gm, "")).toBe("");
    report("floods", { descriptors: limit, connections: opened, rounds, "answered afterwards": rounds });
  });
});
