/**
 * The official server SDK between a host's two pipes and an Ask: it speaks every revision that it knows, those that open with
 * `initialize` and that of `POST /mcp`. It is an optional dependency, loaded when it is needed.
 */
import type { Transport } from "@modelcontextprotocol/server";
import { MCP_METHODS, SERVER_INFO_KEY } from "../../runtime/contract/mcp.ts";
import { UsageError } from "../text/usage-error.ts";
import { type Ask, AskError, type Result } from "./mcp-ask.ts";

const SDK = "@modelcontextprotocol/server";
const METHOD_NOT_FOUND = -32601;

/** What the service says about itself. */
interface Discovery {
  readonly instructions: string;
  readonly capabilities: Readonly<Record<string, Record<string, never>>>;
  readonly _meta: { readonly [SERVER_INFO_KEY]: { readonly name: string; readonly version: string } };
}

/** Serves one host until it closes its end; by default the process's own pipes. Returns the exit code. */
export async function serveStdio(ask: Ask, transport?: Transport): Promise<number> {
  const { Server, serveStdio: serve, StdioServerTransport } = await loadSdk();
  const { instructions, capabilities, _meta: meta } = (await ask("server/discover", {})) as unknown as Discovery;
  const wire = transport ?? new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    const close = wire.close.bind(wire);
    wire.close = async () => {
      await close();
      resolve();
    };
  });
  const options = { capabilities, instructions };
  serve(
    ({ era }) => {
      const server = new Server(meta[SERVER_INFO_KEY], options);
      // The one place for all methods: what the service answers is not checked a second time.
      server.fallbackRequestHandler = async ({ method, params = {} }) => {
        const known = MCP_METHODS.find((name) => name === method);
        if (known === undefined) throw new AskError(METHOD_NOT_FOUND, "Method not found");
        const result = await ask(known, params);
        return era === "legacy" ? withoutModern(result) : { ...result };
      };
      return server;
    },
    { transport: wire },
  );
  await ended;
  return 0;
}

/** The members that revisions before 2026-07-28 do not have. */
function withoutModern({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }: Result): Result {
  return result;
}

async function loadSdk() {
  try {
    const [{ Server }, stdio] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    return { Server, ...stdio };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(`srs mcp needs ${SDK}, which was left out: npm install ${SDK}@2.4.0`);
  }
}
