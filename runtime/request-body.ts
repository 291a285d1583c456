/**
 * Reads a request body whole, up to a limit. Framework parsers are not used: they read leniently, and this is the one
 * place where hostile bytes enter. Source: rulings O-28, O-29; RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "./media-type.ts";
import { type Problem, problem } from "./problem.ts";

/** Calls `done` once, with the bytes or a refusal; never when the peer goes away. */
export function readJsonBody(
  message: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | Problem) => void,
): void {
  const {
    "content-type": contentType,
    "content-encoding": coding = "identity",
    "content-length": length,
  } = message.headers;
  if (!isJsonContentType(contentType)) return done(problem("unsupported_media_type"));
  if (coding.toLowerCase() !== "identity") {
    return done(problem("unsupported_media_type", "The request body must be sent without a content coding"));
  }
  const tooLarge = (): void =>
    done(problem("request_too_large", `The request body may have at most ${maxBytes} bytes`));
  if (Number(length ?? 0) > maxBytes) return tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  message.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else {
      message.removeAllListeners("data").removeAllListeners("end").resume();
      tooLarge();
    }
  });
  message.on("end", () => {
    const [only] = chunks;
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
}
