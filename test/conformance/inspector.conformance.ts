/**
 * `POST /mcp` used from the command line of the MCP Inspector, as an operator would look at it:
 * each line ends with the exit code its manual gives (0 done, 1 refused, 5 the tool says no or is
 * not there, 6 a schema that is not portable).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCP_PROTOCOL_VERSION } from "../../runtime/contract/mcp.ts";
import { nasty } from "../support/nasty.ts";
import { execute, npx, type Outcome, reasonToSkip } from "../support/npx.ts";
import { proxy } from "../support/proxy.ts";
import { checkedRegistry } from "../support/registry.ts";
import { ORIGIN } from "../support/release.ts";
import { serviceFor } from "../support/service.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const TOOL = "resolve_service_semantics";

/** The Inspector keeps files in the home folder of its user: here in one that is thrown away. */
const home = mkdtempSync(path.join(tmpdir(), "inspector-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const npmCache = process.env["npm_config_cache"] ?? path.join(homedir(), ".npm");
const npmConfig = process.env["npm_config_userconfig"] ?? path.join(homedir(), ".npmrc");
const atHome = {
  cwd: home,
  // Those of npm are of the true home folder.
  env: { HOME: home, npm_config_cache: npmCache, npm_config_userconfig: npmConfig },
};

function inspector(args: readonly string[]): Promise<Outcome> {
  return npx(INSPECTOR, ["mcp-inspector", "--cli", ...args], atHome);
}

const noInspector = reasonToSkip(INSPECTOR, await inspector(["--version"]), "once (110 MB)") !== undefined;
// Where all is skipped, afterAll is too.
if (noInspector) rmSync(home, { recursive: true });

/** What is printed on success. */
interface Printed {
  readonly result: {
    readonly serverInfo?: { readonly name: string; readonly websiteUrl: string };
    readonly protocolVersion?: string;
    readonly capabilities?: unknown;
    readonly instructions?: string;
    readonly tools?: readonly { readonly name: string }[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly contents?: readonly { readonly uri: string; readonly text: string }[];
    readonly messages?: readonly { readonly content: { readonly text: string } }[];
  };
}

interface Listing {
  readonly result?: { readonly tools?: readonly { readonly inputSchema: { properties: Record<string, unknown> } }[] };
}

function resultOf({ stdout }: Outcome): Printed["result"] {
  return (JSON.parse(stdout) as Printed).result;
}

const MODERN = ["--protocol-era", "modern"];
const OUTPUT = ["--stored-auth-only", "-q", "--format", "json"];

describe.skipIf(noInspector)("the MCP Inspector", () => {
  const service = serviceFor(() => checkedRegistry(nasty));

  function ask(
    args: readonly string[],
    era: readonly string[] = MODERN,
    port: number = service.port,
  ): Promise<Outcome> {
    return inspector([`http://127.0.0.1:${port}/mcp`, "--transport", "http", ...era, ...OUTPUT, ...args]);
  }

  function call(name: string, given: unknown): Promise<Outcome> {
    return ask(["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)]);
  }

  it("discovers the service", async () => {
    const outcome = await ask(["--method", "initialize"]);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(resultOf(outcome)).toMatchObject({
      serverInfo: { name: "example.registry/semantic-resolution-service", websiteUrl: ORIGIN },
      protocolVersion: MCP_PROTOCOL_VERSION,
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: expect.stringContaining(TOOL) as string,
    });
  });

  it("lists the one tool, and has nothing to say about its schemas", async () => {
    const outcome = await ask(["--method", "tools/list", "--strict"]);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stderr).not.toMatch(/Warning|Error/);
    expect(resultOf(outcome).tools?.map(({ name }) => name)).toEqual([TOOL]);
  });

  it("refuses a schema that is not portable: it is not blind", async () => {
    const port = await proxy(service, {
      answer: (made) => {
        for (const { inputSchema } of (made.message as Listing).result?.tools ?? [])
          inputSchema.properties["expression"] = true;
        return made;
      },
    });
    const outcome = await ask(["--method", "tools/list", "--strict"], MODERN, port);
    expect(outcome.code, outcome.stderr).toBe(6);
  });

  // Every method and every refusal by the client inside the Inspector:
  // test/service/mcp/client.test.ts.
  it("calls the tool, and ends with 5 where it refuses", async () => {
    const given = { expression: "Bank", language: "de-AT" };
    const outcome = await call(TOOL, given);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(resultOf(outcome)).toMatchObject({
      structuredContent: (await service.resolve(given)).json(),
      isError: false,
    });
    expect((await call(TOOL, { expression: "" })).code).toBe(5);
  });

  it("ends with 1 for an unknown resource, and shows why", async () => {
    const outcome = await ask(["--method", "resources/read", "--uri", `${ORIGIN}/nothing`]);
    expect(outcome.code, outcome.stderr).toBe(1);
    expect(outcome.stderr).toContain("There is no such resource");
  });

  it("finds the version by itself where it may", async () => {
    const outcome = await ask(["--method", "tools/list"], ["--protocol-era", "auto"]);
    expect(outcome.code, outcome.stderr).toBe(0);
  });

  it("as it comes opens with initialize, and shows its user what to set", async () => {
    const outcome = await ask(["--method", "tools/list"], []);
    expect(outcome.code, outcome.stderr).toBe(1);
    for (const said of [
      `supports only protocol version ${MCP_PROTOCOL_VERSION}`,
      "server/discover",
      "srs mcp",
      `${ORIGIN}/mcp-guide`,
    ])
      expect(outcome.stderr).toContain(said);
  });

  describe("with what the manifest prints", () => {
    let clients: {
      readonly inspector: string;
      readonly configuration: { readonly inspector: { readonly mcpServers: Record<string, unknown> } };
    };
    beforeAll(async () => {
      const text = (await service.send("GET", "/mcp-server.json")).body.toString();
      const here = text.replaceAll(`${ORIGIN}/mcp`, `http://127.0.0.1:${service.port}/mcp`);
      clients = (JSON.parse(here) as { clients: typeof clients }).clients;
    });

    it("lists the tool by the printed command", async () => {
      expect(clients.inspector).toContain(`127.0.0.1:${service.port}`);
      const outcome = await execute("sh", ["-c", clients.inspector], atHome);
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(outcome.stdout).toContain(TOOL);
    });

    it("lists the tool by the printed configuration", async () => {
      const file = path.join(home, "mcp.json");
      writeFileSync(file, JSON.stringify(clients.configuration.inspector));
      const [name = ""] = Object.keys(clients.configuration.inspector.mcpServers);
      const args = ["--config", file, "--server", name, ...OUTPUT, "--method", "tools/list"];
      const outcome = await inspector(args);
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(resultOf(outcome).tools?.map((tool) => tool.name)).toEqual([TOOL]);
    });
  });

  describe.each([
    { era: "legacy", protocolVersion: "2025-11-25" },
    { era: "modern", protocolVersion: MCP_PROTOCOL_VERSION },
  ])("over standard input and output, $era", ({ era, protocolVersion }) => {
    const program = path.resolve(import.meta.dirname, "../../lib/generator/main.js");
    function askProcess(...args: string[]): Promise<Outcome> {
      const server = [process.execPath, program, "mcp", "--out", service.release.directory];
      return inspector([...server, "--transport", "stdio", "--protocol-era", era, ...OUTPUT, ...args]);
    }

    it("discovers the service, and has nothing to say about its schemas", async () => {
      const outcome = await askProcess("--method", "initialize");
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(resultOf(outcome)).toMatchObject({ protocolVersion, serverInfo: { websiteUrl: ORIGIN } });
      const list = await askProcess("--method", "tools/list", "--strict");
      expect([list.code, resultOf(list).tools?.length], list.stderr).toEqual([0, 1]);
    });

    it("calls the tool, reads a document and gets a prompt", async () => {
      const given = { expression: "Bank", language: "de-AT" };
      const called = await askProcess("--method", "tools/call", "--tool-name", TOOL, "--tool-args-json", JSON.stringify(given)); // prettier-ignore
      expect(resultOf(called).structuredContent).toEqual((await service.resolve(given)).json());
      const uri = `${ORIGIN}/agent-instructions.txt`;
      const text = (await service.send("GET", "/agent-instructions.txt")).body.toString();
      expect(resultOf(await askProcess("--method", "resources/read", "--uri", uri)).contents).toMatchObject([{ text }]);
      const prompt = ["--prompt-name", "handle-abstention", "--prompt-args", "expression=poison"];
      const { messages } = resultOf(await askProcess("--method", "prompts/get", ...prompt));
      expect(messages?.[0]?.content.text).toContain('"expression": "poison"');
    });
  });

  it("causes no fault in the service", () => {
    expect(service.faults).toEqual([]);
  });
});
