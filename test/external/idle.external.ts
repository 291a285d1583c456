/**
 * Proxies that keep connections to the service, at a distance: the presets of `host` and what
 * docs/hosting.md prints let go of an idle connection before the service does. Both limits are as
 * in the presets and the service, 30 s and 75 s, but 15 times as short.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROXY_IDLE_SECONDS } from "../../generator/tools/hosts/table.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../../runtime/contract/limits.ts";
import { runHere, serve, type Served } from "../support/command.ts";
import { freePort, listening } from "../support/free-port.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { apache, caddy, isThere, nginx, type WebServer, withServer } from "./web-servers.ts";

const NAME = "registry.example.org";
const GUIDE = readFileSync(path.resolve(import.meta.dirname, "../../docs/hosting.md"), "utf8");
/** What a proxy keeps a connection for, in the whole seconds that Apache takes. */
const SHORT = 2;
/** What the service keeps it for. */
const KEPT_MS = (SHORT * KEEP_ALIVE_TIMEOUT_MS) / PROXY_IDLE_SECONDS;
/** Each way. What is sent within this time of the end of a connection meets it. */
const DISTANCE_MS = 1000;

let dist: string;
let service: Served;
let relay: Server;
let relayPort: number;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty), `http://${NAME}`);
  service = await serve("lib/runtime/main.js", ["--out", dist], { KEEP_ALIVE_TIMEOUT_MS: String(KEPT_MS) });
  relay = distant(service.port);
  relayPort = await listening(relay);
});
afterAll(async () => {
  relay.close();
  service.child.kill();
  await service.exit;
});

/** Passes bytes and ends of connections on, later. */
function distant(port: number): Server {
  return createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    for (const [from, to] of [[near, far], [far, near]] as const) {
      const later = (pass: () => void): void => void setTimeout(pass, DISTANCE_MS);
      from.on("data", (bytes) => later(() => to.write(bytes)));
      from.on("end", () => later(() => to.end()));
      from.on("error", () => later(() => to.destroy()));
    }
  }); // prettier-ignore
}

/** What `host` writes for a proxy that listens on the port. */
async function preset(server: WebServer, port: number, into: string): Promise<string> {
  const place = ["--into", into, "--files", into, "--root", dist, "--listen", `127.0.0.1:${port}`];
  await runHere(["host", server.name, "--release", dist, ...place, "--runtime", `http://127.0.0.1:${relayPort}`]);
  return readFileSync(path.join(into, server.file), "utf8");
}

/** What the guide prints for it. */
function printed(server: WebServer, port: number): Promise<string> {
  const [, text = ""] = new RegExp(`^\`\`\`${server.name}\\n(.*?)^\`\`\``, "ms").exec(GUIDE) ?? [];
  return Promise.resolve(
    text
      .replace("listen 80", `listen 127.0.0.1:${port}`)
      .replace("*:80", `*:${port}`)
      .replace(`http://${NAME} {`, `http://:${port} {`)
      .replace("127.0.0.1:8080", `127.0.0.1:${relayPort}`),
  );
}

/** Of requests that come just before the service lets go of the connection of the one before. */
async function statuses(port: number): Promise<number[]> {
  // A connection of the client stays with one process of Apache, which has its own to the service.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const all: number[] = [];
  for (let i = 0; i < 3; i++) {
    all.push(await post(port, agent));
    await sleep(KEPT_MS - DISTANCE_MS);
  }
  agent.destroy();
  return all;
}

function post(port: number, agent: Agent): Promise<number> {
  const headers = { host: NAME, "content-type": "application/json" };
  const to = { host: "127.0.0.1", port, method: "POST", path: "/api/v1/resolve", headers, agent };
  return new Promise((resolve) => {
    request(to, (answer) => resolve(answer.resume().statusCode ?? 0))
      // Apache ends the connection of the client without an answer.
      .on("error", () => resolve(502))
      .end('{"expression":"taxi"}');
  });
}

const WRITTEN = new RegExp(`(keepalive(?:_timeout)? |ttl=)${PROXY_IDLE_SECONDS}(?=s?\\b)`, "g");
const CASES = [nginx, apache, caddy].filter(isThere).flatMap((server) => [
  { server, write: preset, seconds: SHORT, lost: "nothing is lost" },
  { server, write: preset, seconds: 5 * SHORT, lost: "too late" },
  { server, write: printed, seconds: SHORT, lost: "nothing is lost" },
]);

/** They wait side by side, once all is written: a busy process would pass bytes on too late. */
const ready: { port: number; folder: string }[] = [];
beforeAll(async () => {
  for (const { server, write, seconds } of CASES) {
    const [port, folder] = [await freePort(), mkdtempSync(path.join(tmpdir(), `${server.name}-`))];
    const text = await write(server, port, folder);
    // The proxy that the guide prints for nginx keeps no connection.
    if (text.search(WRITTEN) === -1 && (server !== nginx || write === preset)) throw new Error(text);
    writeFileSync(path.join(folder, server.file), text.replaceAll(WRITTEN, `$1${seconds}`));
    ready.push({ port, folder });
  }
});

describe("a proxy that lets go before the service", () => {
  it.concurrent.each(CASES.map((one, at) => ({ ...one, at })))(
    "$server.name, $write.name, $seconds s: $lost",
    async ({ server, lost, at }) => {
      const { port, folder } = ready[at] ?? { port: 0, folder: "" };
      await withServer(server, { folder, port, reads: [dist] }, async () => {
        const found = await statuses(port);
        if (lost === "too late") expect(found).toContain(502);
        else expect(found).toEqual(found.map(() => 200));
      });
      rmSync(folder, { recursive: true });
    },
  );
});
