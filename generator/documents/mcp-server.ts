/** `/mcp-server.json`: the MCP connection manifest (contract §2; G47, M24, M29; ruling O-51). */
import {
  CLIENT_CAPABILITIES_KEY,
  MCP_CAPABILITIES,
  MCP_METHODS,
  MCP_PROTOCOL_VERSION,
  type MCPConnectionManifest,
  type MCPDefinition,
  PROTOCOL_VERSION_KEY,
} from "../../runtime/contract/mcp.ts";
import { curl, mcpRequest } from "../../runtime/pages/request-samples.ts";
import { CLIENT_NAME_MAX_LENGTH, CLIENT_NAME_MIN_LENGTH, MCP_BODY_MAX_BYTES } from "../../runtime/contract/limits.ts";
import { schemaConstant } from "../../runtime/contract/document.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { product } from "../../runtime/contract/product.ts";
import { requestHeaders } from "../contract/headers.ts";
import { ACCEPTANCE_RULE, MCP_ACCEPTANCE } from "../view/rules.ts";
import { documentEnd, schemaUrl, urlOf, type View } from "../view/view.ts";
import { toolDigests } from "./mcp.ts";

export function mcpServer(view: View, definition: MCPDefinition): MCPConnectionManifest & Record<string, unknown> {
  return {
    $schema: schemaUrl(view, "mcp-server"),
    schema: schemaConstant("mcp-server"),
    description:
      "A convenience of this deployment. The standards-defined discovery operation is server/discover on POST /mcp.",
    service: {
      name: definition.serverInfo.name,
      title: definition.serverInfo.title,
      ...(view.about.scope !== "" && { description: view.about.scope }),
      origin: view.origin,
      guide: urlOf(view, paths.mcpGuide),
      release: product,
      readiness: view.readiness,
    },
    protocol: {
      name: "Model Context Protocol",
      version: MCP_PROTOCOL_VERSION,
      transport: "streamable-http",
      endpoint: urlOf(view, paths.mcp),
      method: "POST",
      stateless: true,
      discovery: "server/discover",
      clientSettings:
        `A client that starts with initialize is refused with error -32022. Choose ${MCP_PROTOCOL_VERSION}: in the ` +
        `TypeScript client versionNegotiation: { mode: "auto" } or { mode: { pin: "${MCP_PROTOCOL_VERSION}" } }, in the ` +
        "Inspector --protocol-era modern",
    },
    requestRequirements,
    security,
    capabilities: MCP_CAPABILITIES,
    supportedMethods: [...MCP_METHODS],
    subscriptions: "none",
    tools: toolDigests(view).map((tool) => ({
      ...tool,
      sha256Of: "The RFC 8785 (JCS) form of name, description and inputSchema, as tools/list gives them",
      sideEffects: "none",
      authorizationGranted: "none",
      descriptor: urlOf(view, paths.agentTool),
    })),
    resources: definition.resources.map(({ uri }) => uri),
    prompts: definition.prompts.map(({ name }) => name),
    clients: mcpClients(view, view.about.serverName),
    identityAcceptanceRule: `${ACCEPTANCE_RULE} ${MCP_ACCEPTANCE}`,
    directApiAlternative: { method: "POST", url: urlOf(view, paths.resolve), openapi: urlOf(view, paths.openapi) },
    ...documentEnd,
  };
}

/** Requirements on every request (O-51). */
const requestRequirements = {
  contentType: "application/json",
  maximumBodyBytes: MCP_BODY_MAX_BYTES,
  headers: {
    "MCP-Protocol-Version": requestHeaders["MCP-Protocol-Version"],
    "Mcp-Method": requestHeaders["Mcp-Method"],
    "Mcp-Name": requestHeaders["Mcp-Name"],
  },
  meta: {
    [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION,
    [CLIENT_CAPABILITIES_KEY]: "required: an object",
    "io.modelcontextprotocol/clientInfo": `optional: name and version, ${CLIENT_NAME_MIN_LENGTH} to ${CLIENT_NAME_MAX_LENGTH} characters each`,
  },
  message: "One JSON-RPC 2.0 request object with jsonrpc, id, method and params; no batches, no notifications",
};

/** Which requests are accepted, and what is kept of them (O-54 to O-56). */
const security = {
  authentication: "none",
  sessions: "none",
  hostCheck:
    "A request whose Host is not that of the origin is refused with 403; over a loopback connection the loopback names are allowed too",
  originCheck: "A request with an Origin of another site is refused with 403, by the same rule",
  rateLimit: "A client that sends too fast may be refused with 429; wait as many seconds as Retry-After says",
  cors: "none",
};

/** The versions with which the tests run the commands. */
const CLIENT = "@modelcontextprotocol/client@2.4.0";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

/**
 * Ways to connect a client to `POST /mcp`, ready to copy: the official client, the Inspector, curl,
 * and configuration files. The guide has the same in prose.
 */
function mcpClients(view: View, name: string) {
  const url = urlOf(view, paths.mcp);
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
    curl: curl(mcpRequest(view.origin, { method: "server/discover" }), " "),
    configuration: {
      inspector: { mcpServers: { [name]: { type: "streamable-http", url, protocolEra: "modern" } } },
      mcpServers: { mcpServers: { [name]: { type: "http", url } } },
      vsCode: { servers: { [name]: { type: "http", url } } },
    },
  };
}
