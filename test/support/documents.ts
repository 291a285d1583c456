/** The documents of a running service as values, and walks over them. */
import path from "node:path";
import { expect } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import { project } from "./project.ts";
import { registryIn } from "./registry.ts";
import type { Service } from "./service.ts";

/** Paths that take POST alone. */
export const POST_ONLY: readonly string[] = ["/api/v1/resolve", "/mcp"];

/** The five recipes, as the contract names them (§4.4). */
export const RECIPES = [
  "multilingual-memory",
  "workflow-routing",
  "api-event-interoperability",
  "clarification",
  "audit-provenance",
] as const;

/** The pages that are no concept's, in the order of the sitemap. */
export const PAGES: readonly string[] = [
  ..."/ /concepts /coverage /answers /api-reference".split(" "),
  ..."resolve concepts registry agents discovery rules".split(" ").map((area) => `/api-reference/${area}`),
  "/mcp-guide",
  "/integration-studio",
];

/** Every JSON document at a fixed path; `schema` names its published schema. */
export const DOCUMENTS: readonly { readonly path: string; readonly schema: string }[] = [
  { path: "/api/v1/agent/connect", schema: "agent-connect" },
  { path: "/api/v1/capabilities", schema: "capabilities" },
  { path: "/.well-known/service-semantics.json", schema: "capabilities" },
  { path: "/agent-tool.json", schema: "agent-tool" },
  { path: "/api/v1/adoption-guide", schema: "adoption-guide" },
  { path: "/api/v1/integration-readiness", schema: "integration-readiness" },
  ...RECIPES.map((id) => ({ path: `/api/v1/integration-readiness/report/${id}`, schema: "integration-report" })),
  { path: "/api/v1/integration-studio", schema: "integration-studio" },
  { path: "/.well-known/api-catalog", schema: "api-catalog" },
  { path: "/.well-known/service-semantics-discovery.json", schema: "discovery" },
  { path: "/.well-known/service-semantics-deployment.json", schema: "deployment" },
  { path: "/answers.json", schema: "answers" },
  { path: "/api-reference.json", schema: "api-reference" },
  { path: "/mcp-server.json", schema: "mcp-server" },
  { path: "/api/v1/status", schema: "status" },
  { path: "/registry/retired.json", schema: "registry-retired" },
  { path: "/registry/history.json", schema: "registry-history" },
  { path: "/registry/coverage.json", schema: "registry-coverage" },
  { path: "/api/v1/concepts", schema: "concept-list" },
];

let readOnce: CheckedRegistry | undefined;

/** The project's own registry, read once. */
export function starterRegistry(): CheckedRegistry {
  return (readOnce ??= registryIn(path.join(project, "registry")));
}

/** A JSON document that answers 200 at its path. */
export async function getJson<T = Record<string, unknown>>(service: Service, target: string): Promise<T> {
  const reply = await service.send("GET", target);
  expect([target, reply.status]).toEqual([target, 200]);
  expect(reply.headers["content-type"]).toMatch(/^application\/(?:[a-z-]+\+)?json\b/);
  return reply.json() as T;
}

/** A text that answers 200 at its path with this media type. */
export async function getText(service: Service, target: string, type: string): Promise<string> {
  const reply = await service.send("GET", target, { headers: { accept: type.split(";")[0] ?? type } });
  expect([target, reply.status, reply.headers["content-type"]]).toEqual([target, 200, type]);
  return reply.body.toString();
}

export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";

/** Every published concept, from the public bundle. */
export async function publishedConcepts(service: Service): Promise<ConceptDetail[]> {
  const { body } = await service.send("GET", "/registry/bundle.ndjson");
  const lines = body.toString().split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as ConceptDetail);
}

export interface Member {
  /** JSON Pointer of the object that holds it. */
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** Every member of every object in a JSON value. */
export function* members(value: unknown, pointer = ""): Generator<Member, void> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { pointer, name, value: inner };
    yield* members(inner, `${pointer}/${name}`);
  }
}

/** Every string in a JSON value. */
export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(strings);
}
