/**
 * The MCP messages the contract fixes, and the connection manifest. Source: contract §2, §4.7; rulings O-51, O-63.
 * Per-method parameters and results are those of the protocol revision.
 */
import { Type } from "typebox";
import { CLIENT_NAME_MAX_LENGTH, CLIENT_NAME_MIN_LENGTH } from "../limits.ts";
import { closed, nullable, open } from "./schema.ts";

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

export const MCPRequestMeta = open({
  "io.modelcontextprotocol/protocolVersion": Type.Literal(MCP_PROTOCOL_VERSION),
  "io.modelcontextprotocol/clientCapabilities": open({}),
  "io.modelcontextprotocol/clientInfo": Type.Optional(open({ name: clientText, version: clientText })),
});

export const MCPJsonRpcRequest = closed({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Union([Type.String(), Type.Integer()]),
  method: Type.Enum([...MCP_METHODS]),
  params: open({ _meta: MCPRequestMeta }),
});

export const MCPJsonRpcSuccess = closed({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Union([Type.String(), Type.Integer()]),
  result: open({ resultType: Type.Enum(["complete", "input_required"]) }),
});

export const MCPJsonRpcError = closed({
  jsonrpc: Type.Literal("2.0"),
  id: nullable(Type.Union([Type.String(), Type.Integer()])),
  error: closed({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
});

export const MCPJsonRpcResponse = Type.Union([MCPJsonRpcSuccess, MCPJsonRpcError]);

/** Extra properties allowed; the contract shows the names and not what they hold. */
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
