/**
 * The last client of the SDK before revision 2026-07-28, as it comes: it can only begin with
 * `initialize`, so what it shows must say what to do.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { MCP_PROTOCOL_VERSION } from "../../runtime/contract/mcp.ts";
import { nasty } from "../support/nasty.ts";
import { execute, install } from "../support/npx.ts";
import { checkedRegistry } from "../support/registry.ts";
import { ORIGIN } from "../support/release.ts";
import { serviceFor } from "../support/service.ts";

const home = mkdtempSync(path.join(tmpdir(), "older-client-"));
const isThere = await install(["@modelcontextprotocol/sdk@1.32.2"], home);
// Where all is skipped, afterAll is too.
if (!isThere) rmSync(home, { recursive: true });
afterAll(() => rmSync(home, { recursive: true, force: true }));

const service = serviceFor(() => checkedRegistry(nasty));

it.skipIf(!isThere)("O-50: the client of SDK 1 is told the version, another program, and the guide", async () => {
  const code = [
    'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
    'import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";',
    `const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:${service.port}/mcp"));`,
    'await new Client({ name: "older", version: "1.0.0" }).connect(transport);',
  ].join("\n");
  const { code: exit, stderr } = await execute(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: home,
  });
  expect(exit).toBe(1);
  for (const said of ["-32022", MCP_PROTOCOL_VERSION, "server/discover", "srs mcp", `${ORIGIN}/mcp-guide`])
    expect(stderr).toContain(said);
});
