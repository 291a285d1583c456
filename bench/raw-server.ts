/** The baseline: node:http alone, doing what the service does for two routes, with the same functions and bytes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isNotModified } from "../runtime/conditional.ts";
import { sha256 } from "../runtime/digest.ts";
import { policies } from "../runtime/policy.ts";
import { openRelease } from "../runtime/release.ts";
import { answerResolve } from "../runtime/resolve-answer.ts";

const { index, manifest, documents } = openRelease(process.argv[2] ?? "dist");
const common = [
  "access-control-allow-origin", "*",
  "access-control-expose-headers", "ETag, Repr-Digest, X-Content-SHA256, Content-Location",
  "x-content-type-options", "nosniff",
]; // prettier-ignore
const answer = [...common, "content-type", "application/json", "cache-control", "no-store"];
const registry = [...common, "content-type", "application/json", "cache-control", policies.json.cacheControl];

const prepared = new Map(
  [...documents].map(([path, body]) => {
    const hex = sha256(body);
    const kept = [...common, "cache-control", policies.json.cacheControl, ...validators(path, hex)];
    const fields = [...kept, "content-type", "application/json", "content-length", String(body.length)];
    return [path, { body, kept, fields, tag: `"${hex}"` }];
  }),
);

function validators(path: string, hex: string): string[] {
  return [
    "content-location", manifest.origin + path, "etag", `"${hex}"`,
    "repr-digest", `sha-256=:${Buffer.from(hex, "hex").toString("base64")}:`, "x-content-sha256", hex,
  ]; // prettier-ignore
}

const server = createServer((request, response) => {
  if (request.headers.host === undefined) return void response.writeHead(400, answer).end();
  if (request.method === "POST") {
    if (request.headers["content-type"] !== "application/json") return void response.writeHead(415, answer).end();
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const result = answerResolve(index, Buffer.concat(chunks));
        if (!result.ok) return void response.writeHead(result.problem.status, answer).end();
        response.writeHead(200, [...answer, "content-length", String(result.body.length)]).end(result.body);
      });
    return;
  }
  const document = prepared.get(request.url ?? "");
  if (document !== undefined) {
    const { body, kept, fields, tag } = document;
    if (isNotModified(request.headers["if-none-match"], tag)) return void response.writeHead(304, kept).end();
    return void response.writeHead(200, fields).end(body);
  }
  const code = (request.url ?? "").slice("/api/v1/concepts/".length);
  const id = index.conceptId(code);
  if (id === undefined) return void response.writeHead(404, answer).end();
  const { detail, detailDigest } = index.concept(id);
  const hex = Buffer.from(detailDigest).toString("hex");
  const fields = validators(`/api/v1/concepts/${code}`, hex);
  if (isNotModified(request.headers["if-none-match"], `"${hex}"`)) {
    response.writeHead(304, [...common, "cache-control", policies.json.cacheControl, ...fields]).end();
    return;
  }
  const body = index.read(detail);
  response.writeHead(200, [...registry, ...fields, "content-length", String(body.length)]).end(body);
});
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
