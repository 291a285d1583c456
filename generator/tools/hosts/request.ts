/** A request to a host, and what is asked for the answer that it must give. */
import type { HttpReply, HttpRequest } from "../../effects/http-client.ts";

export interface Request extends Pick<HttpRequest, "method" | "fields" | "body"> {
  /** With its query, if any. */
  readonly path: string;
}

/** Gives the answer of the service; pages have LAW_NONCE as their nonce. */
export type Expect = (request: Request) => Promise<HttpReply>;

export function get(path: string, fields: Readonly<Record<string, string>> = {}): Request {
  return { method: "GET", path, fields };
}
