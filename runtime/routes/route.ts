/** A route: what answers a request once path and method are known. It may throw; the server turns that into a refusal. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** `parameters` are the path's, percent-decoded once. */
export type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  parameters: Readonly<Record<string, string>>,
) => void | Promise<void>;
