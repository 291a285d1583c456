/** Ports of this machine. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Listens on the loopback address, and gives the port. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/**
 * A port that nobody listens on. Below the ephemeral ports, so that it stays free until somebody
 * asks for it by number.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
