/** Every operation of the contract (§4) and of the rulings about it, and no other (V04). */
import { MCP_PROTOCOL_VERSION, REQUEST_META, TOOL_NAME } from "../../runtime/contract/mcp.ts";
import { CODE_MAX_LENGTH, MCP_BODY_MAX_BYTES, QUERY_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { Examples } from "../view/examples.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { refTo } from "./components.ts";
import { type Described, documentOperations } from "./document-operations.ts";
import type { ResponseHeader } from "../contract/headers.ts";
import {
  type Body,
  COMMON_REFUSALS,
  header,
  type Parameter,
  type Paths,
  readable,
  refused,
  represented,
  respond,
  type Response,
} from "./operation.ts";

export function operations(examples: Examples, table: readonly Described[]): Paths {
  return {
    ...resolution(examples),
    ...registry(examples),
    ...documentOperations(table, "Registry"),
    ...documentOperations(table, "Discovery"),
    ...documentOperations(table, "Integration"),
    ...documentOperations(table, "Representations"),
    ...deployment(),
    ...mcp(examples),
  };
}

function resolution({ resolved, abstained, ambiguous }: Examples): Paths {
  const shown = Object.entries({ resolved, abstained, ambiguous }).flatMap(([name, example]) =>
    example === undefined ? [] : [[name, example] as const],
  );
  const requests = shown.map(([name, { request }]) => [name, { value: request }]);
  const answers = Object.fromEntries(shown.map(([name, { answer }]) => [name, answer]));
  return {
    [paths.resolve]: {
      post: {
        tags: ["Resolution"],
        operationId: "resolveExpression",
        summary: "Resolve an exact expression, or abstain",
        description: `${ACCEPTANCE_RULE} No side effects.`,
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: refTo("ResolveRequest"), examples: Object.fromEntries(requests) },
          },
        },
        responses: {
          "200": respond(
            "Resolved, or abstained",
            [{ policy: "answer", schema: "ResolveEnvelope", examples: answers }],
            [],
          ),
          "400": refused("invalid_json, invalid_request or invalid_language"),
          "413": refused("request_too_large"),
          "415": refused("unsupported_media_type", ["Accept-Encoding"]),
          "429": refused("rate_limited, if the service limits its clients", ["Retry-After"]),
          "503": refused("registry_unavailable"),
          ...COMMON_REFUSALS,
        },
      },
    },
  };
}

const code: Parameter = {
  name: "code",
  in: "path",
  required: true,
  description: "The exact ConceptCode; it is never normalized, translated or repaired",
  schema: { type: "string", maxLength: CODE_MAX_LENGTH },
};
const q: Parameter = {
  name: "q",
  in: "query",
  required: false,
  description: "Lexical filter over name and definition: terms that must all occur, without regard to case",
  schema: { type: "string", maxLength: QUERY_MAX_LENGTH },
};

function registry({ concept }: Examples): Paths {
  const detail: Body = {
    policy: "json",
    schema: "ConceptDetail",
    ...(concept === undefined ? {} : { examples: { concept } }),
  };
  return {
    [paths.concepts]: readable(
      {
        tags: ["Registry"],
        operationId: "listConcepts",
        summary: "List published concepts",
        description: "In code order. A list filtered by q is computed and carries no validators.",
        parameters: [q],
      },
      {
        ...represented("The published concepts; an empty list is a valid answer", [
          { policy: "json", schema: "ConceptList" },
        ]),
        "400": refused("invalid_query"),
      },
    ),
    [`${paths.concepts}/{code}`]: readable(
      {
        tags: ["Registry"],
        operationId: "getConcept",
        summary: "Read one published concept",
        description: "Definition, expressions, renderings and provenance of the concept with exactly this code.",
        parameters: [code],
      },
      {
        ...represented("The concept", [detail], ["Link"]),
        "404": respond(
          "No published concept has exactly this code",
          [{ policy: "answer", schema: "ConceptNotFound" }],
          [],
        ),
      },
    ),
    [paths.status]: readable(
      {
        tags: ["Registry"],
        operationId: "getStatus",
        summary: "Counts and resolver mode of the published registry",
        description: "Languages, domains and the digest of the public bundle. It is never stored.",
      },
      { "200": respond("The status document", [{ policy: "answer", schema: "StatusEnvelope" }], []) },
    ),
  };
}

function deployment(): Paths {
  const identity = "X-Service-Semantics-Deployment-Identity";
  return {
    [paths.deployment]: readable(
      {
        tags: ["Deployment"],
        operationId: "getDeploymentIdentity",
        summary: "The verified identity of the running source closure",
        description: "Detects drift; it is not a publisher signature, a live-deployment proof or an authorization.",
      },
      {
        ...represented("Verified", [{ policy: "json", schema: "DeploymentIdentity" }], [identity]),
        "503": respond(
          "Unavailable, or different from the running source closure",
          [{ policy: "answer", schema: "DeploymentIdentityUnavailable" }],
          [identity],
        ),
      },
    ),
  };
}

function mcp({ resolved, abstained }: Examples): Paths {
  const { request } = resolved ?? abstained;
  const call = { name: TOOL_NAME, arguments: request };
  const examples = {
    discover: { value: { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: REQUEST_META } } },
    resolve: { value: { jsonrpc: "2.0", id: 2, method: "tools/call", params: { ...call, _meta: REQUEST_META } } },
  };
  return {
    [paths.mcp]: {
      post: {
        tags: ["MCP"],
        operationId: "sendMcpMessage",
        summary: `One JSON-RPC request of the Model Context Protocol, revision ${MCP_PROTOCOL_VERSION}`,
        description:
          "Stateless and read-only; one JSON object in, one out. Refusals are JSON-RPC errors too. " +
          `tools/call of ${TOOL_NAME} gives the answer of the resolve operation as result.structuredContent.`,
        parameters: [header("MCP-Protocol-Version", true), header("Mcp-Method", true), header("Mcp-Name")],
        requestBody: {
          required: true,
          content: { "application/json": { schema: refTo("MCPJsonRpcRequest"), examples } },
        },
        responses: {
          "200": message("A result, or an error of the method's parameters"),
          "400": message("The message is refused: its JSON, shape, version, metadata or header fields"),
          "403": message("The Host or the Origin is not allowed"),
          "404": message("There is no such method"),
          "413": message(`The body has more than ${MCP_BODY_MAX_BYTES} bytes`),
          "415": message("The body is not application/json"),
          "429": message("The client sends too fast", ["Retry-After"]),
          "4XX": message("The request is refused"),
          "5XX": message("The service failed to answer; nothing was resolved or assigned"),
        },
      },
    },
  };
}

function message(description: string, headers: readonly ResponseHeader[] = []): Response {
  return respond(description, [{ policy: "answer", schema: "MCPJsonRpcResponse" }], headers);
}
