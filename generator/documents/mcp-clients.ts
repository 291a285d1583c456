/**
 * How to connect a client to `POST /mcp`, as things to copy: the official client, the Inspector, curl, and configuration
 * files. The manifest prints them, and the guide says the same in prose.
 */
import { CLIENT_CAPABILITIES_KEY, MCP_PROTOCOL_VERSION, PROTOCOL_VERSION_KEY } from "../../runtime/contract/mcp.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { urlOf, type View } from "../view/view.ts";

/** The versions that the tests run the commands with. */
const CLIENT = "@modelcontextprotocol/client@2.4.0";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

export function mcpClients(view: View, name: string) {
  const url = urlOf(view, paths.mcp);
  const meta = { [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION, [CLIENT_CAPABILITIES_KEY]: {} };
  const message = { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: meta } };
  return {
    typescript: {
      install: `npm install ${CLIENT}`,
      code: [
        'import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";',
        "const client = new Client(",
        '  { name: "my-client", version: "1.0.0" },',
        '  { versionNegotiation: { mode: "auto" } },',
        ");",
        `await client.connect(new StreamableHTTPClientTransport(new URL("${url}")));`,
        "console.log(await client.listTools());",
        "await client.close();",
      ],
    },
    inspector: `npx ${INSPECTOR} --cli '${url}' --transport http --protocol-era modern --method tools/list`,
    curl: [
      `curl -s '${url}'`,
      "-H 'Content-Type: application/json'",
      "-H 'Accept: application/json, text/event-stream'",
      `-H 'MCP-Protocol-Version: ${MCP_PROTOCOL_VERSION}'`,
      `-H 'Mcp-Method: ${message.method}'`,
      `-d '${JSON.stringify(message)}'`,
    ].join(" "),
    configuration: {
      inspector: { mcpServers: { [name]: { type: "streamable-http", url, protocolEra: "modern" } } },
      mcpServers: { mcpServers: { [name]: { type: "http", url } } },
      vsCode: { servers: { [name]: { type: "http", url } } },
    },
  };
}
