/**
 * The server over an open release: its first routes, refusals, time limits. It never touches the process; main.ts does. What
 * most callers ask for (resolving, documents, a concept) is answered from the start; everything else is found in rest.ts,
 * which is loaded behind the start, or when the first of it comes. The reply is written by reply.ts.
 */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createHttpServer } from "./http.ts";
import type { Identity } from "./release/identity.ts";
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from "./contract/limits.ts";
import { paths, resources } from "./contract/policy.ts";
import { type ProblemCode, problem } from "./contract/problem.ts";
import type { Release } from "./release/release.ts";
import { formatRefusal, sendOptions, sendProblem } from "./routes/reply.ts";
import { conceptRoute } from "./routes/concept.ts";
import { type DirectRouter, directRouter, type Listener } from "./routes/direct.ts";
import { resourceRoute } from "./routes/documents.ts";
import type { PageContext } from "./routes/send-page.ts";
import { problemOf } from "./routes/fault.ts";
import { resolveRoute } from "./routes/resolve.ts";
import type { GuardedRoute, Methods } from "./routes/methods.ts";
import type { Route } from "./routes/route.ts";
import { targetOf } from "./http/target.ts";
import { clientOf, type RateLimit, TokenBuckets } from "./http/token-bucket.ts";

export interface ServerOptions {
  /** Hears of every unexpected error. Requests, expressions and credentials are never logged. */
  readonly onFault: (error: unknown) => void;
  /** Gives the nonce of a page: unguessable, of Base64 characters, another one each time. */
  readonly nonce: () => string;
  /** Gives the state of the deployment identity. */
  readonly identity: () => Promise<Identity>;
  /** Limits each client of resolve and MCP; without it nobody is limited. */
  readonly rate?: RateLimit & { /** Seconds of a steady clock. */ readonly now: () => number };
}

export interface Service {
  readonly server: Server;
  /** Resolves to the origin that it listens on, or rejects as node:http does. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Loads what a start leaves for later. */
  load(): Promise<void>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Makes the server; the caller listens, loads and closes. */
export function createServer(release: Release, { onFault, nonce, identity, rate }: ServerOptions): Service {
  const guard = guardRoute(onFault);
  const takeToken = limiterOf(rate);
  const pages: PageContext = { nonce, catalogUrl: release.manifest.origin + paths.apiCatalog };
  const routes = new Map<string, Methods>([
    [paths.resolve, { POST: guard(resolveRoute(release.index, takeToken)) }],
    ...resources.map((one): [string, Methods] => [one.path, { GET: guard(resourceRoute(one, release, pages)) }]),
  ]);
  const concept = guard(conceptRoute(release));
  const rest = onDemand(async () => {
    const { makeRest } = await import("./rest.ts");
    return makeRest({ release, routes, concept, pages, identity, guard, takeToken, onFault });
  }, onFault);
  const server = makeServer(directRouter(routes, concept), rest.listener);
  return {
    server,
    async listen(address) {
      server.listen(address);
      await once(server, "listening");
      return originOf(server.address() as AddressInfo);
    },
    load: rest.load,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function originOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** A listener that is made when it is loaded or when the first request for it comes, which waits for it. */
function onDemand(make: () => Promise<Listener>, onFault: ServerOptions["onFault"]) {
  let made: Listener | undefined;
  let making: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    try {
      made = await make();
    } finally {
      // Where it failed, the next one tries again.
      making = undefined;
    }
  };
  const loadOnce = (): Promise<void> => (made === undefined ? (making ??= load()) : Promise.resolve());
  const listener: Listener = async (request, response) => {
    if (made !== undefined) return made(request, response);
    try {
      await loadOnce();
    } catch (error) {
      onFault(error);
      return sendProblem(response, problemOf(error));
    }
    return listener(request, response);
  };
  return { load: loadOnce, listener };
}

/** How long the client of a request has to wait; limited, if at all, over both routes that take a body together. */
function limiterOf(rate: ServerOptions["rate"]): (request: IncomingMessage) => number {
  if (rate === undefined) return () => 0;
  const buckets = new TokenBuckets(rate);
  return ({ socket }) => buckets.take(clientOf(socket.remoteAddress), rate.now());
}

/** A route whose faults are reported and answered. */
function guardRoute(onFault: (error: unknown) => void): (route: Route) => GuardedRoute {
  return (route) => (request, response, parameters) => {
    const fail = (error: unknown): void => {
      onFault(error);
      if (response.headersSent) response.destroy();
      else sendProblem(response, problemOf(error));
    };
    try {
      route(request, response, parameters)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The HTTP server: plain targets go straight to their route; everything else is to be found. */
function makeServer(answered: DirectRouter, find: Listener): Server {
  const server = createHttpServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Node refuses a missing Host without a body; here every refusal has the envelope.
      requireHostHeader: false,
    },
    (request, response) => {
      latest.set(request.socket, response);
      if (!hasOneHost(request)) refuseHost(response);
      else if (request.url?.startsWith("*") === true) answerAsterisk(request, response);
      else if (!answered(request, response)) void find(request, response);
    },
  );
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
    sendProblem(response, problem("expectation_failed"));
  });
  server.on("clientError", refuseConnection);
  // A peer that does not read its answers would have them kept for it.
  server.setTimeout(STALL_TIMEOUT_MS);
  server.on("connect", (_request, socket: Socket) => refuseConnection({ code: "CONNECT" }, socket));
  return server;
}

/** RFC 9112 §3.2.4: the asterisk is a target of OPTIONS, and asks about the server as a whole. */
function answerAsterisk({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (method === "OPTIONS" && url === "*") sendOptions(response, "GET, HEAD, POST, OPTIONS");
  else sendProblem(response, problem("invalid_http", "The target * belongs to OPTIONS alone"));
}

/** RFC 9112 §3.2: exactly one Host field line; HTTP/1.0 may have none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** RFC 9112 §3.2: a request with no Host, or several, is answered 400. */
function refuseHost(response: ServerResponse): void {
  sendProblem(response, problem("invalid_http", "An HTTP/1.1 request needs one Host field"), ["Connection", "close"]);
}

/** The newest response of a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/** Refuses what never became a request (bad syntax, too many fields, too slow), after the answers that are still due. */
function refuseConnection(error: { code?: string }, stream: Duplex): void {
  const socket = stream as Socket;
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  // Node keeps the response being written on its socket; its own handler looks there too.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // Is the fault in a later request, or in the body of the one that waits for its answer?
  if (due?.req.complete === true) return void due.on("close", () => setImmediate(refuseConnection, error, socket));
  // A request whose body nobody waited for has its answer; it gets no second one.
  const answered = due ?? latest.get(socket);
  if (answered?.writableEnded === true && !answered.req.complete) return socket.destroySoon();
  if (due?.headersSent === true) return void socket.destroy();
  // Where node:http stopped reading; Fastify's type of it is another.
  const { rawPacket, bytesParsed } = error as { rawPacket?: Uint8Array; bytesParsed?: number };
  const refusal = problem(CONNECTION_PROBLEMS[error.code ?? ""] ?? "invalid_http");
  socket.end(formatRefusal(refusal, due?.req.url ?? targetOf(rawPacket?.subarray(0, bytesParsed))));
}

const CONNECTION_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};
