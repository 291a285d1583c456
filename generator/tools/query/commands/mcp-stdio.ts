/**
 * Connects a host's two pipes to an Ask through the official server SDK. It speaks the revisions
 * that the SDK knows: those that start with `initialize`, except the one with batches, and that of
 * `POST /mcp`. The SDK is an optional dependency, loaded when it is needed.
 */
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/server";
import { MCP_METHODS, PROTOCOL_VERSION_KEY, SERVER_INFO_KEY } from "../../../../runtime/contract/mcp.ts";
import { type McpError, mcpError } from "../../../../runtime/mcp/error.ts";
import { refuseMeta } from "../../../../runtime/mcp/request.ts";
import { installation } from "../../../effects/invocation.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { messageLines } from "./mcp-lines.ts";
import { type Ask, AskError, type Result } from "./mcp-ask.ts";

const SDK = "@modelcontextprotocol/server";
const METHOD_NOT_FOUND = -32601;
/** The only revision whose servers must accept batches, which are refused here (M25). */
const WITH_BATCHES = "2025-03-26";

/** The service's description of itself. */
interface Discovery {
  readonly instructions: string;
  readonly capabilities: Readonly<Record<string, Record<string, never>>>;
  readonly _meta: { readonly [SERVER_INFO_KEY]: { readonly name: string; readonly version: string } };
}

/** The pipes of the process; the SDK itself writes to standard output. */
interface Pipes {
  readonly input: AsyncIterable<Uint8Array>;
  readonly refuse: (error: string) => void;
}

/** Serves one host until it closes its end. Returns the exit code. */
export async function serveStdio(ask: Ask, host: Transport | Pipes): Promise<number> {
  const sdk = await loadSdk();
  const { Server, serveStdio: serve, StdioServerTransport, SUPPORTED_PROTOCOL_VERSIONS } = sdk;
  const { instructions, capabilities, _meta: meta } = (await ask("server/discover", {})) as unknown as Discovery;
  const refusalOf = (value: unknown): McpError | undefined => refuseMessage(value, sdk);
  const wire =
    "input" in host
      ? new StdioServerTransport(Readable.from(messageLines(host.input, { refusalOf, refuse: host.refuse })))
      : host;
  const asked = new Set<Promise<Result>>();
  const ended = new Promise<void>((resolve) => {
    const close = wire.close.bind(wire);
    wire.close = async () => {
      // Messages that were read are answered before the end: the SDK takes one turn of the event
      // loop to ask, and one to pass the answer on.
      await setImmediate();
      await Promise.allSettled(asked);
      await setImmediate();
      await close();
      resolve();
    };
  });
  // If a host asks for another revision, the SDK offers the latest of these.
  const supportedProtocolVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision !== WITH_BATCHES);
  const options = { capabilities, instructions, supportedProtocolVersions };
  serve(
    ({ era }) => {
      const server = new Server(meta[SERVER_INFO_KEY], options);
      // Handles all methods, so that the answers of the service are not checked a second time.
      server.fallbackRequestHandler = async ({ method, params = {} }) => {
        const known = MCP_METHODS.find((name) => name === method);
        if (known === undefined) throw new AskError(METHOD_NOT_FOUND, "Method not found");
        const answer = Promise.resolve(ask(known, params));
        asked.add(answer);
        const result = await answer.finally(() => asked.delete(answer));
        return era === "legacy" ? withoutModern(result) : { ...result };
      };
      return server;
    },
    { transport: wire },
  );
  await ended;
  return 0;
}

/**
 * Faults that the SDK does not report, or only in the first message, or by a dump of its validator.
 */
function refuseMessage(value: unknown, { parseJSONRPCMessage, isInitializeRequest }: Sdk): McpError | undefined {
  let message;
  try {
    message = parseJSONRPCMessage(value);
  } catch {
    return mcpError("invalid_request", "Not one message of MCP in JSON-RPC 2.0; batches are not accepted");
  }
  if (!("method" in message && "id" in message)) return undefined;
  const { method, params = {} } = message;
  const { _meta: meta = {} } = params;
  // The SDK itself answers subscriptions/listen, which is not one of the methods here (M06).
  if (PROTOCOL_VERSION_KEY in meta) return refuseMeta(params) ?? refuseMethod(method);
  if (method !== "initialize" || isInitializeRequest(value)) return undefined;
  return mcpError("invalid_params", "The params of initialize are protocolVersion, capabilities and clientInfo");
}

function refuseMethod(method: string): McpError | undefined {
  const isKnown = MCP_METHODS.some((name) => name === method);
  return isKnown ? undefined : mcpError("method_not_found", "Method not found");
}

/** Removes the members that revisions before 2026-07-28 do not have. */
function withoutModern({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: Result): Result {
  return result;
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

async function loadSdk() {
  try {
    return {
      ...(await import("@modelcontextprotocol/server")),
      ...(await import("@modelcontextprotocol/server/stdio")),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(`mcp needs ${SDK}, which is not installed: ${installation(`${SDK}@2.4.0`)}`);
  }
}
