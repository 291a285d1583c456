/**
 * `srs mcp` by the protocol's official client, in both eras: the tool, the documents and the
 * prompts of `POST /mcp`, of an open release and of a running service. What cannot be asked is an
 * error, never an abstention.
 */
import { spawn, spawnSync } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { Client, InMemoryTransport, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Ask, askOrigin, askRelease } from "../../../generator/tools/query/commands/mcp-ask.ts";
import { messageLines } from "../../../generator/tools/query/commands/mcp-lines.ts";
import { serveStdio } from "../../../generator/tools/query/commands/mcp-stdio.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import { runHere } from "../../support/command.ts";
import { starterRegistry } from "../../support/documents.ts";
import {
  CAPABILITIES_KEY,
  CLIENT_KEY,
  mcpRequest,
  type Members,
  post,
  VERSION,
  VERSION_KEY,
} from "../../support/mcp.ts";
import { project } from "../../support/project.ts";
import { serviceFor } from "../../support/service.ts";
import { listening } from "../../support/free-port.ts";

const TOOL = "resolve_service_semantics";
const ERAS = [
  { mode: "legacy", revision: "2025-11-25" },
  { mode: "auto", revision: "2026-07-28" },
] as const;
type Mode = (typeof ERAS)[number]["mode"];

const registry = starterRegistry();
const service = serviceFor(() => registry);

const newClient = (mode: Mode): Client => new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } });

/** A client of this process; its server has ended when the test ends. */
async function connect(ask: Ask, mode: Mode): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = newClient(mode);
  const ended = serveStdio(ask, there);
  await client.connect(here);
  onTestFinished(async () => {
    await client.close();
    expect(await ended).toBe(0);
  });
  return client;
}

const ofRelease = (): Ask => askRelease(service.release);
const ofService = (): Ask => askOrigin(`http://127.0.0.1:${service.port}`);
const call = (client: Client, given: Record<string, unknown>) => client.callTool({ name: TOOL, arguments: given });

describe.each(ERAS)("srs mcp, asked for $revision", ({ mode, revision }) => {
  it.each([
    { of: "a release", ask: ofRelease },
    { of: "a running service", ask: ofService },
  ])("M15 M27: offers what POST /mcp offers, of $of", async ({ ask }) => {
    const client = await connect(ask(), mode);
    const { mcp, documents, manifest } = service.release;
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect([client.getServerVersion(), client.getInstructions()]).toEqual([mcp.serverInfo, mcp.instructions]);
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect((await client.listTools()).tools).toEqual(mcp.tools);
    const { resources } = await client.listResources();
    expect(resources).toEqual(mcp.resources);
    for (const { uri, mimeType } of resources) {
      const text = new TextDecoder().decode(documents.get(uri.slice(manifest.origin.length)));
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType, text }]);
    }
    const { prompts } = await client.listPrompts();
    // The client leaves out the titles of arguments.
    expect(mcp.prompts).toMatchObject(prompts);
    for (const { name } of prompts) {
      const [message] = (await client.getPrompt({ name, arguments: { expression: "Grüße 😀" } })).messages;
      expect(message?.content).toMatchObject({ text: expect.stringContaining("Grüße 😀") as string });
    }
  });

  it.each([
    { of: "a release", ask: ofRelease },
    { of: "a running service", ask: ofService },
  ])("M15 M21: refuses what POST /mcp refuses, of $of", async ({ ask }) => {
    const client = await connect(ask(), mode);
    expect(await call(client, { expression: "" })).toMatchObject({ isError: true });
    const refused = [
      client.callTool({ name: "unknown" }),
      client.readResource({ uri: "https://elsewhere.example/é" }),
      client.getPrompt({ name: "handle-abstention" }),
    ];
    const errors = (await Promise.allSettled(refused)).map(
      (one) => one.status === "rejected" && (one.reason as unknown),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^[^\n]+$/) as string });
    }
  });

  it("runs as a process for as long as its host does", async () => {
    const client = newClient(mode);
    const args = ["lib/generator/main.js", "mcp", "--out", service.release.directory];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: project, stderr: "inherit" }),
    );
    const given = { expression: "demande de remboursement", language: "fr" };
    expect((await call(client, given)).structuredContent).toEqual((await service.resolve(given)).json());
    await client.close();
  });
});

it("M15: answers every expression of the starter as REST does, every other one in its language", async () => {
  const client = await connect(ofRelease(), "legacy");
  const asked = ofRelease();
  const texts = [...registry.concepts].flatMap(({ expressions }) => expressions);
  expect(texts.length).toBeGreaterThan(10_000);
  const given = texts.map(({ expression, language }, i) => (i % 2 === 0 ? { expression, language } : { expression }));
  const differs = given.map(async (one, i) => {
    // Every 31st by the client, which passes on what it is given.
    const { content } =
      i % 31 === 0 ? await call(client, one) : await asked("tools/call", { name: TOOL, arguments: one });
    // What REST prints, by http/same-answers.test.ts.
    const rest = answerRequest(service.release.index, one);
    return rest.ok && isDeepStrictEqual(content, [{ type: "text", text: rest.envelope }]) ? [] : [one];
  });
  expect((await Promise.all(differs)).flat()).toEqual([]);
});

describe("srs mcp, sent lines", () => {
  interface Answer {
    readonly id: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: unknown };
  }

  /** What a process of its own answers, in the order in which it does. */
  function converse(sent: readonly string[]): Answer[] {
    const args = ["lib/generator/main.js", "mcp", "--out", service.release.directory];
    const ended = spawnSync(process.execPath, args, { cwd: project, input: `${sent.join("\n")}\n`, encoding: "utf8" });
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    return ended.stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as Answer); // prettier-ignore
  }

  const ping = (id: number): string => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
  const refused = (code: number, id: unknown = null, message: unknown = expect.any(String)) => ({
    id,
    error: { code, message },
  });

  it("M14 M25 O-63: answers each that is not a message with its error and goes on, also after one that is too long", () => {
    const cases: [string, Answer][] = [
      ["garbage", refused(-32700)],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', refused(-32700)],
      ["x".repeat(11_000_000), refused(-32700, null, "The message is too long")],
      [ping(1), { id: 1, result: {} }],
      ['{"jsonrpc":"1.0","id":7,"method":"ping"}', refused(-32600, 7)],
      ['{"jsonrpc":"2.0","id":"a"}', refused(-32600, "a")],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', refused(-32600)],
      // No number holds it exactly.
      ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', refused(-32600)],
      ["null", refused(-32600)],
      // JSON-RPC permits it, MCP does not.
      ['{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}', refused(-32600, 8, expect.stringContaining("MCP"))],
      // JSON has no such white space.
      ["\f", refused(-32700)],
      [`[${ping(2)}]`, refused(-32600)],
      [`${ping(3)}\r`, { id: 3, result: {} }],
    ];
    // Neither an empty line nor a notification is answered.
    const sent = [
      "",
      " \t\r",
      ...cases.map(([line]) => line),
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      ping(4),
    ];
    const got = converse(sent);
    const expected = [...cases.map(([, answer]) => answer), { id: 4, result: {} }];
    const brief = ({ id, error, result }: Answer) => JSON.stringify([id, error?.code ?? result]);
    expect(got.map(brief).sort()).toEqual(expected.map(brief).sort());
    expect(got).toEqual(expect.arrayContaining(expected.map((answer) => ({ jsonrpc: "2.0", ...answer }))));
  });

  it("M10: refuses the metadata that POST /mcp refuses, in every message", async () => {
    const client = (name: string) => ({ [CLIENT_KEY]: { name, version: "1" } });
    const spoiled: [string, Members][] = [
      ["tools/list", { [VERSION_KEY]: "2025-06-18" }],
      ["server/discover", { [VERSION_KEY]: "2025-06-18" }],
      ["tools/list", { [VERSION_KEY]: VERSION, ...client("n".repeat(201)) }],
      ["tools/list", { [VERSION_KEY]: VERSION, [CAPABILITIES_KEY]: 1 }],
    ];
    const requests = spoiled.map(([method, meta], id) =>
      mcpRequest(method, {}, { meta, message: { id }, headers: { "MCP-Protocol-Version": String(meta[VERSION_KEY]) } }),
    );
    const good = mcpRequest("tools/list", {}, { message: { id: "good" }, meta: client("n".repeat(200)) });
    const got = converse([good, ...requests, good].map(({ body }) => String(body)));
    expect(got.filter(({ id }) => id === "good")).toMatchObject([{ result: {} }, { result: {} }]);
    const posted = await Promise.all(requests.map(async (request) => (await post(service, request)).json() as Answer));
    // Only a client of the service is told of this program, and of the guide.
    const short = posted.map(({ error, ...rest }) => {
      const message = String(error?.message).replace(/, which begins with server\/discover.*$/, "");
      return { ...rest, error: { ...error, message } };
    });
    expect(got.filter(({ id }) => id !== "good")).toEqual(short);
  });

  it("M06: has no other methods in the revision of POST /mcp", () => {
    const methods = ["subscriptions/listen", "ping", "resources/templates/list", "initialize"];
    const sent = methods.map((id) =>
      String(mcpRequest(id, { notifications: { toolsListChanged: true } }, { message: { id } }).body),
    );
    expect(converse(sent)).toMatchObject(methods.map((id) => ({ jsonrpc: "2.0", id, error: { code: -32601 } })));
  });

  it("refuses an initialize without its params in one line, and takes the next one", () => {
    const initialize = (id: number, params: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params }); // prettier-ignore
    const given = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const got = converse([initialize(1, {}), initialize(2, { ...given, capabilities: [] }), initialize(3, given)]);
    const error = { code: -32602, message: expect.stringMatching(/^The params of initialize are [^\n]+$/) as string };
    expect(got).toMatchObject([
      { id: 1, error },
      { id: 2, error },
      { id: 3, result: {} },
    ]);
  });

  it.each([
    { asked: "2025-11-25", offered: "2025-11-25" },
    { asked: "2025-06-18", offered: "2025-06-18" },
    // Its servers must take batches.
    { asked: "2025-03-26", offered: "2025-11-25" },
    { asked: "2024-11-05", offered: "2024-11-05" },
  ])("M25: offers a host that asks for $asked the revision $offered", async ({ asked, offered }) => {
    const [host, there] = InMemoryTransport.createLinkedPair();
    const ended = serveStdio(ofRelease(), there);
    const answered = new Promise((onmessage) => Object.assign(host, { onmessage }));
    await host.start();
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    await host.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect(await answered).toMatchObject({ id: 1, result: { protocolVersion: offered } });
    await host.close();
    expect(await ended).toBe(0);
  });

  it("reads lines that come in pieces", async () => {
    const input = Readable.from(["[", "]", "\na", "b\n\n", "c"].map((piece) => Buffer.from(piece)));
    const errors: string[] = [];
    const read = messageLines(input, { refusalOf: () => undefined, refuse: (error) => void errors.push(error) });
    expect(await textOf(read)).toBe("[]\n");
    expect(errors.map((error) => JSON.parse(error) as unknown)).toMatchObject([refused(-32700)]);
  });
});

describe("srs mcp --origin", () => {
  /** A server that passes discovery on, and answers everything else like this. */
  async function inFront(answer: RequestListener): Promise<string> {
    const server = createServer((request, response) => {
      if (request.headers["mcp-method"] !== "server/discover") return answer(request, response);
      const discovery = Promise.resolve(ofService()("server/discover", {}));
      void discovery.then((result) => response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result })));
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${await listening(server)}`;
  }

  const result = '{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[]}}';
  it.each<{ name: string; says: RegExp; answer: RequestListener }>([
    { name: "hangs up", says: /cannot be asked/, answer: (request) => request.socket.destroy() },
    { name: "is silent", says: /cannot be asked: .*timeout/, answer: () => undefined },
    { name: "redirects", says: /cannot be asked/, answer: (_, response) => response.writeHead(307, { location: "/" }).end() }, // prettier-ignore
    { name: "sends no end", says: /too large/, answer: (_, response) => void response.write(Buffer.alloc(17 << 20)) },
    { name: "is a page", says: /is not this service/, answer: (_, response) => response.end("<!doctype html>") },
    { name: "answers another request", says: /is not this service/, answer: (_, response) => response.end(result.replace("ID", "77")) }, // prettier-ignore
    { name: "is overloaded", says: /\/mcp refuses: slow down$/, answer: (_, response) => response.writeHead(429).end('{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"slow down"}}') }, // prettier-ignore
  ])("M21: is an error and no abstention where the service $name", async ({ says, answer }) => {
    // Only who is silent is waited for.
    const client = await connect(
      askOrigin(await inFront(answer), says.source.includes("timeout") ? 3000 : 60_000),
      "legacy",
    );
    await expect(call(client, { expression: "refund request" })).rejects.toThrow(says);
  });

  it.each<{ name: string; says: object; answer: RequestListener }>([
    { name: "answers late", says: { result: { content: [] } }, answer: (_, response) => response.end(result.replace("ID", "2")) }, // prettier-ignore
    { name: "hangs up late", says: { error: { code: -32603 } }, answer: (request) => request.socket.destroy() },
  ])("M21: answers what it read before its host ended, where the service $name", async ({ says, answer }) => {
    const origin = await inFront((...exchange) => void setTimeout(() => answer(...exchange), 300));
    const clientInfo = { name: "t", version: "1" };
    const sent = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: TOOL, arguments: { expression: "refund request" } } },
    ];
    const args = ["lib/generator/main.js", "mcp", "--origin", origin];
    const child = spawn(process.execPath, args, { cwd: project, stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end(sent.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
    const lines = (await textOf(child.stdout)).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ id: 1 }, { id: 2, ...says }]);
  });

  it("ends in one line where there is no service, and where both are named", async () => {
    const { code, stdout, stderr } = await runHere(["mcp", "--origin", "http://127.0.0.1:1"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^The service at http:\/\/127\.0\.0\.1:1 cannot be asked: .+\n$/);
    const both = await runHere(["mcp", "--origin", "http://127.0.0.1:1", "--out", path.join(project, "dist")]);
    expect(both).toEqual({ code: 2, stdout: "", stderr: "Use only one of --out and --origin\n" });
  });
});
