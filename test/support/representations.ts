/** What the tests of representations share: all of them, how to ask, and what a reply must be. */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect } from "vitest";
import { ErrorEnvelope } from "../../runtime/contract/resolution.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { schemaNames, schemaPath } from "../../runtime/contract/policy.ts";
import { problem, type ProblemCode } from "../../runtime/contract/problem.ts";
import { RECIPES } from "./documents.ts";
import { nasty } from "./nasty.ts";
import { exchangeOne, type WireReply } from "./raw.ts";
import { checkedRegistry } from "./registry.ts";
import { expectSchema } from "./schemas.ts";
import { type Reply, type Service, startService } from "./service.ts";

// Its types need those of the DOM, so it is taken without any.
const require = createRequire(import.meta.url);
const { parseDictionary } = require("structured-headers") as {
  parseDictionary: (text: string) => Map<string, [value: unknown, parameters: Map<string, unknown>]>;
};

/** The service that the functions below ask. */
export let service: Service;

/** Starts it for a file of tests. */
export function useService(): void {
  beforeAll(async () => {
    service = await startService(checkedRegistry(nasty));
  });
  afterAll(() => service.close());
}

/** A table of texts: one by one with spaces between, or with bars where they hold spaces. */
export const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" "));
export const cells = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" | "));

export const JSON_TYPE = "application/json";
export const HTML_TYPE = "text/html; charset=utf-8";
export const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
export const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const PUBLIC = "public, max-age=300, must-revalidate, no-transform";
/** What a browser asks for. */
export const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/** The ten routes of contract §4.5 and O-09, with the media types of 200 in the server's order. */
export const ten: readonly (readonly [path: string, first: string, ...others: string[]])[] = [
  ["/.well-known/api-catalog", LINKSET_TYPE],
  ["/.well-known/service-semantics-discovery.json", JSON_TYPE],
  ["/answers", JSON_TYPE, HTML_TYPE, MARKDOWN_TYPE],
  ["/answers.json", JSON_TYPE],
  ["/answers.md", MARKDOWN_TYPE],
  ["/api-reference", JSON_TYPE, HTML_TYPE, MARKDOWN_TYPE],
  ["/api-reference.json", JSON_TYPE],
  ["/api-reference.md", MARKDOWN_TYPE],
  ["/openapi.json", JSON_TYPE],
  ["/mcp-server.json", JSON_TYPE],
];

/** One representation and how to ask for it. */
export interface Asked {
  readonly target: string;
  readonly accept: string;
}

export const representations: readonly Asked[] = ten.flatMap(([target, ...types]) =>
  types.map((accept) => ({ target, accept })),
);
export const isPage = ({ accept }: Asked): boolean => accept === HTML_TYPE;
export const pages = representations.filter(isPage);

export const REPORTS = RECIPES.map((id) => `/api/v1/integration-readiness/report/${id}`);
export const KITS = RECIPES.map((id) => `/api/v1/integration-studio/kit/${id}.zip`);

/** The documents of §4.4, the schemas, and the files for crawlers. */
export const documents: readonly Asked[] = [
  paths.connect,
  paths.capabilities,
  paths.wellKnownCapabilities,
  paths.agentTool,
  paths.agentInstructions,
  paths.adoptionGuide,
  "/api/v1/integration-readiness",
  ...REPORTS,
  "/api/v1/integration-studio",
  ...KITS,
  paths.llms,
  paths.robots,
  paths.sitemap,
  paths.securityText,
  ...schemaNames.map(schemaPath),
].map((target) => ({ target, accept: "*/*" }));
export const registryDocuments: readonly Asked[] = words(
  "/api/v1/concepts /api/v1/concepts/N-QUOTES /registry/bundle.ndjson",
  "/registry/retired.json /registry/history.json /registry/coverage.json",
).map((target) => ({ target, accept: "*/*" }));
export const negotiatedMachine = representations.filter((asked) => !isPage(asked));
export const machine = [...negotiatedMachine, ...documents, ...registryDocuments];

export type RequestFields = Record<string, string>;

export function get({ target, accept }: Asked, fields: RequestFields = {}, method = "GET"): Promise<Reply> {
  return service.send(method, target, { headers: { accept, ...fields } });
}

export function header(reply: Reply | undefined, name: string): string {
  const value = reply?.headers[name];
  return typeof value === "string" ? value : "";
}

/** All fields but the date, and but those named. */
export function fieldsOf({ headers }: Reply, but: readonly string[] = []): RequestFields {
  const kept = Object.entries(headers).filter(([name]) => name !== "date" && !but.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** What a page's nonce changes with each response. */
export const OF_ONE_RESPONSE = ["etag", "repr-digest", "x-content-sha256", "content-security-policy"];

export function expectRefusal(reply: Reply, code: ProblemCode): void {
  const { status, message } = problem(code);
  expect(reply.status).toBe(status);
  // Word for word, so that nothing of the request or of the server's insides can stand in it.
  expect(expectSchema(ErrorEnvelope, reply.json()).error).toEqual({ code, message });
  expect(reply.headers).toMatchObject({ "content-type": JSON_TYPE, "cache-control": "no-store" });
  expect(Object.keys(reply.headers).filter((name) => OF_ONE_RESPONSE.includes(name))).toEqual([]);
  expect(reply.headers.location).toBeUndefined();
}

/** The three spellings of the digest, against the bytes. */
export function expectTrueDigests(reply: Reply): void {
  const digest = createHash("sha256").update(reply.body);
  const hex = digest.copy().digest("hex");
  expect(header(reply, "x-content-sha256")).toBe(hex);
  expect(header(reply, "etag")).toBe(`"${hex}"`);
  const dictionary = parseDictionary(header(reply, "repr-digest"));
  expect([...dictionary.keys()]).toEqual(["sha-256"]);
  const [bytes, parameters] = dictionary.get("sha-256") ?? [];
  // A byte sequence, neither string nor token.
  expect(bytes).toBeInstanceOf(ArrayBuffer);
  expect(Buffer.from(bytes as ArrayBuffer).equals(digest.digest())).toBe(true);
  expect(parameters?.size).toBe(0);
}

/** Asks over a connection of its own, with these lines as they are; a character is a byte. */
export function ask(target: string, lines: readonly string[] = []): Promise<WireReply> {
  const head = [`GET ${target} HTTP/1.1`, "Host: registry.example", ...lines, "Connection: close", "", ""];
  return exchangeOne(service, Buffer.from(head.join("\r\n"), "latin1"));
}
