/**
 * The load generator: 64 connections to each server with one request in flight on each. It takes
 * the servers in turn, in 50 ms slots of random order, and prints { rates, ratio }. It recognizes
 * the end of a response by its known length, so the client costs little.
 */
import net from "node:net";
import { MCP_PROTOCOL_VERSION, PROTOCOL_VERSION_KEY } from "../runtime/contract/mcp.ts";
import { sha256 } from "../runtime/http/digest.ts";
import { openRelease } from "../runtime/release/release.ts";
import { median } from "./median.ts";

/** Prerendered documents that all servers have; small, like most documents. */
const DOCUMENTS = ["/api/v1/agent/connect", "/api/v1/capabilities", "/agent-tool.json", "/mcp-server.json"];
const CONNECTIONS = 64;
const CYCLES = 80;
const SLOT_MS = 50;
const [route = "", out = "", ...ports] = process.argv.slice(2);

function requests(): Buffer[] {
  const { index, documents } = openRelease(out);
  if (route.startsWith("document")) {
    return DOCUMENTS.map((name) => {
      const tag = sha256(documents.get(name) ?? new Uint8Array());
      return get(name, route === "document, 304" ? `If-None-Match: "${tag}"\r\n` : "");
    });
  }
  const bundle = Buffer.from(index.read(index.sections.bundle)).toString().trimEnd().split("\n");
  const concepts = bundle.map(
    (line) => JSON.parse(line) as { code: string; expressions: { expression: string; language: string }[] },
  );
  if (route === "resolve" || route === "tools/call") {
    return concepts
      .flatMap(({ expressions }) => expressions)
      .slice(0, 1000)
      .map(({ expression, language }, i) => (i % 2 === 0 ? { expression } : { expression, language }))
      .map((request, id) => (route === "resolve" ? post("/api/v1/resolve", request) : call(id, request)));
  }
  return concepts.map(({ code }, id) => {
    const digest = Buffer.from(index.concept(id).detailDigest).toString("hex");
    const condition = route === "concept, 304" ? `If-None-Match: "${digest}"\r\n` : "";
    return get(`/api/v1/concepts/${code}`, condition);
  });
}

function post(target: string, value: unknown, fields = ""): Buffer {
  const body = JSON.stringify(value);
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}Content-Length: ${length}\r\n\r\n${body}`,
  );
}

function call(id: number, request: unknown): Buffer {
  const name = "resolve_service_semantics";
  const meta = { [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION, "io.modelcontextprotocol/clientCapabilities": {} };
  const params = { name, arguments: request, _meta: meta };
  const fields = { "MCP-Protocol-Version": MCP_PROTOCOL_VERSION, "Mcp-Method": "tools/call", "Mcp-Name": name };
  const lines = Object.entries({ ...fields, Accept: "application/json, text/event-stream" });
  const head = lines.map(([field, value]) => `${field}: ${value}\r\n`).join("");
  return post("/mcp", { jsonrpc: "2.0", id, method: "tools/call", params }, head);
}

function get(target: string, fields: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
}

function connect(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net
      .connect(port, "127.0.0.1", () => resolve(socket))
      .setNoDelay()
      .on("error", reject);
  });
}

/** Sends one request and returns the length of its response once that is complete. */
function exchange(socket: net.Socket, request: Buffer, expected?: number): Promise<number> {
  return new Promise((resolve) => {
    let size = 0;
    const parts: Buffer[] = [];
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      let whole = expected;
      if (whole === undefined) {
        parts.push(chunk);
        const text = Buffer.concat(parts).toString("latin1");
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        if (length !== undefined) whole = end + 4 + Number(length);
        else if (text.startsWith("HTTP/1.1 304")) whole = end + 4;
        else if (text.endsWith("\r\n0\r\n\r\n")) whole = size;
        else return;
      }
      if (size < whole) return;
      socket.off("data", onData);
      resolve(size);
    };
    socket.on("data", onData);
    socket.write(request);
  });
}

const all = requests();
const known = await Promise.all(
  ports.map(async (port) => {
    const socket = await connect(Number(port));
    const lengths: number[] = [];
    for (const request of all) lengths.push(await exchange(socket, request));
    socket.destroy();
    return { port, lengths };
  }),
);
// Not earlier: on a busy machine a server would close connections that are idle for that long.
const servers = await Promise.all(
  known.map(async ({ port, lengths }) => {
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(Number(port))));
    return { sockets, lengths, next: 0, completed: 0, seconds: 0, rates: [] as number[] };
  }),
);

// The client never sleeps, because waking it for each answer would cost the server time.
let running = true;
const stayAwake = (): void => void (running && setImmediate(stayAwake));
stayAwake();
for (let cycle = -10; cycle < CYCLES; cycle++) {
  const order = servers.map((server) => ({ server, at: Math.random() })).sort((a, b) => a.at - b.at);
  for (const { server } of order) {
    const started = performance.now();
    let completed = 0;
    await Promise.all(
      server.sockets.map(async (socket) => {
        while (performance.now() - started < SLOT_MS) {
          const i = server.next++ % all.length;
          await exchange(socket, all[i] as Buffer, server.lengths[i]);
          completed++;
        }
      }),
    );
    // The first slots warm the servers up.
    if (cycle < 0) continue;
    const seconds = (performance.now() - started) / 1000;
    server.completed += completed;
    server.seconds += seconds;
    server.rates.push(completed / seconds);
  }
}
running = false;
for (const { sockets } of servers) for (const socket of sockets) socket.destroy();
const rates = servers.map((server) => median(server.rates));
const [first = 0, second = 1] = servers.map(({ completed, seconds }) => completed / seconds);
const ratio = first / second;
process.stdout.write(JSON.stringify({ rates, ratio }));
