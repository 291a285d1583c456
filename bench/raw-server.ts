/** The baseline: node:http alone, doing what the service does for two routes, with the same functions and bytes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isNotModified } from "../runtime/conditional.ts";
import { policies } from "../runtime/policy.ts";
import { openRelease } from "../runtime/release.ts";
import { answerResolve } from "../runtime/resolve-answer.ts";

const { index, manifest } = openRelease(process.argv[2] ?? "dist");
const common = [
  "access-control-allow-origin", "*",
  "access-control-expose-headers", "ETag, Repr-Digest, X-Content-SHA256, Content-Location",
  "x-content-type-options", "nosniff",
]; // prettier-ignore
const answer = [...common, "content-type", "application/json", "cache-control", "no-store"];
const registry = [...common, "content-type", "application/json", "cache-control", policies.json.cacheControl];

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
  const code = (request.url ?? "").slice("/api/v1/concepts/".length);
  const id = index.conceptId(code);
  if (id === undefined) return void response.writeHead(404, answer).end();
  const { detail, detailDigest } = index.concept(id);
  const digest = Buffer.from(detailDigest);
  const hex = digest.toString("hex");
  const fields = [
    "content-location", `${manifest.origin}/api/v1/concepts/${code}`, "etag", `"${hex}"`,
    "repr-digest", `sha-256=:${digest.toString("base64")}:`, "x-content-sha256", hex,
  ]; // prettier-ignore
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
