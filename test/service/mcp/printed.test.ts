/**
 * What the guide, docs/http.md and the manifest print for somebody to copy does what they say, run
 * as it is printed against a release whose origin is the address it is served at; and the numbers,
 * names and codes in their prose are those of the code. Lines for npx are run by
 * inspector.conformance.ts, the manifest's TypeScript lines by client.test.ts.
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCP_METHODS, MCP_PROTOCOL_VERSION, type MCPDefinition } from "../../../runtime/contract/mcp.ts";
import * as limits from "../../../runtime/contract/limits.ts";
import { fromProblem, type McpError, mcpError } from "../../../runtime/mcp/error.ts";
import { MAX_AGE_SECONDS } from "../../../runtime/contract/policy.ts";
import { type ProblemCode, problem, problems } from "../../../runtime/contract/problem.ts";
import { folder } from "../../support/command.ts";
import { PROGRAM } from "../../../generator/effects/closure.ts";
import { identityCheck } from "../../../runtime/release/identity-check.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { copyStarter, project } from "../../support/project.ts";
import { registryIn } from "../../support/registry.ts";
import { type Listening, listen } from "../../support/service.ts";
import { textOf } from "../../support/markup.ts";
import { VERSION } from "../../support/mcp.ts";
import { execute } from "../../support/npx.ts";
import { buildInto } from "../../support/build.ts";
import { freePort } from "../../support/free-port.ts";

const read = (file: string): string => readFileSync(path.join(project, file), "utf8");
const guide = read("content/guides/mcp-guide.md");
const connect = sectionOf(read("docs/http.md"), "## Connect an agent by MCP");

const VALUES: Readonly<Record<string, string>> = {
  EXPRESSION: "security breach",
  LANGUAGE: "en",
  SERVER_NAME: "semantic-resolution-service",
};

interface Block {
  readonly language: string;
  readonly text: string;
}

interface Manifest {
  readonly clients: {
    readonly typescript: { readonly install: string };
    readonly inspector: string;
    readonly curl: string;
    readonly configuration: Readonly<Record<string, unknown>>;
  };
}

let origin: string;
let directory: string;
let release: Release;
let served: Listening;
let manifest: Manifest;
let definition: MCPDefinition;
/** The blocks of code in the guide as it is served. */
let blocks: readonly Block[];
let page: string;
/** What the program prints, as the guide says: a code and its registryVersion. */
let said: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  // Programs find their packages as if they were installed here, and curl its settings.
  directory = folder({ ".curlrc": String.raw`write-out = "\n%{http_code}"` });
  symlinkSync(path.join(project, "node_modules"), path.join(directory, "node_modules"));
  const out = path.join(directory, "dist");
  // What the guide and docs/http.md ask for, and one more.
  const few = path.join(directory, "registry");
  copyStarter(few, ["incidents/C-2B3B8H", "support/C-DFM7YZ", "billing/C-85JMHQ"]);
  await buildInto(out, registryIn(few), { origin });
  definition = JSON.parse(readFileSync(path.join(out, "mcp.json"), "utf8")) as MCPDefinition;
  release = openRelease(out);
  const identity = identityCheck(release, { now: () => performance.now() / 1000, project: PROGRAM });
  served = await listen(release, { port, identity });
  manifest = (await (await fetch(`${origin}/mcp-server.json`)).json()) as Manifest;
  page = await (await fetch(`${origin}/mcp-guide`)).text();
  said = /such as <code>(C-\S+ \S+)<\/code>/.exec(page)?.[1] ?? "";
  blocks = [
    ...page.matchAll(/<pre tabindex="0"><code(?: class="language-(\w+)")? data-copy>(.*?)<\/code><\/pre>/gs),
  ].map(([, language = "", markup = ""]) => ({
    language,
    text: `${textOf(markup.replaceAll(/<\/?span[^>]*>/g, ""))}\n`,
  }));
});
afterAll(async () => {
  await served.close();
  release.close();
  rmSync(directory, { recursive: true });
});

/** Runs a command as it is printed. */
async function shell(command: string): Promise<string> {
  const env = { CURL_HOME: directory, NO_PROXY: "*", no_proxy: "*" };
  const { code, stdout, stderr } = await execute("sh", ["-c", command], { cwd: directory, env });
  expect([command, code, stderr]).toEqual([command, 0, ""]);
  return stdout;
}

/** Runs a curl command and gives its output and the status, which .curlrc makes it print. */
async function curl(command: string): Promise<{ readonly status: number; readonly body: string }> {
  const stdout = await shell(command);
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}

/** Runs a curl command that posts to `/mcp` and gives the JSON-RPC result. */
async function resultOf(command: string): Promise<unknown> {
  const { status, body } = await curl(command);
  const { result, ...message } = JSON.parse(body) as Record<string, unknown>;
  expect([status, message]).toEqual([200, { jsonrpc: "2.0", id: expect.any(Number) as number }]);
  return result;
}

const DISCOVERY = {
  resultType: "complete",
  supportedVersions: [MCP_PROTOCOL_VERSION],
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions: expect.stringMatching(/./) as string,
};

/** Saves a program under a name and runs the command that runs it. */
function runProgram(name: string, text: string, command = `node ${name}`): Promise<string> {
  writeFileSync(path.join(directory, name), text);
  return shell(command);
}

/** The text from a heading to the next of any level. */
function sectionOf(text: string, heading: string): string {
  const [, after] = text.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`There is no heading ${heading}`);
  return after.split(/^##/m)[0] ?? "";
}

/** The rows of the one table below a heading of the guide, as cells. */
function rowsBelow(heading: string): string[][] {
  const lines = sectionOf(guide, heading).split("\n");
  const rows = lines.filter((line) => line.startsWith("|")).slice(2);
  expect(rows).not.toEqual([]);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What stands in backticks. */
function quoted(text = ""): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, inside = ""]) => inside);
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

const ofLanguage = (language: string): string[] =>
  blocks.filter((block) => block.language === language).map(({ text }) => text);

const commands = (program: string): string[] => ofLanguage("sh").filter((text) => text.startsWith(`${program} `));

describe("the guide", () => {
  it("has its blocks of code in the page as they are in its source, with address and example", () => {
    const source = [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
      language,
      text: text.replaceAll(/\$([A-Z_]+)/g, (_whole, name: string) => VALUES[name] ?? origin),
    }));
    expect(source.length).toBeGreaterThan(10);
    expect(blocks).toEqual(source);
  });

  it("has commands of four programs, each of which some test runs", () => {
    const programs = ["npm", "node", "npx", "curl"].map(commands);
    expect(programs.flat().toSorted()).toEqual(ofLanguage("sh").toSorted());
    expect(programs.map(({ length }) => length)).toEqual([1, 1, 4, 3]);
    expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual(["js", "json", "sh"]);
  });

  it("discovers and resolves with curl", async () => {
    const [discovery = "", call = ""] = commands("curl");
    expect(await resultOf(discovery)).toMatchObject(DISCOVERY);
    expect(await resultOf(call)).toMatchObject({
      isError: false,
      structuredContent: { data: { status: "resolved", concept: { code: said.split(" ")[0] } }, error: null },
    });
  });

  it("asks for the deployment identity with curl", async () => {
    const [, , identity = ""] = commands("curl");
    const [target = ""] = /\/\.well-known\/[\w.-]+/.exec(identity) ?? [];
    const { status, body } = await curl(identity);
    expect([target, status]).toEqual(["/.well-known/service-semantics-deployment.json", 200]);
    expect(body).toContain("HTTP/1.1 200 ");
    expect(body).toContain("X-Service-Semantics-Deployment-Identity: verified\r\n");
  });

  it("has a program that prints what it says", async () => {
    const [program = "", ...more] = ofLanguage("js");
    expect(more).toEqual([]);
    const [, name = ""] = /Save this as `([\w.]+)`/.exec(guide) ?? [];
    expect(await runProgram(name, program, commands("node")[0])).toBe(`${said}\n`);
  });

  it("has the configuration files of the manifest, under the names it gives them there", () => {
    const { configuration } = manifest.clients;
    const files = ofLanguage("json").map((text) => JSON.parse(text) as Record<string, unknown>);
    const configurations = files.filter((file) => !("jsonrpc" in file));
    expect(configurations).toEqual(Object.values(configuration));
    expect(Object.keys(configuration)).toEqual(["inspector", "mcpServers", "vsCode"]);
    expect(guide.match(/\bclients\.configuration\.\w+/g)).toEqual(
      Object.keys(configuration).map((name) => `clients.configuration.${name}`),
    );
    for (const file of configurations) expect(JSON.stringify(file)).toContain(`"url":"${origin}/mcp"`);
  });

  it("shows the answer to initialize", async () => {
    const [shown = "", ...more] = ofLanguage("json").filter((text) => text.includes('"jsonrpc"'));
    expect(more).toEqual([]);
    const params = { protocolVersion: "OLDER VERSION", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const reply = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
    });
    expect([reply.status, await reply.json()]).toEqual([400, JSON.parse(shown)]);
  });

  it("has a command for hosts that start programs, which answers initialize", async () => {
    const [, command = ""] = /<code>npx --no srs (.+?)<\/code>/.exec(page) ?? [];
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const program = path.join(project, "lib/generator/main.js");
    const answer = await shell(`echo '${initialize}' | node ${program} ${command}`);
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { protocolVersion: params.protocolVersion } });
  });

  it("names the methods, resources and prompts that there are", () => {
    expect(rowsBelow("## The seven methods").map(([name]) => quoted(name))).toEqual(MCP_METHODS.map((name) => [name]));
    const resources = rowsBelow("### Resources").map(([uri = ""]) => quoted(uri.replace("$ORIGIN", origin)));
    expect(resources).toEqual(definition.resources.map(({ uri }) => [uri]));
    const prompts = rowsBelow("### Prompts").map(([name, , ...given]) => [name, ...given].map(quoted));
    expect(prompts).toEqual(
      definition.prompts.map(({ name, arguments: all }) =>
        [[{ name }], all.filter(({ required }) => required), all.filter(({ required }) => !required)].map((each) =>
          each.map((argument) => argument.name),
        ),
      ),
    );
  });
});

describe("the table of errors in the guide", () => {
  /** The whole catalogue: a name that is missing here is an error of types. */
  const NAMES: Readonly<Record<Parameters<typeof mcpError>[0], true>> = {
    parse_error: true,
    invalid_request: true,
    forbidden: true,
    method_not_found: true,
    invalid_meta: true,
    invalid_params: true,
    internal_error: true,
    header_mismatch: true,
    unsupported_version: true,
  };
  /** Refusals before there is a message that have a place in the table. */
  const UNREAD: readonly ProblemCode[] = [
    "method_not_allowed",
    "request_timeout",
    "request_too_large",
    "unsupported_media_type",
    "rate_limited",
  ];
  const pairOf = ({ code, status }: McpError): string => `${code} ${status}`;

  it("has every code with every status, and no other", () => {
    const rows = rowsBelow("## Errors").flatMap(([code, , statuses = ""]) =>
      statuses.split(", ").map((status) => `${code} ${status}`),
    );
    const errors = Object.keys(NAMES).map((name) => mcpError(name as keyof typeof NAMES, "x"));
    const expected = [...errors, ...UNREAD.map((code) => fromProblem(problem(code)))];
    expect(rows.toSorted()).toEqual(expected.map(pairOf).toSorted());
  });

  it("leaves out only what the sentence below it says", () => {
    const others = problems.filter(({ code, status }) => !UNREAD.includes(code) && status < 500);
    expect(flat(guide)).toContain("Any other 4xx of HTTP has the code -32600 too.");
    expect(others.length).toBeGreaterThan(3);
    for (const each of others) expect(pairOf(fromProblem(each))).toBe(`-32600 ${each.status}`);
  });
});

describe("docs/http.md", () => {
  /** Indented blocks, with the address. */
  const printed = (): string[] =>
    [...connect.matchAll(/(?:^ {4}.*\n)+/gm)].map(([text]) =>
      text.replaceAll(/^ {4}/gm, "").replaceAll("http://127.0.0.1:8080", origin),
    );

  it("installs, resolves with its program, and discovers with curl", async () => {
    const [install, program = "", npx, discovery = "", ...more] = printed();
    expect([install, npx, more]).toEqual([
      expect.stringMatching(/^npm install \S+\n$/),
      expect.stringMatching(/^npx /),
      [],
    ]);
    expect(await runProgram("connect.mjs", program)).toMatch(/^C-\w{6} 2026\.11\.1\n$/);
    expect(await resultOf(discovery)).toMatchObject(DISCOVERY);
  });
});

describe("the manifest", () => {
  it("discovers with its curl command", async () => {
    expect(await resultOf(manifest.clients.curl)).toMatchObject(DISCOVERY);
  });
});

describe("versions of programs", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  const CLIENT = /@modelcontextprotocol\/client(?:@|`; version )(\d[\w.-]*)/g;
  const INSPECTOR = /@modelcontextprotocol\/inspector@(\d[\w.-]*)|Inspector is [^.]*?\. Version (\d+\.\d+\.\d+)/g;
  const versions = (pattern: RegExp, text: string): string[] =>
    [...text.matchAll(pattern)].map(([, first, second]) => first ?? second ?? "");

  it("are those that the tests run, wherever one is named", () => {
    const texts = [guide, connect, JSON.stringify(manifest)].map(flat);
    const client = devDependencies["@modelcontextprotocol/client"];
    expect(texts.map((text) => versions(CLIENT, text))).toEqual([[client, client], [client], [client]]);
    const [inspector, ...more] = versions(INSPECTOR, read("test/conformance/inspector.conformance.ts"));
    expect(more).toEqual([]);
    expect(texts.map((text) => [...new Set(versions(INSPECTOR, text))])).toEqual([
      [inspector],
      [inspector],
      [inspector],
    ]);
    expect(versions(INSPECTOR, flat(guide))).toHaveLength(5);
  });

  it("of the protocol are the one there is", () => {
    for (const text of [guide, connect, read("content/reference/74-mcp.md")]) {
      const dates = text.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
      expect([...new Set(dates)]).toEqual([VERSION]);
    }
    expect(VERSION).toBe(MCP_PROTOCOL_VERSION);
  });
});

describe("numbers in prose", () => {
  const KIB = 1024;
  const body = `${limits.MCP_BODY_MAX_BYTES / KIB} KiB`;
  const { RATE_LIMIT_PER_SECOND: perSecond, RATE_LIMIT_BURST: burst } = limits;

  it.each([
    ["content/guides/mcp-guide.md", `Request body: ${body}.`],
    [
      "content/guides/mcp-guide.md",
      `\`expression\`: ${limits.EXPRESSION_MIN_LENGTH} to ${limits.EXPRESSION_MAX_LENGTH} characters (code points).`,
    ],
    ["content/guides/mcp-guide.md", `\`language\`: ${limits.LANGUAGE_MIN_LENGTH} to ${limits.LANGUAGE_MAX_LENGTH}.`],
    [
      "content/guides/mcp-guide.md",
      `\`clientInfo.version\`: ${limits.CLIENT_NAME_MIN_LENGTH} to ${limits.CLIENT_NAME_MAX_LENGTH} characters each.`,
    ],
    ["content/guides/mcp-guide.md", `${perSecond} a second for each client, and after a pause up to ${burst} at once.`],
    ["content/guides/mcp-guide.md", `\`ttlMs\` (${MAX_AGE_SECONDS * 1000}, five minutes)`],
    ["content/reference/46-request-rules.md", `At most ${limits.RESOLVE_BODY_MAX_BYTES / KIB} KiB, else 413.`],
    ["content/reference/46-request-rules.md", `takes the same \`Content-Type\`, at most ${body}, and`],
    [
      "content/reference/46-request-rules.md",
      `Each client may send ${perSecond} requests a second, and after a pause up to ${burst} at once.`,
    ],
    ["content/answers/58-logging.md", `at most ${limits.RATE_LIMIT_CLIENTS_MAX.toLocaleString("en")} of them`],
  ])("are those of the code: %s, %s", (file, sentence) => {
    expect(flat(read(file))).toContain(sentence);
  });
});
