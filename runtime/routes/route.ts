/**
 * A route: a function from a request value to an answer value. It uses no framework and no host; an
 * adapter (node/) reads requests from connections and writes answers to them. A route may throw;
 * its host then sends a refusal.
 */
import type { Problem } from "../contract/problem.ts";
import type { RequestField } from "../http/cors.ts";
import type { Fields } from "../http/representation.ts";
import type { BytesMissing } from "../registry/block-source.ts";

export type Route = (request: Request) => Answer | Promise<Answer>;

export interface Request {
  readonly method: string;
  /** The request target as it was sent (RFC 9112 §3.2). */
  readonly target: string;
  /** The parameters in the path, percent-decoded once. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly connection: Connection;
  /** A header field's value by its lower-case name; commas join the lines of a repeated one. */
  field(name: RequestField): string | undefined;
  /**
   * The bytes of the body, or a problem if there are more; stays pending if the peer disconnects.
   */
  readBody(maxBytes: number): Promise<Uint8Array | Problem>;
}

/** Members are undefined if the host does not know them or the peer has disconnected. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export interface Answer {
  readonly status: number;
  /** All fields except Content-Length and those that a host adds itself, such as Date. */
  readonly fields: Fields;
  readonly body?: Body;
  /** The connection ends, so that the unread rest of the body is not read as the next request. */
  readonly leavesBody?: true;
}

/** A single text is sent together with its head, in one write. HEAD gets only the length. */
export type Body = Uint8Array | string | readonly (Uint8Array | string)[] | LongBody;

/**
 * A body that is too large to hold in memory: its pieces, and its length in bytes, if known in
 * advance. If the registry is remote, a BytesMissing can come between pieces: those bytes must be
 * loaded before the next piece.
 */
export interface LongBody {
  readonly length?: number;
  pieces(): Generator<Uint8Array | BytesMissing, void>;
}
