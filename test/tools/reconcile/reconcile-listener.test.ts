/** The listener of `reconcile` refuses in JSON what HTTP itself refuses, as the service does. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen, type Listening } from "../../../generator/tools/reconcile/listen.ts";
import { reconcileRoute } from "../../../generator/tools/reconcile/route.ts";
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
  ["GET /0.2 HTTP/1.1\r\nHost: a\r\nb@d name: 1\r\n\r\n", 400, "invalid_http"],
  ["CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_http"],
  [`POST /0.2 HTTP/1.1\r\nHost: a\r\n${TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, "invalid_http"],
  [post("Host: a\r\nExpect: more\r\n"), 417, "expectation_failed"],
  [post(`Host: a\r\n${TYPE}Content-Type: text/plain\r\n`), 415, "unsupported_media_type"],
])("%j is refused in JSON: %i", async (request, status, code) => {
  const reply = await raw(service.port, request);
  expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n`));
  expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({ data: null, error: { code } });
});

it.each([
  ["a query", post(`Host: a\r\n${TYPE}`), "N-TAXI"],
  ["a listing", "GET /0.2/suggest/entity?prefix=name%20of%20n-taxi HTTP/1.1\r\nHost: a\r\n\r\n", "N-TAXI"],
  ["the absolute form of a target", "GET http://a/0.2 HTTP/1.1\r\nHost: a\r\n\r\n", "versions"],
])("answers %s although its client has closed its half", async (_what, request, expected) => {
  const reply = await halfClosed(service.port, request);
  expect(reply).toMatch(/^HTTP\/1.1 200 /);
  expect(reply).toContain(`"${expected}"`);
});

it("tells a client to go on only where its body is read, and reports none of all this", async () => {
  const statuses = async (fields: string) => {
    const reply = await raw(service.port, post(`Host: a\r\nExpect: 100-continue\r\n${fields}`));
    return [...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
  };
  expect(await statuses(TYPE)).toEqual(["100", "200"]);
  expect(await statuses("Content-Type: text/plain\r\n")).toEqual(["415"]);
  expect(errors).toEqual([]);
});
