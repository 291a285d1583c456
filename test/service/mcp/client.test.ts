/**
 * `POST /mcp` by the protocol's official client, which knows nothing of us: what it asks for, what
 * it makes of the answers, and the settings it needs. Single messages, and what no client would
 * send, are tested over plain HTTP.
 */
import { execFile } from "node:child_process";
import path from "node:path";
import {
  Client,
  type FetchLike,
  ProtocolError,
  ResourceNotFoundError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { MCP_METHODS, MCP_PROTOCOL_VERSION } from "../../../runtime/contract/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { serviceFor } from "../../support/service.ts";

const TOOL = "resolve_service_semantics";
const OUR_SENTENCE = `supports only protocol version ${MCP_PROTOCOL_VERSION}`;

const service = serviceFor(() => checkedRegistry(nasty));

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The exchanges so far: the method in the header field, and the answer's status. */
  readonly exchanges: string[];
}

interface Settings {
  readonly negotiation?: VersionNegotiationOptions;
  /** Changes the text of each answer before the client reads it. */
  readonly change?: (body: string) => string;
}

/** A client that is not connected yet; it is closed when the test ends. */
function makeClient({ negotiation, change = (body) => body }: Settings): Connection {
  const exchanges: string[] = [];
  const watched: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const method = new Headers(init?.headers).get("mcp-method") ?? "none";
    exchanges.push(`${init?.method} ${method} ${response.status}`);
    expect([...response.headers.keys()]).not.toContain("mcp-session-id");
    return new Response(change(await response.text()), { status: response.status, headers: response.headers });
  };
  const client = new Client(
    { name: "test", version: "1.0.0" },
    negotiation === undefined ? {} : { versionNegotiation: negotiation },
  );
  const url = new URL(`http://127.0.0.1:${service.port}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { fetch: watched });
  onTestFinished(() => client.close());
  return { client, transport, exchanges };
}

async function connect(settings: Settings): Promise<Connection> {
  const connection = makeClient(settings);
  await connection.client.connect(connection.transport);
  return connection;
}

/** What a call that must fail was refused with. */
async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable("The call succeeded"),
    (error: unknown) => error,
  );
}

const negotiations: readonly { readonly name: string; readonly negotiation: VersionNegotiationOptions }[] = [
  { name: "automatic", negotiation: { mode: "auto" } },
  { name: "pinned", negotiation: { mode: { pin: MCP_PROTOCOL_VERSION } } },
];

describe.each(negotiations)("the official client, $name", ({ negotiation }) => {
  it("A16 M17: learns the version and what there is from its first request, and gets no session", async () => {
    const { client, transport, exchanges } = await connect({ negotiation });
    expect(exchanges).toEqual(["POST server/discover 200"]);
    expect(client.getProtocolEra()).toBe("modern");
    expect(client.getNegotiatedProtocolVersion()).toBe(MCP_PROTOCOL_VERSION);
    expect(client.getServerVersion()).toMatchObject({
      name: "example.registry/semantic-resolution-service",
      websiteUrl: ORIGIN,
    });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(client.getInstructions()).toContain(TOOL);
    expect(client.getDiscoverResult()?.supportedVersions).toEqual([MCP_PROTOCOL_VERSION]);
    expect((await client.discover()).supportedVersions).toEqual([MCP_PROTOCOL_VERSION]);
    expect(transport.sessionId).toBeUndefined();
  });

  it("M15: gets 200 from each of the seven methods", async () => {
    const { client, exchanges } = await connect({ negotiation });
    const { tools } = await client.listTools();
    await client.callTool({ name: tools[0]?.name ?? "", arguments: { expression: "poison" } });
    const { resources } = await client.listResources();
    await client.readResource({ uri: resources[0]?.uri ?? "" });
    const { prompts } = await client.listPrompts();
    await client.getPrompt({ name: prompts[0]?.name ?? "", arguments: { expression: "poison" } });
    expect(exchanges).toEqual(MCP_METHODS.map((method) => `POST ${method} 200`));
  });

  it("M18: lists the one tool, and keeps the list as long as it may", async () => {
    const { client, exchanges } = await connect({ negotiation });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([TOOL]);
    expect((await client.listTools()).tools).toEqual(tools);
    expect(exchanges.filter((exchange) => exchange.includes("tools/list"))).toHaveLength(1);
  });

  it.each([
    { name: "resolved", given: { expression: "poison" }, status: "resolved", reason: null },
    { name: "in its language", given: { expression: "Bank", language: "de-AT" }, status: "resolved", reason: null },
    { name: "in another", given: { expression: "bank", language: "de" }, reason: "language_not_matched" },
    { name: "abstained", given: { expression: "nobody has reviewed this" }, reason: "no_reviewed_exact_match" },
    { name: "ambiguous", given: { expression: "bank" }, reason: "ambiguous_expression" },
    { name: "only near", given: { expression: "sort of" }, reason: "equivalence_not_exact" },
    { name: "of astral characters", given: { expression: "😀" }, status: "resolved", reason: null },
  ])(
    "M15: gets from the tool what POST /api/v1/resolve answers: $name",
    async ({ given, reason, status = "abstained" }) => {
      const { client } = await connect({ negotiation });
      // With the list at hand the client holds each structured answer against the tool's
      // outputSchema, and throws.
      await client.listTools();
      const { structuredContent, content, isError } = await client.callTool({ name: TOOL, arguments: given });
      expect(isError).toBe(false);
      expect(structuredContent).toEqual((await service.resolve(given)).json());
      expect(structuredContent).toMatchObject({ data: { status, reason } });
      expect(content).toHaveLength(1);
      const [block] = content;
      expect(block?.type === "text" ? JSON.parse(block.text) : block).toEqual(structuredContent);
    },
  );

  it("refuses an answer that breaks the outputSchema: its validation is not blind", async () => {
    const change = (body: string): string => body.replace('"margin":null},"error"', '"margin":"wide"},"error"');
    const { client } = await connect({ negotiation, change });
    await client.listTools();
    const refusal = await refusalOf(client.callTool({ name: TOOL, arguments: { expression: "poison" } }));
    expect(refusal).toBeInstanceOf(ProtocolError);
    expect(String(refusal)).toContain("output schema");
  });

  it.each([{ expression: "" }, { expression: "x".repeat(1001) }, { expression: "poison", more: 1 }, {}])(
    "M15: is told by the tool what is wrong with %j",
    async (given: Record<string, unknown>) => {
      const { client } = await connect({ negotiation });
      await client.listTools();
      const { structuredContent, content, isError } = await client.callTool({ name: TOOL, arguments: given });
      expect([isError, structuredContent]).toEqual([true, undefined]);
      const [block] = content;
      expect(block?.type === "text" ? block.text : "").toMatch(/^[^\n]+$/);
    },
  );

  it("M15 M27: reads every resource that is listed, as its address serves it", async () => {
    const { client } = await connect({ negotiation });
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(5);
    for (const { uri, mimeType, size } of resources) {
      const { contents } = await client.readResource({ uri });
      const served = await service.send("GET", uri.slice(ORIGIN.length));
      expect(contents).toEqual([{ uri, mimeType, text: served.body.toString() }]);
      expect(served.headers["content-type"]).toContain(mimeType);
      expect(served.body).toHaveLength(size ?? -1);
    }
  });

  it("M15 M27: gets every prompt that is listed, with all of its arguments and with the required ones", async () => {
    const { client } = await connect({ negotiation });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["resolve-at-durable-boundary", "handle-abstention"]);
    for (const { name, description, arguments: declared = [] } of prompts) {
      const required = declared.filter((argument) => argument.required === true);
      expect(required).not.toEqual([]);
      for (const used of [declared, required]) {
        const given = Object.fromEntries(used.map((argument) => [argument.name, `given as ${argument.name}`]));
        const prompt = await client.getPrompt({ name, arguments: given });
        expect(prompt.description).toBe(description);
        expect(prompt.messages).toHaveLength(1);
        const [message] = prompt.messages;
        const text = message?.content.type === "text" ? message.content.text : "";
        expect(JSON.parse(text.slice(text.lastIndexOf("\n\n{")))).toEqual(given);
      }
    }
  });

  it("knows a resource that is not there by its own error", async () => {
    const { client } = await connect({ negotiation });
    for (const uri of [`${ORIGIN}/nothing.txt`, "file:///etc/passwd", `${ORIGIN}/../registry.index`]) {
      const refusal = await refusalOf(client.readResource({ uri }));
      expect(refusal).toBeInstanceOf(ResourceNotFoundError);
      expect(refusal).toMatchObject({ code: -32602, uri });
    }
  });

  it("is refused an unknown tool, an unknown prompt, a prompt without what it needs and a made-up cursor", async () => {
    const { client } = await connect({ negotiation });
    const [prompt] = (await client.listPrompts()).prompts;
    const calls = [
      client.callTool({ name: "unknown", arguments: { expression: "poison" } }),
      client.getPrompt({ name: "unknown", arguments: { expression: "poison" } }),
      client.getPrompt({ name: prompt?.name ?? "", arguments: {} }),
      client.listTools({ cursor: "made up" }),
    ];
    for (const refusal of await Promise.all(calls.map(refusalOf))) {
      expect(refusal).toBeInstanceOf(ProtocolError);
      expect(refusal).not.toBeInstanceOf(ResourceNotFoundError);
      expect(refusal).toMatchObject({ code: -32602, message: expect.stringMatching(/^[^\n]+$/) as string });
    }
  });

  it("A16: needs no earlier call where it knows already what discovery says", async () => {
    const first = await connect({ negotiation });
    const discover = first.client.getDiscoverResult();
    if (discover === undefined) throw new Error("The client has kept no discovery");
    const { client, transport, exchanges } = makeClient({ negotiation });
    await client.connect(transport, { prior: { kind: "modern", discover } });
    const { structuredContent } = await client.callTool({ name: TOOL, arguments: { expression: "poison" } });
    expect(structuredContent).toMatchObject({ data: { concept: { code: "N-POISON" } } });
    expect(exchanges).toEqual(["POST tools/call 200"]);
  });
});

describe("the official client as it comes", () => {
  it("O-50: opens with initialize, and shows its user what to set: the version, another program, the guide", async () => {
    const { client, transport, exchanges } = makeClient({});
    const refusal = await refusalOf(client.connect(transport));
    expect(refusal).toBeInstanceOf(SdkHttpError);
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(OUR_SENTENCE) as string });
    for (const said of ["-32022", "server/discover", "srs mcp", `${ORIGIN}/mcp-guide`])
      expect(String(refusal)).toContain(said);
    expect(exchanges).toEqual(["POST none 400"]);
  });

  it("pinned to a later version, is refused with the supported one", async () => {
    const { client, transport } = makeClient({ negotiation: { mode: { pin: "2027-01-01" } } });
    expect(String(await refusalOf(client.connect(transport)))).toContain(MCP_PROTOCOL_VERSION);
  });

  it("lists the tool by the lines of the manifest, as they are printed", async () => {
    const manifest = (await service.send("GET", "/mcp-server.json")).json() as {
      readonly clients: { readonly typescript: { readonly code: readonly string[] } };
    };
    const printed = manifest.clients.typescript.code.join("\n");
    expect(printed).toContain(`${ORIGIN}/mcp`);
    const code = printed.replace(ORIGIN, `http://127.0.0.1:${service.port}`);
    const project = path.resolve(import.meta.dirname, "../../..");
    const [error, stdout] = await new Promise<[Error | null, string]>((resolve) => {
      const args = ["--input-type=module", "--eval", code];
      execFile(process.execPath, args, { cwd: project }, (...outcome) => resolve([outcome[0], outcome[1]]));
    });
    expect(error).toBeNull();
    expect(stdout).toContain(TOOL);
  });
});

it("causes no fault in the service", () => {
  expect(service.faults).toEqual([]);
});
