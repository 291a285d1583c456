/**
 * The MCP messages the contract fixes, and the connection manifest. The protocol revision defines
 * the parameters and results of each method.
 * Source: contract §2, §4.7; rulings O-51, O-63.
 */
import * as Type from "./type.ts";
import { CLIENT_NAME_MAX_LENGTH, CLIENT_NAME_MIN_LENGTH } from "./limits.ts";
import { Text, Url } from "./document.ts";
import { closed, nullable, open } from "./schema.ts";

/** The only tool (contract §4.7). */
export const TOOL_NAME = "resolve_service_semantics";

export const MCP_PROTOCOL_VERSION = "2026-07-28";

export const MCP_METHODS = [
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
] as const;

const clientText = Type.String({ minLength: CLIENT_NAME_MIN_LENGTH, maxLength: CLIENT_NAME_MAX_LENGTH });

/** The server's capabilities: no changing lists, no subscriptions; these would need streams. */
export const MCP_CAPABILITIES = { tools: {}, resources: {}, prompts: {} } as const;

export const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** The `params._meta` of the requests that this project writes: those it sends and shows. */
export const REQUEST_META = { [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION, [CLIENT_CAPABILITIES_KEY]: {} };

export const MCPRequestMeta = open({
  [PROTOCOL_VERSION_KEY]: Type.Literal(MCP_PROTOCOL_VERSION),
  [CLIENT_CAPABILITIES_KEY]: open({}),
  "io.modelcontextprotocol/clientInfo": Type.Optional(open({ name: clientText, version: clientText })),
});

/** A request's id. Integers that a double cannot hold are refused: the echo would differ (O-63). */
export const RequestId = Type.Union([
  Type.String(),
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
]);
export type RequestId = Type.Static<typeof RequestId>;

export const MCPJsonRpcRequest = closed({
  jsonrpc: Type.Literal("2.0"),
  id: RequestId,
  method: Type.Enum([...MCP_METHODS]),
  params: open({ _meta: MCPRequestMeta }),
});

export const MCPJsonRpcSuccess = closed({
  jsonrpc: Type.Literal("2.0"),
  id: RequestId,
  result: open({ resultType: Type.Enum(["complete", "input_required"]) }),
});

export const MCPJsonRpcError = closed({
  jsonrpc: Type.Literal("2.0"),
  id: nullable(RequestId),
  error: closed({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
});

export const MCPJsonRpcResponse = Type.Union([MCPJsonRpcSuccess, MCPJsonRpcError]);

/** Open: the contract names the members but not their contents. */
export const MCPConnectionManifest = open({
  $schema: Type.Unknown(),
  schema: Type.Unknown(),
  service: Type.Unknown(),
  protocol: Type.Unknown(),
  requestRequirements: Type.Unknown(),
  security: Type.Unknown(),
  capabilities: Type.Unknown(),
  supportedMethods: Type.Unknown(),
  identityAcceptanceRule: Type.Unknown(),
  directApiAlternative: Type.Unknown(),
});
export type MCPConnectionManifest = Type.Static<typeof MCPConnectionManifest>;

const Named = { name: Text, title: Text, description: Text };

const Tool = closed({
  ...Named,
  name: Type.Literal(TOOL_NAME),
  inputSchema: open({}),
  outputSchema: open({}),
  annotations: closed({
    readOnlyHint: Type.Literal(true),
    destructiveHint: Type.Literal(false),
    idempotentHint: Type.Literal(true),
    openWorldHint: Type.Literal(false),
  }),
});

const Resource = closed({ uri: Url, ...Named, mimeType: Text, size: Type.Integer({ minimum: 0 }) });

/** `text` is the whole prompt; the arguments of a call are appended as JSON. */
const Prompt = closed({
  ...Named,
  arguments: Type.Array(closed({ ...Named, required: Type.Boolean() })),
  text: Text,
});

/**
 * The parts of `POST /mcp` that are the same for every client. The build writes them to a file of
 * dist that has no path of its own in the service.
 */
export const MCPDefinition = closed({
  schema: Type.Literal("service-semantics.mcp.v1"),
  serverInfo: closed({ name: Text, title: Text, version: Text, websiteUrl: Url }),
  instructions: Text,
  tools: Type.Array(Tool, { minItems: 1, maxItems: 1 }),
  resources: Type.Array(Resource),
  prompts: Type.Array(Prompt),
});
export type MCPDefinition = Type.Static<typeof MCPDefinition>;
