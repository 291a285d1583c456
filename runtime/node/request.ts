/**
 * A node:http request as a value for routes. Bodies are read only here: framework parsers are
 * lenient, and this is the one place where hostile bytes enter. Source: RFC 9110 §15.5.14; ruling
 * O-28.
 */
import type { IncomingMessage } from "node:http";
import type { Problem } from "../contract/problem.ts";
import { bodyTooLarge } from "../routes/answer.ts";
import type { Connection, Request } from "../routes/route.ts";

/** Fastify keeps the original target here when it rewrites `url`. */
type Message = IncomingMessage & { readonly originalUrl?: string };

export class NodeRequest implements Request {
  readonly #message: Message;
  readonly parameters: Request["parameters"];

  constructor(message: Message, parameters: Request["parameters"]) {
    this.#message = message;
    this.parameters = parameters;
  }

  get method(): string {
    return this.#message.method ?? "";
  }

  get target(): string {
    return this.#message.originalUrl ?? this.#message.url ?? "";
  }

  get connection(): Connection {
    return this.#message.socket;
  }

  field(name: string): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === "string" ? value : value?.join(", ");
  }

  readBody(maxBytes: number): Promise<Uint8Array | Problem> {
    const message = this.#message;
    if (Number(message.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(bodyTooLarge(maxBytes));
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else {
          message.removeAllListeners("data").resume();
          resolve(bodyTooLarge(maxBytes));
        }
      });
      message.on("end", () => {
        const [only] = chunks;
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
      });
    });
  }
}
