/**
 * Runs the reconciliation service on node:http at the loopback address; a web server in front of it
 * serves others.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { refuseConnection } from "../../../runtime/node/connection.ts";
import { prepareDrain } from "../../../runtime/node/drain.ts";
import { alone, makeServer, responder } from "../../../runtime/node/server.ts";
import type { Route } from "../../../runtime/routes/route.ts";

export interface Listening {
  readonly port: number;
  /** Finishes the current requests, then ends. */
  close(): Promise<void>;
}

interface Settings {
  /** 0 for any free port. */
  readonly port: number;
  readonly onError: (error: unknown) => void;
}

/** Serves the route that is made for the port. Throws the error of node:net if it cannot listen. */
export async function listen(makeRoute: (port: number) => Route, { port, onError }: Settings): Promise<Listening> {
  const respond = responder({ onError });
  // The first request comes after the port is known, and with it the route.
  const server = makeServer(respond, (message, response) => respond(found, message, response));
  const drain = prepareDrain(server);
  server.on("clientError", refuseConnection);
  server.listen({ host: "127.0.0.1", port });
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const found = alone(makeRoute(address.port));
  return { port: address.port, close: drain };
}
