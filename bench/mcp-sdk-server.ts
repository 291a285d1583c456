/**
 * The other MCP baseline: the official server SDK on node:http, with the same tool, the same
 * resolver, and the SDK's checks of Host and Origin.
 */
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { ResolveEnvelope, ResolveRequest } from "../runtime/contract/resolution.ts";
import { openRelease } from "../runtime/release/release.ts";
import { answerRequest } from "../runtime/registry/answer.ts";
import { announce } from "./announce.ts";

const { index, mcp } = openRelease(process.argv[2] ?? "dist");
const [tool] = mcp.tools;
if (tool === undefined) throw new Error("The release has no tool");

function makeServer(): McpServer {
  const server = new McpServer({ name: "baseline", version: "1.0.0" });
  server.registerTool(
    tool?.name ?? "",
    {
      description: tool?.description ?? "",
      inputSchema: fromJsonSchema(ResolveRequest),
      outputSchema: fromJsonSchema(ResolveEnvelope),
    },
    (request) => {
      const answer = answerRequest(index, request);
      if (!answer.ok) return { content: [{ type: "text", text: answer.problem.message }], isError: true };
      return {
        content: [{ type: "text", text: answer.envelope }],
        structuredContent: JSON.parse(answer.envelope) as Record<string, unknown>,
      };
    },
  );
  return server;
}

const handle = toNodeHandler(createMcpHandler(makeServer, { legacy: "reject" }));
const isHostAllowed = localhostHostValidation();
const isOriginAllowed = localhostOriginValidation();
const server = createServer((request, response) => {
  if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
  void handle(request as Parameters<typeof handle>[0], response);
});
announce(server);
