/** The server as a process: start, signals, a port in use, hostile connections. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { currentManifest } from "../../../generator/commands/current.ts";
import { prepareDrain } from "../../../runtime/node/drain.ts";
import { ReleaseError } from "../../../runtime/release/plain-file.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { SettingError } from "../../../runtime/operations/settings.ts";
import { main } from "../../../runtime/serve.ts";
import { createServer } from "../../../runtime/server.ts";
import { folder, run, runHere, serve, type Served } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { IMPATIENT, listen } from "../../support/service.ts";
import { halfClosed, raw } from "../../support/raw.ts";
import { until } from "../../support/until.ts";

const directory = await buildRelease(checkedRegistry(nasty));

const start = (env: Record<string, string> = {}): Promise<Served> =>
  serve("lib/runtime/main.js", ["--out", directory], env);

/** Whether nobody listens at the port any more. */
function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(false)).on("error", () => resolve(true));
    socket.on("close", () => resolve(true)).unref();
  });
}

/** Sends the pieces some milliseconds apart and then reads; gives the count of bytes. */
function readLate(port: number, pieces: readonly string[], gap: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let length = 0;
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }).pause();
    pieces.forEach((piece, i) => setTimeout(() => socket.write(piece), gap * i));
    setTimeout(() => socket.resume(), gap * pieces.length + 20);
    socket.on("data", (chunk: Buffer) => (length += chunk.length)).on("error", reject);
    socket.on("end", () => socket.end()).on("close", () => resolve(length));
  });
}

describe("a server", () => {
  const options = { nonce: () => "", onError: () => undefined, identity: () => Promise.reject(new Error("Nobody asks")) }; // prettier-ignore

  it("has the time limits of the contract unless it is given others", () => {
    const release = openRelease(directory);
    const limitsOf = ({ server }: ReturnType<typeof createServer>): number[] => [
      server.headersTimeout,
      server.requestTimeout,
      server.keepAliveTimeout,
      server.timeout,
    ];
    expect(limitsOf(createServer(release, options))).toEqual([10_000, 15_000, 75_000, 30_000]);
    const limits = { headersMs: 1, requestMs: 2, keepAliveMs: 3, stallMs: 4, checkMs: 5 };
    expect(limitsOf(createServer(release, { ...options, limits }))).toEqual([1, 2, 3, 4]);
    release.close();
  });

  it.each(["", "Expect: 100-continue\r\n"])(
    "that drains answers a request whose body comes after the grace, with Connection: close: %j",
    async (field) => {
      const release = openRelease(directory);
      const app = createServer(release, options);
      const drain = prepareDrain(app.server, 20);
      await app.listen({ port: 0, host: "127.0.0.1" });
      const { port } = app.server.address() as net.AddressInfo;
      const socket = net.connect(port, "127.0.0.1").setEncoding("utf8");
      let received = "";
      socket.on("data", (text: string) => (received += text));
      const ended = once(socket, "close");
      const body = '{"expression":"taxi"}';
      const first = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n";
      socket.write(`${first}POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${field}Content-Length: ${body.length}\r\n\r\n`); // prettier-ignore
      // Both requests came at once, so the second is there when the first is answered.
      await until(() => received.includes("Allow:"));
      const drained = drain();
      await sleep(100);
      socket.write(body);
      await ended;
      await drained;
      expect(received).toMatch(/HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*"status":"resolved"/);
      release.close();
    },
  );
});

describe("the server process", () => {
  it("exits 0 on SIGINT, also if its standard output is closed", async () => {
    const served = await start();
    served.child.stdout?.destroy();
    served.child.kill("SIGINT");
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
  });

  it.each([
    ["the service", "lib/runtime/main.js", []],
    ["a command that serves", "lib/generator/main.js", ["reconcile", "--port", "0"]],
  ])("opens no inspector at SIGUSR1: %s", async (_, script, args) => {
    const served = await serve(script, [...args, "--out", directory], {});
    for (let i = 0; i < 3; i++) {
      served.child.kill("SIGUSR1");
      await fetch(`http://127.0.0.1:${served.port}/`);
    }
    served.child.kill("SIGTERM");
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
  });

  it("says in one line what it serves and where, and drains on SIGTERM: a request under way is answered, idle connections are closed, all are counted", async () => {
    const served = await start();
    expect(served.line).toBe(
      `Serving Nasty 2026.11.1 for https://registry.example on http://127.0.0.1:${served.port}\n`,
    );
    for (let i = 0; i < 2; i++) await fetch(`http://127.0.0.1:${served.port}/api/v1/status`);
    const idle = net.connect(served.port, "127.0.0.1");
    const body = '{"expression":"taxi"}';
    const answered = new Promise<string>((resolve, reject) => {
      const request = http.request({
        port: served.port,
        host: "127.0.0.1",
        method: "POST",
        path: "/api/v1/resolve",
        headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" },
      });
      const stopTwice = async (): Promise<void> => {
        served.child.kill("SIGTERM");
        await until(() => isRefused(served.port));
        // npm passes a signal on that the terminal has sent to the whole group already.
        served.child.kill("SIGTERM");
        await sleep(300);
        request.end(body);
      };
      request.on("continue", () => void stopTwice());
      request.on("error", reject).on("response", (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
      });
      request.flushHeaders();
    });
    expect(JSON.parse(await answered)).toMatchObject({ data: { status: "resolved" } });
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
    expect(served.stdout()).toBe(`${served.line}Stopped after 3 requests\n`);
    idle.destroy();
  });

  it("drains under load: no client that keeps its connection loses a request it has sent", async () => {
    const served = await start({ LOG_FORMAT: "json" });
    const outcomes = { answered: 0, closed: 0, refused: 0, lost: 0 };
    let stopping = false;
    const waiting = new Set<http.Agent>();
    const client = async (): Promise<void> => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      waiting.add(agent);
      for (let open = true; open;) {
        open = await new Promise<boolean>((resolve) => {
          const request = http.request({ agent, port: served.port, host: "127.0.0.1", path: "/api/v1/status" });
          request.on("error", (error: NodeJS.ErrnoException) => {
            outcomes[error.code === "ECONNREFUSED" ? "refused" : "lost"]++;
            resolve(false);
          });
          request.on("response", (response) => {
            outcomes.answered++;
            waiting.delete(agent);
            if (response.headers.connection === "close") outcomes.closed++;
            response.resume().on("end", () => resolve(!(stopping && response.headers.connection === "close")));
          });
          request.end();
        });
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 20 }, client);
    // By then every client has a connection, however slow the machine is.
    while (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stopping = true;
    served.child.kill("SIGTERM");
    await Promise.all(clients);
    expect(await served.exit).toBe(0);
    expect(served.stdout()).toMatch(/\n\{"level":"info","event":"stopped","message":"Stopped after \d+ requests"\}\n$/);
    expect(outcomes).toMatchObject({ lost: 0, closed: 20 });
    expect(outcomes.answered).toBeGreaterThan(20);
  });

  it("says in one line what is wrong, and exits 2", async () => {
    const outcome = await run("lib/runtime/main.js", ["--out", directory], { env: { HOST: "192.0.2.1" } });
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: 'HOST "192.0.2.1" is not an address of this machine\n' });
  });

  it.each([
    [["--out", "/nonexistent"], {}, /manifest\.json does not exist: build first/],
    [["--out", directory, "--nope"], {}, /Unknown option '--nope'/],
    [["--out", directory, "--origin", "x"], {}, /--origin "x" is not an absolute/],
    [["--out", directory], { PORT: "http" }, /PORT "http" is not a whole number/],
    [["--out", directory], { PORT: "70000" }, /PORT "70000"/],
    [["--out", directory], { INDEX_MEMORY_MAX_BYTES: "-1" }, /INDEX_MEMORY_MAX_BYTES/],
    [
      ["--out", directory],
      { PORT: "0", ADMIN_ADDRESS: "192.0.2.1:9464" },
      /^ADMIN_ADDRESS "192\.0\.2\.1" is not an address of this machine$/,
    ],
    [
      ["--out", directory],
      { TRUSTED_PROXIES: "proxy" },
      /^TRUSTED_PROXIES "proxy" is not an address, a prefix or unix$/,
    ],
  ] as const)("has one line for what is wrong with a setting or a dist: %j %j %j", async (args, env, message) => {
    const error: unknown = await main(args, env).catch((thrown: unknown) => thrown);
    expect(error instanceof SettingError || error instanceof ReleaseError).toBe(true);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain("\n");
  });

  // Where there is none yet: test/tools/publish/package.test.ts.
  it("is what npm start's command serves, which builds again only when inputs changed", async () => {
    const out = path.join(folder({}), "started");
    const inputs = { registry: "test/golden/registry", content: "content" };
    const origin = "https://a.example";
    const args = ["--registry", inputs.registry, "--out", out, "--origin", origin];
    expect(await runHere(["build", ...args])).toMatchObject({ code: 0 });
    const served = await serve("lib/generator/main.js", ["start", ...args], {});
    expect(served.line).toMatch(/^Serving .* for https:\/\/a\.example on/);
    served.child.kill();
    expect(await served.exit).toBe(0);
    expect(await currentManifest(fileSystem, out, { ...inputs, origin })).toBeDefined();
    expect(await currentManifest(fileSystem, out, { ...inputs, origin: "https://b.example" })).toBeUndefined();
    writeFileSync(path.join(out, "manifest.json"), "damaged");
    expect(await currentManifest(fileSystem, out, { ...inputs, origin })).toBeUndefined();
  });
});

describe("a hostile connection", () => {
  let served: Served;
  beforeAll(async () => {
    served = await start();
    return async () => {
      served.child.kill();
      await served.exit;
    };
  });

  it("keeps its port: a second one says in one line that it is in use, and exits 1", async () => {
    const second = await run("lib/runtime/main.js", ["--out", directory], { env: { PORT: String(served.port) } });
    expect(second).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${served.port} on 127.0.0.1 is in use: set PORT or --port\n`,
    });
  });

  it("D13: gets the envelope for what is no HTTP, and the service goes on", async () => {
    for (const [text, status, code] of [
      ["FOO / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "invalid_http"],
      ["GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", 400, "invalid_http"],
      [`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, "header_fields_too_large"],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431, "header_fields_too_large"],
      [
        "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        400,
        "invalid_http",
      ],
      ["POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n", 400, "invalid_http"],
      ["\u0000\u0001\u0002\r\n\r\n", 400, "invalid_http"],
      ["GET /api/v1/status HTTP/1.1\r\n\r\n", 400, "invalid_http"],
      [
        "GET /api/v1/status HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n",
        417,
        "expectation_failed",
      ],
      ["CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", 400, "invalid_http"],
      ["GET /robots.txt HTTP/2.0\r\nHost: x\r\n\r\n", 400, "invalid_http"],
      ["POST /api/v1/resolve HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "invalid_http"], // prettier-ignore
      ["POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 400, "invalid_http"],
      // Two hosts (RFC 9112 §3.2).
      ["GET /robots.txt HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n", 400, "invalid_http"],
      ...["a b", "a/b", "u@x", "http://x", "[::1", "a:x", "x:80:90", "a%zz", "<b>.example", '"x"', "\u00e9"].map(
        (host) => [`GET /robots.txt HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 400, "invalid_http"] as const,
      ),
      // No host (RFC 9110 §4.2.1), and a fragment, which no target has (RFC 9112 §3.2).
      ...[
        ..."http:/// http:// https://?x http://:80/robots.txt http://a@/robots.txt http://a@example.org/".split(" "),
        ..."http://example.org:x/ http://[z]/ http://a%zz/".split(" "),
        ..."/robots.txt#x http://example.org/robots.txt# /#?q=x".split(" "),
      ].map(
        (target) => [`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 400, "invalid_http"] as const,
      ),
    ] as const) {
      const reply = await raw(served.port, text);
      expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({ data: null, error: { code } });
      expect(reply).toMatch(/\r\nConnection: close\r\n/i);
    }
    expect((await fetch(`http://127.0.0.1:${served.port}/api/v1/status`)).status).toBe(200);
    expect(served.stderr()).toBe("");
  });

  it.each([
    `HEAD /robots.txt HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    "HEAD /mcp HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\nHEAD /robots.txt HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
  ])("HEAD gets the fields of a refusal without its body (RFC 9110 §9.3.2): %.50s", async (text) => {
    const reply = await raw(served.port, text);
    expect(reply.slice(reply.lastIndexOf("HTTP/1.1"))).toMatch(
      /^HTTP\/1\.1 4\d\d [^]*\r\nContent-Length: [1-9]\d+\r\n[^]*\r\n\r\n$/,
    );
  });

  it.each(["FOO /mcp", "UPDATE /mcp", "get HTTP://x/mcp?q", "DESCRIBE /mcp", "GET_PARAMETER /mcp"])(
    "M28: a method that Node does not know is refused on /mcp in the form of that path: %s",
    async (line) => {
      const get = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n";
      // A body of JSON has no line end.
      const post = "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
      for (const before of ["", get, post]) {
        const reply = await raw(served.port, `${before}${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
        const refusal = reply.slice(reply.lastIndexOf("HTTP/1.1 400"));
        expect(refusal).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"jsonrpc":"2\.0","id":null,"error":/);
        expect(refusal).not.toContain("Access-Control");
      }
    },
  );

  it("gets its body where HEAD is no more than a part of what was sent", async () => {
    for (const text of ["GHEAD /x HTTP/1.1\r\n\r\n", "UPDATE / HTTP/1.1\rHEAD /x HTTP/1.1\r\n\r\n"])
      expect(await raw(served.port, text)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid_http"/);
  });

  it("gets its body where a HEAD that was answered came before it", async () => {
    const reply = await raw(served.port, "HEAD /robots.txt HTTP/1.1\r\nHost: x\r\n\r\nP\u00dcT / HTTP/1.1\r\n\r\n");
    expect(reply).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 [^]*"code":"invalid_http"/);
  });

  it.each(["[::1]:8080", "[v1.a:b]", "a,b", "a_b.example:", "%41.example", "xn--e1afmkfd.example:80", ""])(
    "is served whatever host it names, if it is one: %j",
    async (host) => {
      const reply = await raw(served.port, `GET /robots.txt HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  it("ends with the answer to a request for another protocol: node:http drops what follows (RFC 9110 §7.8)", async () => {
    const upgrade = "Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n";
    const next = "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n";
    const reply = await raw(served.port, `GET /robots.txt HTTP/1.1\r\n${upgrade}\r\n${next}`);
    expect(reply.match(/HTTP\/1\.1 \d+|Connection: \w+/g)).toEqual(["HTTP/1.1 200", "Connection: close"]);
  });

  it("loses no field behind very many", async () => {
    const origin =
      "Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close";
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost:${served.port}\r\n${"a:b\r\n".repeat(2500)}`;
    expect(await raw(served.port, `${head}${origin}\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 403 /);
  });

  it.each<[fields: string, statuses: string[]]>([
    ["Content-Type: application/json\r\nContent-Length: 21", ["100", "200"]],
    ["Content-Type: application/json\r\nContent-Length: 99999", ["413"]],
    ["Content-Type: text/plain\r\nContent-Length: 21", ["415"]],
    ["Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 21", ["415"]],
    ["Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 21", ["415"]],
    ["Content-Type: application/json\r\nContent-Encoding: , identity\r\nContent-Length: 21", ["100", "200"]],
  ])("is told to go on only where its body is read (RFC 9110 §10.1.1): %j", async (fields, statuses) => {
    const head = `POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${fields}\r\n`;
    const close = statuses.length > 1 ? "Connection: close\r\n" : "";
    const reply = await raw(served.port, `${head}${close}\r\n{"expression":"taxi"}`);
    expect([...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual(statuses);
    expect(reply).toMatch(/\r\nConnection: close\r\n/i);
  });

  it("closes the connection where a body is held back that it will not read", async () => {
    const head = "POST /robots.txt HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 21\r\n\r\n";
    expect(await raw(served.port, head)).toMatch(/^HTTP\/1\.1 405 [^]*\r\nConnection: close\r\n/);
  });

  // If the connection is closed with the answer, this is EPIPE, and nginx in front answers 502.
  it("gets the refusal of a body that is too large while it still sends it (RFC 9112 §9.6)", async () => {
    const head = "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const socket = net.connect({ port: served.port, host: "127.0.0.1", allowHalfOpen: true }).setEncoding("utf8");
    const closed = once(socket, "close");
    let reply = "";
    socket.on("data", (text: string) => (reply += text));
    socket.write(`${head}Content-Length: 100000\r\n\r\n`);
    await once(socket, "end");
    for (let i = 0; i < 10; i++) {
      socket.write("x".repeat(10_000));
      await sleep(5);
    }
    socket.end();
    await closed;
    expect(reply).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/);
  });

  it.each(["", ", ,"])("expects nothing by an Expect field of no element (RFC 9110 §5.6.1): %j", async (field) => {
    const request = `GET /robots.txt HTTP/1.1\r\nHost: x\r\nExpect: ${field}\r\nConnection: close\r\n\r\n`;
    expect(await raw(served.port, request)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ["http://example.org/api/v1/concepts/N-TAXI?x", /^HTTP\/1.1 200 OK/],
    ["http://example.org", /^HTTP\/1.1 200 OK[^]*<h1>/],
    ["http://example.org/nope", /^HTTP\/1.1 404 /],
  ])("accepts the absolute form of a request target (RFC 9112 §3.2.2): %s", async (target, answer) => {
    const fields = "Host: example.org\r\nConnection: close\r\n\r\n";
    expect(await raw(served.port, `GET ${target} HTTP/1.1\r\n${fields}`)).toMatch(answer);
  });

  it("is answered in order when requests are pipelined, and after a refused body", async () => {
    const post = (body: string, close = ""): string =>
      `POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${close}\r\n${body}`;
    const replies = await raw(
      served.port,
      post('{"expression":"taxi"}') + post("{") + post('{"expression":"x"}', "Connection: close\r\n"),
    );
    expect(replies.match(/"code":"[\w-]+"/g)).toEqual(['"code":"N-TAXI"', '"code":"invalid_json"', '"code":"N-SHORT"']);
  });

  it.each([
    [
      "a resolution",
      "POST /api/v1/resolve HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 21\r\n",
      '{"expression":"taxi"}',
    ],
    ["a filtered list", "GET /api/v1/concepts?q=name HTTP/1.1\r\n", ""],
    [
      "the deployment identity, which reads files",
      "GET /.well-known/service-semantics-deployment.json HTTP/1.1\r\n",
      "",
    ],
  ])("gets %s although it has closed its half (RFC 9293 §3.6)", async (_what, head, body) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => halfClosed(served.port, `${head}Host: localhost\r\n\r\n${body}`)),
    );
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 200"]));
  });

  it("gets the answers that are due before the refusal of what follows", async () => {
    const body = '{"expression":"taxi"}';
    const post = `POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const list = "GET /api/v1/concepts?q=name HTTP/1.1\r\nHost: x\r\n\r\n";
    const replies = await raw(served.port, `${post}${list}${post}GARBAGE\r\n\r\n`);
    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
  });

  it("loses no answer before a syntax error, whatever the client sends after it, and however late it reads", async () => {
    const kit = "GET /api/v1/integration-studio/kit/clarification.zip HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const body = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    // Two kits are more than a socket holds.
    const pieces = [`${kit}${kit}POST /mcp HTTP/1.1\r\nHost: localhost\r\n${body}`, "OPTIONS / HTTP/1.1\r\n\r\n", "x"];
    const { length } = await halfClosed(served.port, pieces[0] ?? "");
    const lengths: number[] = [];
    for (let i = 0; i < 20; i++) lengths.push(await readLate(served.port, pieces, i % 4));
    expect(lengths).toEqual(lengths.map(() => length));
  });

  it("is cut off when its fields or its body do not arrive in time, with the envelope", async () => {
    const post = "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const slow = ["GET /api/v1/status HTTP/1.1\r\nHost: x\r\n", `${post}Content-Length: 100\r\n\r\n{`];
    const release = openRelease(directory);
    const { port, close } = await listen(release, { limits: IMPATIENT });
    for (const reply of await Promise.all(slow.map((text) => raw(port, text)))) {
      expect(reply).toMatch(/^HTTP\/1.1 408 [\s\S]*"request_timeout"/);
    }
    await close();
    release.close();
    const broken = await raw(served.port, `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`);
    expect(broken).toMatch(/^HTTP\/1.1 400 [\s\S]*"invalid_http"/);
  });

  it.each([
    ["a body after 405", "PUT /robots.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "405"],
    ["a body after 404", "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "404"],
    ["a body after 408", "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n", "408"],
    ["garbage after 400", "GARBAGE\r\n\r\n", "400"],
  ])("is ended in time, but not at once, where it goes on sending %s (RFC 9112 §9.6)", async (_what, sent, status) => {
    const release = openRelease(directory);
    const { port, close } = await listen(release, { limits: IMPATIENT });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setEncoding("utf8");
    const dripping = setInterval(() => socket.write("x"), 10);
    try {
      const closed = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
      let reply = "";
      socket.on("data", (text: string) => (reply += text));
      socket.write(sent);
      await once(socket, "end");
      await until(() => vi.getTimerCount() > 0);
      vi.advanceTimersByTime(IMPATIENT.requestMs - 1);
      await sleep(50);
      expect([reply.slice(9, 12), socket.writable]).toEqual([status, true]);
      vi.advanceTimersByTime(1);
      await closed;
      expect(warned).not.toHaveBeenCalled();
    } finally {
      clearInterval(dripping);
      vi.useRealTimers();
      vi.restoreAllMocks();
      await close();
      release.close();
    }
  }); // prettier-ignore

  it("never sees what others sent: expressions and credentials reach no log", async () => {
    const secret = "s3cr3t";
    await fetch(`http://127.0.0.1:${served.port}/api/v1/resolve`, {
      method: "POST",
      body: secret,
      headers: { authorization: secret, "content-type": "application/json" },
    });
    await fetch(`http://127.0.0.1:${served.port}/api/v1/concepts?q=${secret}`);
    expect(served.stderr() + served.stdout()).not.toContain(secret);
  });
});
