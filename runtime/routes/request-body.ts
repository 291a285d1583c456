/**
 * Reads a request body whole, up to a limit. Framework parsers are not used: they read leniently, and this is the one
 * place where hostile bytes enter. Source: rulings O-28, O-29; RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "../http/media-type.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** The bytes of a JSON body, or a refusal; stays pending when the peer goes away. */
export function readJsonBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | Problem> {
  if (!isJsonContentType(message.headers["content-type"])) return Promise.resolve(problem("unsupported_media_type"));
  if (hasContentCoding(message)) {
    const why = "The request body must be sent without a content coding";
    return Promise.resolve(problem("unsupported_media_type", why));
  }
  return readBody(message, maxBytes);
}

/** Is the body in a content coding (RFC 9110 §8.4)? Nothing is ever inflated. */
export function hasContentCoding({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
}

/** The bytes of any body, or the refusal of one that is too large; stays pending when the peer goes away. */
export function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | Problem> {
  if (Number(message.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(tooLarge(maxBytes));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        message.removeAllListeners("data").resume();
        resolve(tooLarge(maxBytes));
      }
    });
    message.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
  });
}

function tooLarge(maxBytes: number): Problem {
  return problem("request_too_large", `The request body may have at most ${maxBytes} bytes`);
}
