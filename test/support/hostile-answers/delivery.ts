/** Answers that are too long, cut short, slow or without end. */
import type { Socket } from "node:net";
import { ANSWER_MAX_BYTES } from "../../../generator/integration/handoffs/node/classify.mjs";
import {
  type HostileAnswer,
  wired,
  plain,
  marked,
  message,
  head,
  chunk,
  LAST_CHUNK,
  JSON_TYPE,
  CHUNKED,
  GOOD,
  padded,
  sendGood,
} from "./answer.ts";
import { interim } from "./fields.ts";

export const sizes: readonly HostileAnswer[] = [
  plain("a body of the greatest length", 9, { body: padded(ANSWER_MAX_BYTES) }),
  plain("a body one byte longer", 4, { body: padded(ANSWER_MAX_BYTES + 1) }),
  plain("a body of 2 MiB", 4, { body: padded(1 << 21) }),
  wired("chunks of the greatest length", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(padded(ANSWER_MAX_BYTES)), LAST_CHUNK)),
  ),
  wired("chunks one byte longer", 4, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(padded(ANSWER_MAX_BYTES)), chunk(" "), LAST_CHUNK)),
  ),
  wired("the greatest length without a length", 9, ({ socket }) =>
    socket.end(head({ version: "1.0", fields: JSON_TYPE }) + padded(ANSWER_MAX_BYTES)),
  ),
  wired("one byte longer without a length", 4, ({ socket }) =>
    socket.end(head({ version: "1.0", fields: JSON_TYPE }) + padded(ANSWER_MAX_BYTES + 1)),
  ),
  wired("the greatest length and a type of 8000 bytes", 9, ({ socket }) => {
    const fields = { "Content-Type": `application/json; x=${"x".repeat(8000)}`, "Content-Length": ANSWER_MAX_BYTES };
    socket.end(message(head({ fields }), padded(ANSWER_MAX_BYTES)));
  }),
  wired("chunks that are too long and a type of 8000 bytes", 4, ({ socket }) => {
    const fields = { ...CHUNKED, "Content-Type": `application/json; x=${"x".repeat(8000)}` };
    socket.end(message(head({ fields }), chunk(padded(ANSWER_MAX_BYTES * 2)), LAST_CHUNK));
  }),
  marked(
    { slow: true },
    wired("a length of 1 GB, of which 1 MB comes", 4, ({ socket }) =>
      socket.write(message(head({ fields: { ...JSON_TYPE, "Content-Length": 1e9 } }), " ".repeat(1e6))),
    ),
  ),
  marked(
    {
      slow: true,
    },
    wired("chunks without end", 4, ({ socket }) => pour(socket, head({ fields: CHUNKED }), chunk(" ".repeat(65_536)))),
  ),
  marked(
    {
      slow: true,
    },
    wired("bytes without end", 4, ({ socket }) =>
      pour(socket, head({ fields: JSON_TYPE }), Buffer.from("[".repeat(65_536))),
    ),
  ),
];

/** Sends again and again, as fast as the client reads. */
function pour(socket: Socket, first: string, again: Buffer): void {
  socket.write(first);
  const go = (): void => {
    while (!socket.destroyed && socket.write(again));
    if (!socket.destroyed) socket.once("drain", go);
  };
  go();
}

export const cutShort: readonly HostileAnswer[] = [
  marked(
    {
      atOnce: true,
    },
    wired("a connection that is closed before the request is there", 1, ({ socket }) => socket.destroy()),
  ),
  wired("a connection that is closed for an answer", 1, ({ socket }) => socket.end()),
  wired("a connection that is reset for an answer", 1, ({ socket }) => socket.resetAndDestroy()),
  wired("half a status line", 1, ({ socket }) => socket.end("HTTP/1.1 20")),
  wired("a status line alone", 1, ({ socket }) => socket.end("HTTP/1.1 200 OK\r\n")),
  wired("fields without end", 1, ({ socket }) => socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")),
  wired("100 alone", 1, ({ socket }) => socket.end(interim(100))),
  wired("one byte less than its length", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": GOOD.length + 1 } }),
  ),
  wired("half of its length", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": GOOD.length * 2 } })),
  wired("a length above the limit, of which little comes", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": ANSWER_MAX_BYTES + 1000 } }),
  ),
  wired("nothing of its length", 1, ({ socket }) =>
    socket.end(head({ fields: { ...JSON_TYPE, "Content-Length": 5 } })),
  ),
  wired("a reset within the body", 1, ({ socket }) =>
    socket.write(message(head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length + 1 } }), GOOD), () =>
      setTimeout(() => socket.resetAndDestroy(), 300),
    ),
  ),
  wired("a reset behind a body without a length", 1, ({ socket }) =>
    socket.write(head({ fields: JSON_TYPE }) + GOOD, () => setTimeout(() => socket.resetAndDestroy(), 300)),
  ),
  wired("no last chunk", 1, ({ socket }) => socket.end(message(head({ fields: CHUNKED }), chunk(GOOD)))),
  wired("half a chunk", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), `${(5000).toString(16)}\r\n`, GOOD)),
  ),
  wired("half a last chunk", 1, ({ socket }) => socket.end(message(head({ fields: CHUNKED }), chunk(GOOD), "0"))),
  wired("a chunk whose length is no number", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), "xyz\r\n", GOOD, "\r\n", LAST_CHUNK)),
  ),
  wired("a chunk longer than it says", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), "5\r\n", GOOD, "\r\n", LAST_CHUNK)),
  ),
  wired("no HTTP", 1, ({ socket }) => socket.end("SSH-2.0-x\r\n")),
  wired("a body without a head (HTTP/0.9)", 1, ({ socket }) => socket.end(GOOD)),
  wired("a length that is no number", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": "abc" } })),
  wired("a length below zero", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": -1 } })),
  wired("a length with letters behind", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": `${GOOD.length}x` } }),
  ),
  wired("two lengths", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": GOOD.length, "content-length": GOOD.length - 1 } }),
  ),
  wired("both a length and chunks", 1, ({ socket }) =>
    socket.end(message(head({ fields: { ...CHUNKED, "Content-Length": GOOD.length } }), chunk(GOOD), LAST_CHUNK)),
  ),
  wired("two types, the wrong one first", 4, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": "text/html", "content-type": "application/json" } }),
  ),
  wired("two types, the right one first", 4, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": "application/json", "content-type": "text/html" } }),
  ),
  wired("a status of four digits", 1, ({ socket }) =>
    socket.end(`HTTP/1.1 2000 X\r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD}`),
  ),
];

/** One byte a second for ever. */
function drip(socket: Socket, first: string, again: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(again), 1000);
  socket.on("close", () => clearInterval(timer)).on("error", () => clearInterval(timer));
}

const SLOW = { slow: true } as const;

export const slow: readonly HostileAnswer[] = [
  marked(
    SLOW,
    wired("no answer", 1, () => undefined),
  ),
  marked(
    { slow: true, atOnce: true },
    wired("no answer, and the request is not read", 1, ({ socket }) => void socket.pause()),
  ),
  marked(
    SLOW,
    wired("a status line a byte a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 ", "O")),
  ),
  marked(
    SLOW,
    wired("fields a byte a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 OK\r\nX-Slow: ", "x")),
  ),
  marked(
    SLOW,
    wired("a field a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 OK\r\n", "X: x\r\n")),
  ),
  marked(
    SLOW,
    wired("100 each second", 1, ({ socket }) => drip(socket, "", interim(100))),
  ),
  marked(
    SLOW,
    wired("103 each second", 1, ({ socket }) => drip(socket, "", interim(103))),
  ),
  marked(
    SLOW,
    wired("a good body, and then the rest of its length a byte a second", 1, ({ socket }) =>
      drip(socket, head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length + 100 } }) + GOOD, " "),
    ),
  ),
  marked(
    SLOW,
    wired("a good body without a length, and then a byte a second", 1, ({ socket }) =>
      drip(socket, head({ fields: JSON_TYPE }) + GOOD, " "),
    ),
  ),
  marked(
    SLOW,
    wired("a good chunk, and then one a second", 1, ({ socket }) =>
      drip(socket, message(head({ fields: CHUNKED }), chunk(GOOD)).toString(), chunk(" ").toString()),
    ),
  ),
  marked(
    SLOW,
    wired("a good chunk, and then nothing", 1, ({ socket }) =>
      socket.write(message(head({ fields: CHUNKED }), chunk(GOOD))),
    ),
  ),
  marked(
    SLOW,
    wired("a good body without a length, and then nothing", 1, ({ socket }) =>
      socket.write(head({ fields: JSON_TYPE }) + GOOD),
    ),
  ),
  marked(
    SLOW,
    wired("a good answer in pieces, in three seconds", 9, ({ socket }) => {
      const whole = head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length } }) + GOOD;
      const pieces = [0, 1, 2, 3].map((i) => whole.slice((i * whole.length) / 4, ((i + 1) * whole.length) / 4));
      pieces.forEach((piece, i) => setTimeout(() => socket.write(piece), i * 1000));
    }),
  ),
  // What is refused is known by the head: nobody waits for the rest of it.
  marked(
    SLOW,
    wired("404, of whose body nothing comes", 2, ({ socket }) =>
      socket.write(head({ status: 404, fields: { ...JSON_TYPE, "Content-Length": 5 } })),
    ),
  ),
  marked(
    SLOW,
    wired("500, of whose body nothing comes", 3, ({ socket }) =>
      socket.write(head({ status: 500, fields: { ...JSON_TYPE, "Content-Length": 5 } })),
    ),
  ),
  wired("404 with half of its body", 2, ({ socket }) =>
    sendGood(socket, { status: 404, fields: { "Content-Length": GOOD.length * 2 } }),
  ),
];
