/** The listener of `reconcile` over a socket: what HTTP itself refuses is refused as the service refuses it, in JSON. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen, type Listening } from "../../../generator/reconcile/listen.ts";
import { reconcileRoute } from "../../../generator/reconcile/route.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { nasty } from "../../support/nasty.ts";
import { halfClosed, raw } from "../../support/raw.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";

const errors: unknown[] = [];
let release: Release;
let service: Listening;
beforeAll(async () => {
  release = openRelease(await buildRelease(checkedRegistry(nasty)));
  const makeRoute = (port: number) => reconcileRoute(release, `http://127.0.0.1:${port}`);
  service = await listen(makeRoute, { port: 0, onError: (error) => errors.push(error) });
});
afterAll(async () => {
  await service.close();
  release.close();
  expect(errors).toEqual([]);
});

const FORM = 'queries={"q":{"query":"taxi"}}';
const post = (fields: string, body = FORM) =>
  `POST /0.2 HTTP/1.1\r\n${fields}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
const TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";

it.each<[request: string, status: number, code: string]>([
  ["GET /0.2 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "invalid_http"],
  ["GET /0.2 HTTP/1.1\r\nHost: x@y:1:2\r\n\r\n", 400, "invalid_http"],
  ["GET /0.2 HTTP/1.1\r\n\r\n", 400, "invalid_http"],
  ["GET /0.2 HTTP/2.0\r\nHost: a\r\n\r\n", 400, "invalid_http"],
  ["GET /0.2#x HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_http"],
  ["CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_http"],
  [`POST /0.2 HTTP/1.1\r\nHost: a\r\n${TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, "invalid_http"],
  [post("Host: a\r\nExpect: more\r\n"), 417, "expectation_failed"],
  [post(`Host: a\r\n${TYPE}Content-Type: text/plain\r\n`), 415, "unsupported_media_type"],
])("%j is refused in JSON: %i", async (request, status, code) => {
  const reply = await raw(service.port, request);
  expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n`));
  expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({ data: null, error: { code } });
});

it("answers a client that has closed its half, in any form of the target", async () => {
  for (const target of ["/0.2", `http://127.0.0.1:${service.port}/0.2`])
    expect(await halfClosed(service.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200 [^]*"versions":\["0.2"\]/,
    );
});

it("tells a client to go on only where its body is read", async () => {
  const statuses = async (fields: string) => {
    const reply = await raw(service.port, post(`Host: a\r\nExpect: 100-continue\r\n${fields}`));
    return [...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
  };
  expect(await statuses(TYPE)).toEqual(["100", "200"]);
  expect(await statuses("Content-Type: text/plain\r\n")).toEqual(["415"]);
});
