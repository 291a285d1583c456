/** Bytes on a connection of their own. */
import net from "node:net";

/** Sends a text as it is; returns what comes back until the connection ends. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    let reply = "";
    socket.on("data", (chunk) => (reply += chunk.toString())).on("error", reject);
    socket.on("close", () => resolve(reply));
  });
}
