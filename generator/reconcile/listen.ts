/** The reconciliation service on node:http, on the loopback address; a web server in front of it serves others. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STALL_TIMEOUT_MS } from "../../runtime/contract/limits.ts";
import { refuseConnection } from "../../runtime/node/connection.ts";
import { prepareDrain } from "../../runtime/node/drain.ts";
import { http } from "../../runtime/node/http.ts";
import { NodeRequest } from "../../runtime/node/request.ts";
import { writeAnswer } from "../../runtime/node/writer.ts";
import { answerError } from "../../runtime/routes/answer.ts";
import type { Route } from "../../runtime/routes/route.ts";

export interface Listening {
  readonly port: number;
  /** Finishes the requests it has, then ends. */
  close(): Promise<void>;
}

interface Settings {
  /** 0 for any that is free. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

/** Serves the route that is made for the port. Throws what node:net throws where it cannot listen. */
export async function listen(makeRoute: (port: number) => Route, { port, onError }: Settings): Promise<Listening> {
  const server = http.createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS });
  const drain = prepareDrain(server);
  server.setTimeout(STALL_TIMEOUT_MS);
  server.on("clientError", refuseConnection);
  server.listen({ host: "127.0.0.1", port });
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const route = makeRoute(address.port);
  server.on("request", (message, response) => void respond(route, { message, response, onError }));
  return { port: address.port, close: drain };
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly onError: (error: unknown) => void;
}

async function respond(route: Route, { message, response, onError }: Exchange): Promise<void> {
  const request = new NodeRequest(message, {});
  try {
    await writeAnswer(response, await route(request));
  } catch (error) {
    onError(error);
    if (response.headersSent) response.destroy();
    else await writeAnswer(response, answerError(request, error));
  }
}
