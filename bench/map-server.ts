/**
 * The independent baseline: only node:http, which finds prebuilt answers in a Map. It shares no
 * code with the service and has no request checks, no index and no preconditions. It sends the same
 * bytes with the same fields.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { announce } from "./announce.ts";

const out = process.argv[2] ?? "dist";
const DOCUMENTS = ["/api/v1/agent/connect", "/api/v1/capabilities", "/agent-tool.json", "/mcp-server.json"];
const common = [
  "Access-Control-Allow-Origin", "*",
  "Access-Control-Expose-Headers", "Accept-Encoding, Allow, Content-Location, Content-Range, ETag, Link, Repr-Digest, Retry-After, Vary, X-Content-SHA256, X-Service-Semantics-Deployment-Identity",
  "X-Content-Type-Options", "nosniff",
  "Content-Type", "application/json",
]; // prettier-ignore

interface Detail {
  readonly code: string;
  readonly name: string;
  readonly definition: string;
  readonly domain: string;
  readonly registryVersion: string;
  readonly expressions: readonly { readonly expression: string }[];
}

const answers = new Map<string, Buffer>();
for (const line of readFileSync(path.join(out, "registry/bundle.ndjson"), "utf8").trimEnd().split("\n")) {
  const { code, name, definition, domain, registryVersion, expressions } = JSON.parse(line) as Detail;
  for (const { expression } of expressions) {
    const concept = { code, name, definition, domain, registryVersion };
    const data = {
      input: { expression },
      status: "resolved",
      reason: null,
      embeddingProfile: null,
      concept,
      candidates: [],
      confidence: 1,
      margin: null,
    };
    answers.set(expression, Buffer.from(`${JSON.stringify({ data, error: null })}\n`));
  }
}
const documents = new Map(
  DOCUMENTS.map((name) => {
    const body = readFileSync(path.join(out, name));
    const hex = "0".repeat(64);
    const fields = [
      ...common, "Cache-Control", "public, max-age=300, must-revalidate, no-transform",
      "Content-Location", `http://127.0.0.1:8080${name}`, "ETag", `"${hex}"`,
      "Repr-Digest", `sha-256=:${Buffer.from(hex, "hex").toString("base64")}:`, "X-Content-SHA256", hex,
      "Content-Length", String(body.length),
    ]; // prettier-ignore
    return [name, { body, fields }];
  }),
);

const server = createServer((request, response) => {
  const document = documents.get(request.url ?? "");
  if (document !== undefined) return void response.writeHead(200, document.fields).end(document.body);
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk: Buffer) => chunks.push(chunk))
    .on("end", () => {
      const { expression } = JSON.parse(Buffer.concat(chunks).toString()) as { expression: string };
      const body = answers.get(expression) ?? Buffer.alloc(0);
      const fields = [...common, "Cache-Control", "no-store", "Content-Length", String(body.length)];
      response.writeHead(200, fields).end(body);
    });
});
announce(server);
