/** A body that is made while it is sent: it waits for whoever reads it, and ends with them. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeAnswer } from "../../../runtime/node/writer.ts";
import { listening } from "../../support/free-port.ts";
import { until } from "../../support/until.ts";

const PIECE = new Uint8Array(1 << 16);
const PIECES = 2000;
let made = 0;

function* pieces(): Generator<Uint8Array> {
  for (made = 0; made < PIECES; made++) yield PIECE;
}

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer(
    (_request, response) => void writeAnswer(response, { status: 200, fields: [], body: { pieces } }),
  );
  port = await listening(server);
});
afterAll(() => void server.close());

/** Turns of the event loop, which serves the sockets in each, and not a time. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await sleep(1);
}

/** A client that has asked and does not read, once nothing more is made for it. */
async function silentClient(): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await until(() => made > 0);
  const stalled = async (): Promise<boolean> => {
    const before = made;
    await turns();
    return made === before;
  };
  while (!(await stalled()));
  return socket;
}

it("is made no further than a client reads, and whole as soon as it does", async () => {
  made = 0;
  const socket = await silentClient();
  expect(made).toBeLessThan(PIECES / 4);
  let received = 0;
  socket.on("data", (chunk) => (received += chunk.length)).resume();
  await once(socket, "close");
  expect(made).toBe(PIECES);
  expect(received).toBeGreaterThan(PIECES * PIECE.length);
});

it("is not made any more for a client that went away", async () => {
  made = 0;
  const socket = await silentClient();
  const before = made;
  socket.destroy();
  await turns();
  expect(made).toBeLessThan(before + 4);
});
