/** Status lines and fields, in HTTP that is right. */
import { gzipSync } from "node:zlib";
import {
  type HostileAnswer,
  wired,
  plain,
  marked,
  message,
  type Fields,
  head,
  chunk,
  LAST_CHUNK,
  JSON_TYPE,
  CHUNKED,
  GOOD,
  sendGood,
  ascii,
} from "./answer.ts";

const TYPES_TAKEN = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json;",
  "application/json ;x",
  "Application/Json;a=b",
  'application/json; x="text/html"',
  "application/json	; x",
  "application/json; charset=utf-16",
];
const TYPES_REFUSED = [
  "text/plain",
  "text/html; charset=utf-8",
  "application/problem+json",
  "application/jsonx",
  "application/json-seq",
  "xapplication/json",
  "application/json, text/html",
  "text/html, application/json",
  "application/ json",
  '"application/json"',
  "application/json charset=utf-8",
  "application",
  "json",
  "text/json",
  ";application/json",
  "application/json/x",
];

export const types: readonly HostileAnswer[] = [
  ...TYPES_TAKEN.map((contentType) => plain(`the type ${ascii(contentType)}`, 9, { contentType, body: GOOD })),
  ...TYPES_REFUSED.map((contentType) => plain(`the type ${ascii(contentType)}`, 4, { contentType, body: GOOD })),
  plain("no type", 4, { contentType: null, body: GOOD }),
  plain("an empty type", 4, { contentType: "", body: GOOD }),
  plain("a page", 4, { contentType: "text/html", body: "<!doctype html><title>200</title>" }),
  plain("a page that says it is JSON", 4, { body: "<!doctype html><title>200</title>" }),
  wired("a type with white space around", 9, ({ socket }) =>
    socket.end(
      message(head({ fields: { "Content-Type": " \t application/json \t ", "Content-Length": GOOD.length } }), GOOD),
    ),
  ),
  wired("a type without a space behind the colon, in small letters", 9, ({ socket }) =>
    socket.end(`HTTP/1.1 200 X\r\ncontent-type:application/json\r\ncontent-length:${GOOD.length}\r\n\r\n${GOOD}`),
  ),
];

const CLIENT_ERRORS = [400, 401, 404, 407, 408, 413, 421, 425, 429, 431, 451, 499];
const NOT_200 = [201, 202, 203, 205, 206, 207, 226, 299, 300, 399, 500, 502, 503, 504, 511, 599];
const REDIRECTS = [301, 302, 303, 307, 308];

export const statuses: readonly HostileAnswer[] = [
  ...CLIENT_ERRORS.map((status, i) =>
    marked(i % 3 === 0 ? {} : { more: true }, plain(`${status} with a good body`, 2, { status, body: GOOD })),
  ),
  ...NOT_200.map((status, i) =>
    marked(i % 3 === 0 ? {} : { more: true }, plain(`${status} with a good body`, 3, { status, body: GOOD })),
  ),
  plain("400 with a page", 2, { status: 400, contentType: "text/html", body: "<!doctype html>" }),
  plain("429 with nothing", 2, { status: 429, contentType: null, body: "" }),
  ...[204, 304].map((status) =>
    wired(`${status} without a body`, 3, ({ socket }) => socket.end(head({ status, fields: { ETag: '"x"' } }))),
  ),
  ...[600, 999].map((status) => wired(`the status ${status}`, 3, ({ socket }) => sendGood(socket, { status }))),
  ...REDIRECTS.map((status) =>
    wired(`a redirect by ${status}`, 3, ({ socket, elsewhere }) =>
      sendGood(socket, { status, fields: { Location: `http://127.0.0.1:${elsewhere}/api/v1/resolve` } }),
    ),
  ),
  wired("200 with a Location, a Refresh and an Alt-Svc", 9, ({ socket, elsewhere }) =>
    sendGood(socket, {
      fields: {
        Location: `http://127.0.0.1:${elsewhere}/`,
        "Content-Location": `http://127.0.0.1:${elsewhere}/`,
        Refresh: `0; url=http://127.0.0.1:${elsewhere}/`,
        "Alt-Svc": `h2="127.0.0.1:${elsewhere}"`,
      },
    }),
  ),
  wired("401 that asks for credentials", 2, ({ socket }) =>
    sendGood(socket, { status: 401, fields: { "WWW-Authenticate": 'Basic realm="x"' } }),
  ),
  wired("407 that asks for credentials", 2, ({ socket }) =>
    sendGood(socket, { status: 407, fields: { "Proxy-Authenticate": 'Basic realm="x"' } }),
  ),
  wired("503 that asks to come again", 3, ({ socket }) =>
    sendGood(socket, { status: 503, fields: { "Retry-After": "0" } }),
  ),
  wired("429 that asks to come again", 2, ({ socket }) =>
    sendGood(socket, { status: 429, fields: { "Retry-After": "0" } }),
  ),
];

export const interim = (status: number): string => `HTTP/1.1 ${status} X\r\nLink: </x>\r\n\r\n`;

export const goodHttp: readonly HostileAnswer[] = [
  ...[[100], [102], [103], [100, 103, 103]].map((all) =>
    wired(`${all.join(", ")} before 200`, 9, ({ socket }) => {
      socket.write(all.map(interim).join(""));
      sendGood(socket);
    }),
  ),
  wired("103 before 400", 2, ({ socket }) => {
    socket.write(interim(103));
    sendGood(socket, { status: 400 });
  }),
  wired("101, which nobody asked for", 3, ({ socket }) =>
    socket.end(`HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${GOOD}`),
  ),
  wired("HTTP/1.0 without a length", 9, ({ socket }) => socket.end(head({ version: "1.0", fields: JSON_TYPE }) + GOOD)),
  wired("HTTP/1.0 with a length", 9, ({ socket }) => sendGood(socket, { version: "1.0" })),
  wired("HTTP/1.1 without a length", 9, ({ socket }) => socket.end(head({ fields: JSON_TYPE }) + GOOD)),
  wired("a connection that is kept open behind the answer", 9, ({ socket }) =>
    socket.write(head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length, Connection: "keep-alive" } }) + GOOD),
  ),
  wired("200 without a reason", 9, ({ socket }) =>
    socket.end(`HTTP/1.1 200 \r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD}`),
  ),
  wired("chunks of one byte", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), ...Array.from(GOOD, (sign) => chunk(sign)), LAST_CHUNK)),
  ),
  wired("chunks with extensions and a trailer", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(GOOD, ";a=b"), "0;c\r\nX-Trailer: x\r\n\r\n")),
  ),
  wired("another type in the trailer", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(GOOD), "0\r\nContent-Type: text/html\r\n\r\n")),
  ),
  wired("the right type in the trailer alone", 4, ({ socket }) => {
    const fields = { ...CHUNKED, "Content-Type": "text/html" };
    socket.end(message(head({ fields }), chunk(GOOD), "0\r\nContent-Type: application/json\r\n\r\n"));
  }),
  wired("the right type in a 103 alone", 4, ({ socket }) => {
    socket.write("HTTP/1.1 103 X\r\nContent-Type: application/json\r\n\r\n");
    sendGood(socket, { fields: { "Content-Type": "text/html" } });
  }),
  wired("80 fields", 9, ({ socket }) => sendGood(socket, { fields: manyFields(80) })),
  wired("a field of 8000 bytes", 9, ({ socket }) => sendGood(socket, { fields: { "X-Long": "x".repeat(8000) } })),
  wired("a type of 8000 bytes", 9, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": `application/json; x=${"x".repeat(8000)}` } }),
  ),
  wired("a cookie", 9, ({ socket }) => sendGood(socket, { fields: { "Set-Cookie": "a=b; Max-Age=1000" } })),
  wired("gzip", 4, ({ socket }) => {
    const packed = gzipSync(GOOD);
    const fields = { ...JSON_TYPE, "Content-Encoding": "gzip", "Content-Length": packed.length };
    socket.end(message(head({ fields }), packed));
  }),
  wired("gzip as chunks", 4, ({ socket }) =>
    socket.end(
      message(head({ fields: { ...CHUNKED, "Content-Encoding": "gzip" } }), chunk(gzipSync(GOOD)), LAST_CHUNK),
    ),
  ),
];

function manyFields(count: number): Fields {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-Field-${i}`, i]));
}
