/**
 * Reads a request body whole, up to a limit. Framework parsers are not used: they read leniently, and this is the one
 * place where hostile bytes enter. Source: rulings O-28, O-29; RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "./media-type.ts";
import { type Problem, problem } from "./problem.ts";

/** The bytes of the body, or a refusal; stays pending when the peer goes away. */
export function readJsonBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | Problem> {
  const refusal = refuseByFields(message, maxBytes);
  if (refusal !== undefined) return Promise.resolve(refusal);
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

/** What the fields alone rule out. */
function refuseByFields({ headers }: IncomingMessage, maxBytes: number): Problem | undefined {
  const {
    "content-type": contentType,
    "content-encoding": coding = "identity",
    "content-length": length = "0",
  } = headers;
  if (!isJsonContentType(contentType)) return problem("unsupported_media_type");
  if (coding.toLowerCase() !== "identity") {
    return problem("unsupported_media_type", "The request body must be sent without a content coding");
  }
  return Number(length) > maxBytes ? tooLarge(maxBytes) : undefined;
}

function tooLarge(maxBytes: number): Problem {
  return problem("request_too_large", `The request body may have at most ${maxBytes} bytes`);
}
