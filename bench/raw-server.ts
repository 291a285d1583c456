/** The baseline: only node:http, doing the service's work with the same functions and bytes. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isNotModified } from "../runtime/http/conditional.ts";
import { sha256 } from "../runtime/http/digest.ts";
import { makeMethods } from "../runtime/mcp/methods.ts";
import { readMessage } from "../runtime/mcp/request.ts";
import { formatResult } from "../runtime/mcp/result.ts";
import { paths } from "../runtime/contract/paths.ts";
import { policies } from "../runtime/contract/policy.ts";
import { openRelease } from "../runtime/release/release.ts";
import { answerResolve } from "../runtime/registry/answer.ts";
import { announce } from "./announce.ts";

const release = openRelease(process.argv[2] ?? "dist");
const { index, manifest, documents } = release;
const methods = makeMethods(release);
const common = [
  "access-control-allow-origin", "*",
  "access-control-expose-headers", "Accept-Encoding, Allow, Content-Location, Content-Range, ETag, Link, Repr-Digest, Retry-After, Vary, X-Content-SHA256, X-Service-Semantics-Deployment-Identity",
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
        if (request.url === paths.mcp) return answerMessage(request, response, Buffer.concat(chunks));
        const result = answerResolve(index, Buffer.concat(chunks));
        if (!result.ok) return void response.writeHead(result.problem.status, answer).end();
        const body = `${result.envelope}\n`;
        response.writeHead(200, [...answer, "content-length", String(Buffer.byteLength(body))]).end(body);
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
  response.writeHead(200, [...registry, ...fields, "content-length", String(Buffer.byteLength(body))]).end(body);
});

/** Answers the message, without the checks of Host, Origin and media type. */
function answerMessage({ headers }: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
  const field = (name: string): string | undefined => headers[name] as string | undefined;
  const fields = { version: field("mcp-protocol-version"), method: field("mcp-method"), name: field("mcp-name") };
  const message = readMessage(bytes, { fields, guide: "" });
  if (!message.ok) return void response.writeHead(message.error.status, answer).end();
  const result = methods[message.method](message.params);
  if (!result.ok) return void response.writeHead(result.error.status, answer).end();
  const { body } = formatResult(message.id, result.result);
  if (typeof body !== "string") throw new Error("Only tools/call is measured");
  response.writeHead(200, [...answer, "content-length", String(Buffer.byteLength(body))]).end(body);
}

announce(server);
