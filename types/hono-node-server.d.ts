/** As much of @hono/node-server as bench/ uses; its own types need those of a browser. */
import type { IncomingMessage, ServerResponse } from "node:http";

export function getRequestListener(
  handler: (request: Request) => Promise<Response>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
