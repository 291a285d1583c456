/** Bytes on a connection of their own. */
import { METHODS } from "node:http";
import net from "node:net";

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

/** The method QUERY, unless the parser of this Node takes it for a fault of form, as the one of 20.19 does. */
export const QUERY = METHODS.filter((method) => method === "QUERY");
