/** The API catalog, discovery receipt and MCP manifest, which lead programs to the rest. */
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { discovery, routeInventorySha256 } from "../../../generator/documents/discovery.ts";
import { viewOf } from "../../support/view.ts";
import { Concepts } from "../../../generator/registry/concepts.ts";
import type { Discovery, InventoryRoute } from "../../../generator/contract/reference.ts";
import type { Linkset } from "../../../runtime/contract/representation.ts";
import { getJson, getText, HTML, members, strings } from "../../support/documents.ts";
import { idsOf, textOf } from "../../support/markup.ts";
import { nasty } from "../../support/nasty.ts";
import { expectValid, publishedSchema } from "../../support/schemas.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";
import { serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

const PROFILE = "https://www.rfc-editor.org/info/rfc9727";
const CATALOG = "/.well-known/api-catalog";
const RECEIPT = "/.well-known/service-semantics-discovery.json";

const catalog = () => getJson<Linkset>(service, CATALOG);

describe("/.well-known/api-catalog", () => {
  it("G13: is a linkset as RFC 9264 has it, with the profile of RFC 9727", async () => {
    const reply = await service.send("GET", CATALOG);
    expect([reply.status, reply.headers["content-type"]]).toEqual([
      200,
      `application/linkset+json; profile="${PROFILE}"`,
    ]);
    expectValid(await publishedSchema(service, "api-catalog"), reply.json());
  });

  it("E02 O-01: links the status document with the relation status", async () => {
    const contexts = (await catalog()).linkset.filter(({ anchor }) => !anchor.endsWith(CATALOG));
    const link = [{ href: `${ORIGIN}/api/v1/status`, type: "application/json" }];
    expect(contexts).toMatchObject([{ status: link }, { status: link }]);
  });
});

/** RFC 8785 for simple numbers: sorted by UTF-16 code units, as JavaScript sorts. */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${jcs(inner)}`).join(",")}}`;
}

describe("the discovery receipt", () => {
  const receipt = () => getJson<Discovery>(service, RECEIPT);

  it("G17 O-46: has a digest that can be recomputed by the published rule", async () => {
    const { routes, routeInventorySha256: digest, routeInventoryRule } = await receipt();
    expect(digest).toBe(sha256(jcs(routes)));
    expect(routeInventoryRule).toMatch(/SHA-256[\s\S]*RFC 8785[\s\S]*routes/);
    // As the API reference recommends it for a shell: compact output with sorted names.
    expect(sha256(canonicalize(routes) ?? "")).toBe(digest);
  });

  it("G44: says that it detects drift only, establishes no publisher, and grants nothing", async () => {
    const { detects, publisherAuthenticity, authorizationGranted, sideEffects } = await receipt();
    expect(detects).toMatch(/drift only/i);
    expect(detects).toMatch(/does not establish who published it/i);
    expect(detects).toMatch(/grants no authorization/i);
    expect([publisherAuthenticity, authorizationGranted, sideEffects]).toEqual([false, "none", "none"]);
  });

  it("G45: changes its digest with any media type, location or policy, and with the list of routes", async () => {
    const { routes, routeInventorySha256: digest } = await receipt();
    expect(routeInventorySha256(routes)).toBe(digest);
    const seen = new Set([digest]);
    const changed = (other: readonly InventoryRoute[]): void => {
      const made = routeInventorySha256(other);
      expect(made).toMatch(/^[0-9a-f]{64}$/);
      expect(seen.has(made)).toBe(false);
      seen.add(made);
    };
    routes.forEach((route, i) => {
      const put = (other: InventoryRoute): void => changed(routes.with(i, other));
      for (const name of ["path", "url", "mediaType", "contentLocation", "cachePolicy"] as const) {
        put({ ...route, [name]: `${route[name]}x` });
      }
      put({ ...route, methods: ["GET"] });
      route.representations.forEach((representation, j) => {
        for (const name of ["mediaType", "contentLocation", "cachePolicy"] as const) {
          const other = { ...representation, [name]: `${representation[name]}x` };
          put({ ...route, representations: route.representations.with(j, other) });
        }
      });
      changed(routes.toSpliced(i, 1));
    });
    changed(routes.toReversed());
  });

  it("G45: does not depend on the order in which members are written", async () => {
    const { routes, routeInventorySha256: digest } = await receipt();
    const reversed = routes.map((route) => Object.fromEntries(Object.entries(route).toReversed()) as InventoryRoute);
    expect(routeInventorySha256(reversed)).toBe(digest);
  });

  it("G45: is another one at another origin, and the same for another registry at the same origin", () => {
    const registry = checkedRegistry(nasty);
    const digest = (origin: string, from = registry): string => discovery(viewOf(from, origin)).routeInventorySha256;
    expect(digest(ORIGIN)).not.toBe(digest("https://a.example"));
    expect(digest(ORIGIN)).toBe(digest(ORIGIN, { ...registry, concepts: Concepts.of([]) }));
  });
});

describe("/mcp-server.json", () => {
  const REQUIRED = [
    "$schema", "schema", "service", "protocol", "requestRequirements", "security", "capabilities",
    "supportedMethods", "identityAcceptanceRule", "directApiAlternative",
  ]; // prettier-ignore

  // What its schema takes and refuses: test/service/documents/components.test.ts.
  it("G47: has the ten required names", async () => {
    const manifest = await getJson(service, "/mcp-server.json");
    expect(Object.keys(manifest)).toEqual(expect.arrayContaining(REQUIRED));
    expect(manifest["$schema"]).toBe(`${ORIGIN}/schemas/mcp-server.v1.json`);
  });

  it("M29: says that it is a convenience, and that server/discover on POST /mcp is the standard discovery", async () => {
    const manifest = await getJson<{ protocol: Record<string, unknown>; description: string }>(
      service,
      "/mcp-server.json",
    );
    expect(manifest.description).toMatch(/convenience of this deployment/i);
    expect(manifest.description).toMatch(/standards?-defined discovery operation is server\/discover on POST \/mcp/i);
    expect(manifest.protocol).toMatchObject({
      version: "2026-07-28",
      endpoint: `${ORIGIN}/mcp`,
      method: "POST",
      stateless: true,
      discovery: "server/discover",
    });
  });

  it("M24: names the seven methods, the one tool, the limits of clientInfo and the direct alternative", async () => {
    const manifest = await getJson(service, "/mcp-server.json");
    expect(manifest["supportedMethods"]).toEqual([
      "server/discover",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
      "prompts/list",
      "prompts/get",
    ]);
    expect(manifest["tools"]).toMatchObject([{ name: "resolve_service_semantics", sideEffects: "none" }]);
    expect(manifest["directApiAlternative"]).toMatchObject({ method: "POST", url: `${ORIGIN}/api/v1/resolve` });
    const said = strings(manifest).join("\n");
    expect(said).toMatch(/1 to 200 characters each/);
    for (const name of ["protocolVersion", "clientCapabilities", "clientInfo"]) {
      expect([...members(manifest)].map((member) => member.name)).toContain(`io.modelcontextprotocol/${name}`);
    }
  });
});

describe("/mcp-guide", () => {
  it("G48 O-49: is a page for people with one place of the id identity-recovery", async () => {
    const page = await getText(service, "/mcp-guide", HTML);
    const ids = idsOf(page);
    expect(ids.filter((id) => id === "identity-recovery")).toEqual(["identity-recovery"]);
    const section = textOf(page.slice(page.indexOf('id="identity-recovery"')));
    expect(section).toMatch(/\/\.well-known\/service-semantics-deployment\.json/);
    for (const category of [
      "identity_document_invalid_json",
      "identity_document_missing_or_unsafe",
      "canonical_origin_invalid",
      "runtime_source_drift",
      "identity_validation_failed",
    ]) {
      expect(section).toContain(category);
    }
    expect(section).toMatch(/not a publisher\s+signature, not live-deployment proof and not an authorization grant/);
  });
});
