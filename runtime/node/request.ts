/**
 * A node:http request as a value for routes. Only this file reads its body: framework parsers are
 * lenient, and hostile bytes enter here.
 * Source: RFC 9110 §15.5.14; ruling O-28.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../contract/problem.ts";
import { paths } from "../contract/paths.ts";
import type { RequestField } from "../http/cors.ts";
import { isHost, lacksHost, pathOf } from "../http/target.ts";
import { bodyTooLarge } from "../routes/answer.ts";
import type { Connection, Request } from "../routes/route.ts";

/** Fastify keeps the original target here when it rewrites `url`. */
type Message = IncomingMessage & { readonly originalUrl?: string };

/** Returns the address of a request's client; undefined if its proxy has none. */
export type ClientAddress = (message: IncomingMessage) => string | undefined;

/** Requests whose clients send the body only after 100 (Continue). */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** RFC 9110 §10.1.1: 100 is sent when a route reads the body, so not if the head is refused. */
export function awaitContinue(message: IncomingMessage, response: ServerResponse): void {
  waiting.set(message, response);
}

/** Whether the client still waits for 100; it may or may not send the body. */
export function awaitsContinue(message: IncomingMessage): boolean {
  return message.headers.expect !== undefined && waiting.has(message);
}

export class NodeRequest implements Request {
  readonly #message: Message;
  readonly parameters: Request["parameters"];
  readonly #clientAddress: ClientAddress | undefined;

  constructor(message: Message, parameters: Request["parameters"], clientAddress?: ClientAddress) {
    this.#message = message;
    this.parameters = parameters;
    this.#clientAddress = clientAddress;
  }

  get method(): string {
    return this.#message.method ?? "";
  }

  get target(): string {
    return this.#message.originalUrl ?? this.#message.url ?? "";
  }

  get connection(): Connection {
    const { socket } = this.#message;
    if (this.#clientAddress === undefined) return socket;
    const { localAddress, localPort } = socket;
    return { localAddress, localPort, remoteAddress: this.#clientAddress(this.#message) };
  }

  field(name: RequestField): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === "string" ? value : value?.join(", ");
  }

  readBody(maxBytes: number): Promise<Uint8Array | Problem> {
    const message = this.#message;
    if (Number(message.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(bodyTooLarge(maxBytes));
    if (awaitsContinue(message)) {
      waiting.get(message)?.writeContinue();
      waiting.delete(message);
    }
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

/**
 * Why a request that node:http accepted is invalid, so that its connection must end; undefined if
 * it is valid.
 */
export function refusalOf(message: IncomingMessage): string | undefined {
  const { headers, httpVersion, httpVersionMajor } = message;
  if (httpVersionMajor !== 1) return "This service supports only HTTP/1.0 and HTTP/1.1";
  // RFC 9112 §3.2: a target has no fragment. The parser of Node 20.19 also accepts bytes beyond
  // ASCII, and each would be read as a character.
  if (!/^[!"$-~]*$/.test(message.url ?? ""))
    return "A request target may contain only printable ASCII characters, but not #";
  if (!hasFieldNames(message)) return "A field name must not be empty, and no space may be in it or before its colon";
  if (lacksHost(message.url ?? "") && !isOfMcp(message))
    return "The authority of an absolute target must be a host, optionally with a port";
  if (!hasOneHost(message)) return "An HTTP/1.1 request needs exactly one Host field: a host, optionally with a port";
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return undefined;
  // RFC 9112 §6.1: HTTP/1.0 has no transfer codings, and this service decodes no others.
  if (httpVersion !== "1.1") return "HTTP/1.0 has no transfer codings";
  return /^[ \t]*chunked[ \t]*$/i.test(coding)
    ? undefined
    : "The only transfer coding that a request may have is chunked";
}

/** RFC 9112 §5.1: the parser of Node 20.19 accepts empty field names, and names with a space. */
function hasFieldNames({ rawHeaders }: IncomingMessage): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name === "" || name.includes(" ")) return false;
  }
  return true;
}

/** RFC 9112 §3.2: exactly one Host field line; HTTP/1.0 may have none. */
function hasOneHost(message: IncomingMessage): boolean {
  const { rawHeaders, httpVersion } = message;
  let hosts = 0;
  let host = "";
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    host = rawHeaders[i + 1] ?? "";
  }
  if (hosts !== 1) return hosts === 0 && httpVersion === "1.0";
  return isHost(host) || isOfMcp(message);
}

/** The MCP route checks the host itself (O-50). */
function isOfMcp({ url = "" }: IncomingMessage): boolean {
  return pathOf(url) === paths.mcp;
}
