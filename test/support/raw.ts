/** Bytes on a connection of their own. */
import { METHODS } from "node:http";
import net from "node:net";
import { expect } from "vitest";
import type { Reply, Service } from "./service.ts";

/** Sends a text as it is; returns what comes back until the connection ends. */
export function raw(port: number, text: string, encoding: BufferEncoding = "utf8"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text, encoding));
    let reply = "";
    socket
      .setEncoding(encoding)
      .on("data", (chunk: string) => (reply += chunk))
      .on("error", reject);
    socket.on("close", () => resolve(reply));
  });
}

/** Sends a text and closes the half that it was sent on; gives everything that comes back. */
export function halfClosed(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.end(text));
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.on("end", () => resolve(received)).on("error", reject);
  });
}

/** The method QUERY, unless the parser of this Node rejects it, as the one of 20.19 does. */
export const QUERY = METHODS.filter((method) => method === "QUERY");

/** A reply with the names of its fields as they came: a repeated one is there twice. */
export interface WireReply extends Reply {
  readonly names: readonly string[];
}

/** Sends bytes on a new connection and gives every final response until the server closes it. */
export function exchange({ port }: Pick<Service, "port">, bytes: Uint8Array): Promise<WireReply[]> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    // A server that refuses a request early may reset the connection; what it said before counts.
    socket.on("data", (chunk) => chunks.push(chunk)).on("error", () => undefined);
    socket.on("close", () => resolve(readReplies(Buffer.concat(chunks))));
    socket.write(bytes);
  });
}

/** Sends bytes over a connection of their own and gives the one response. */
export async function exchangeOne(service: Pick<Service, "port">, bytes: Uint8Array): Promise<WireReply> {
  const replies = await exchange(service, bytes);
  expect(replies.length).toBe(1);
  return replies[0] as WireReply;
}

function readReplies(received: Buffer): WireReply[] {
  const replies: WireReply[] = [];
  for (let at = 0; at < received.length;) {
    const end = received.indexOf("\r\n\r\n", at);
    if (end < 0) throw new Error("The response has no end of its fields");
    const [statusLine = "", ...lines] = received.subarray(at, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const names = lines.map((line) => line.slice(0, line.indexOf(":")));
    const headers = Object.fromEntries(
      lines.map((line, i) => [names[i]?.toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    at = end + 4 + Number(headers["content-length"] ?? 0);
    const body = received.subarray(end + 4, at);
    // An interim response is none.
    if (status >= 200)
      replies.push({ status, headers, names, body, json: () => JSON.parse(body.toString()) as unknown });
  }
  return replies;
}
