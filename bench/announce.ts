/** Starts the server of a benchmark on any port, and prints its address for processes.ts. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export function announce(server: Server): void {
  server.keepAliveTimeout = 30_000;
  server.listen(0, "127.0.0.1", () =>
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
}
