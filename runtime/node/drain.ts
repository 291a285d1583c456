/**
 * Stops a node:http server without breaking a request. First it accepts no new connections, and
 * every answer says `Connection: close`; after a grace period it ends connections that are idle or
 * never sent a request; at the limit it ends all. Node's own `close()` ends idle connections at
 * once, even if a request is already on its way.
 */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DRAIN_GRACE_MS, DRAIN_LIMIT_MS } from "../contract/limits.ts";
import { newestResponse } from "./connection.ts";

/** The events for a request; a request with an Expect field does not emit "request". */
export const REQUESTS = ["request", "checkContinue", "checkExpectation"] as const;

/**
 * Watches a server from its start. The returned function stops it and awaits its connections, whose
 * grace is in milliseconds.
 */
export function prepareDrain(server: Server, graceMs = DRAIN_GRACE_MS): () => Promise<void> {
  const silent = new Set<Socket>();
  // After a syntax error Node forgets a connection, but would wait for it forever.
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    open.add(socket);
    socket.on("close", () => {
      silent.delete(socket);
      open.delete(socket);
    });
  });
  const onRequest = (listener: (message: IncomingMessage, response: ServerResponse) => void): void =>
    REQUESTS.forEach((event) => server.prependListener(event, listener));
  onRequest(({ socket }) => silent.delete(socket));
  return async () => {
    const closed = once(server, "close");
    onRequest((_message, response) => (response.shouldKeepAlive = false));
    // A request in progress has had its event. Only the last answer that is due ends a connection.
    for (const socket of open) {
      const response = newestResponse(socket);
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    }
    NetServer.prototype.close.call(server);
    await Promise.race([closed, sleep(graceMs)]);
    const idle = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of silent) socket.destroy();
    }, 20);
    const limit = setTimeout(() => open.forEach((socket) => socket.destroy()), DRAIN_LIMIT_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  };
}
