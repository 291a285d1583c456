/**
 * A route: from a request value to an answer value. It knows no framework and no host; an adapter (node/) reads the one
 * from a connection and writes the other to it. A route may throw; its host turns that into a refusal.
 */
import type { Problem } from "../contract/problem.ts";
import type { Fields } from "../http/representation.ts";

export type Route = (request: Request) => Answer | Promise<Answer>;

export interface Request {
  readonly method: string;
  /** The request target as it was sent (RFC 9112 §3.2). */
  readonly target: string;
  /** What the path names, percent-decoded once. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly connection: Connection;
  /** The value of a header field by its lower-case name; the lines of a repeated one with commas between. */
  field(name: string): string | undefined;
  /** The bytes of the body, or the refusal of one that has more; stays pending when the peer goes away. */
  readBody(maxBytes: number): Promise<Uint8Array | Problem>;
}

/** Undefined where the host does not know it, or the peer has gone. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export interface Answer {
  readonly status: number;
  /** All but Content-Length and what a host adds itself, such as Date. */
  readonly fields: Fields;
  readonly body?: Body;
  /** The rest of a body that was not read must not be taken for the next request: the connection ends. */
  readonly leavesBody?: true;
}

/** One text goes out together with its head, in one write. HEAD gets the length alone. */
export type Body = Uint8Array | string | readonly (Uint8Array | string)[] | LongBody;

/** A body that is too large to hold: its length in bytes and its pieces. */
export interface LongBody {
  readonly length: number;
  pieces(): Iterable<Uint8Array>;
}
