/** The deployment identity among the other documents: its label, its place, what is said of it, and that nothing can be written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { product } from "../../../runtime/contract/product.ts";
import {
  askWithoutDocument,
  deploy,
  type Deployment,
  digestFiles,
  IDENTITY_PATH,
  type Watched,
  watchDeployment,
} from "../../support/deployment.ts";
import { RECIPES } from "../../support/documents.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";

let own: Deployment;
let watched: Watched;
beforeAll(async () => {
  own = await deploy(checkedRegistry(nasty));
  watched = await watchDeployment(own);
});
afterAll(async () => {
  await watched.close();
  own.remove();
});

describe("the deployment identity", () => {
  it("V07 V08: carries the label of every other document, whose parts agree with each other", async () => {
    const label = { productVersion: "v22", packageVersion: "v22-wip", classification: "wip" };
    expect(product).toMatchObject(label);
    const identity: unknown = await (await watched.ask()).json();
    const refusal = (await (await askWithoutDocument(own, watched)).json()) as { error: { expectedRelease: unknown } };
    expect(identity).toMatchObject(label);
    expect(refusal.error.expectedRelease).toEqual(label);
    for (const target of [
      "/api/v1/capabilities",
      "/openapi.json",
      "/mcp-server.json",
      "/answers.json",
      "/api-reference.json",
    ]) {
      const text = await (await watched.ask({}, target)).text();
      const odd = text.match(/\bv\d+(?:-\w+)?(?=")/g)?.filter((each) => !["v1", "v22", "v22-wip"].includes(each)) ?? [];
      expect([target, odd, text.includes("v22-wip")]).toEqual([target, [], true]);
    }
  });

  it("V15: refuses as every other route of the contract does: 400, 404 twice, 406, 503, and an error of JSON-RPC", async () => {
    const json = { "content-type": "application/json" };
    const post = { method: "POST", headers: json, body: "{}" };
    const error = { code: expect.any(String) as string, message: expect.any(String) as string };
    const refused = { semanticAssignment: false, downstreamAuthorization: false, downstreamSideEffects: 0 };
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: meta } });
    const mcp = { "mcp-protocol-version": "2026-07-28", "mcp-method": "ping" };
    for (const [reply, status, body] of [
      [await watched.ask(post, "/api/v1/resolve"), 400, { data: null, error }],
      [await watched.ask({}, "/api/v1/concepts/NONE"), 404, { error: "concept_not_found" }],
      [
        await watched.ask({ headers: { accept: "image/png" } }, "/answers"),
        406,
        expect.objectContaining({ status: 406, ...refused }),
      ],
      [await askWithoutDocument(own, watched), 503, expect.objectContaining({ data: null })],
      [await watched.ask({}, "/api/v1/integration-readiness/report/none"), 404, { data: null, error }],
      [
        await watched.ask({ ...post, headers: { ...json, ...mcp }, body: call }, "/mcp"),
        404,
        { jsonrpc: "2.0", id: 1, error: expect.objectContaining({ code: -32601 }) as unknown },
      ],
    ] as const) {
      expect([reply.status, await reply.json()]).toEqual([status, body]);
    }
  });

  it("A17: is there beside every other named document", async () => {
    for (const target of [
      "/.well-known/api-catalog",
      "/.well-known/service-semantics-discovery.json",
      "/answers",
      "/api-reference",
      "/agent-instructions.txt",
      "/agent-tool.json",
      IDENTITY_PATH,
      "/api/v1/adoption-guide",
      "/api/v1/integration-readiness",
      "/api/v1/integration-studio",
      "/integration-studio",
      ...RECIPES.flatMap((id) => [
        `/api/v1/integration-readiness/report/${id}`,
        `/api/v1/integration-studio/kit/${id}.zip`,
      ]),
    ])
      expect([target, (await watched.ask({}, target)).status]).toEqual([target, 200]);
  });

  it("G11: says what it is not: no signature, no proof of a live deployment, no authorization", async () => {
    for (const target of ["/answers.md", "/api-reference.md", "/mcp-guide"]) {
      const text = (await (await watched.ask({}, target)).text()).replaceAll(/\s+/g, " ");
      expect([target, /(?:not a|no) publisher signature/.test(text)]).toEqual([target, true]);
      expect([target, /(?:not|no)(?: a)? (?:proof of a live deployment|live-deployment proof)/.test(text)]).toEqual([
        target,
        true,
      ]);
      expect([
        target,
        /(?:grants no authorization|not an authorization grant|no grant of authorization)/.test(text),
      ]).toEqual([target, true]);
    }
  });

  it("A26 O-60: takes no method that writes, at any path, and nothing changes", async () => {
    const before = digestFiles(own.root);
    const api = (await (await watched.ask({}, "/openapi.json")).json()) as { paths: Record<string, object> };
    const targets = Object.keys(api.paths).map((path) =>
      path.replace("{code}", "N-TAXI").replace("{recipeId}", "clarification"),
    );
    expect(targets.length).toBeGreaterThan(25);
    for (const target of [...targets, "/manifest.json", "/registry.index", "/nope"]) {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const { status } = await watched.ask(
          { method, body: "{}", headers: { "content-type": "application/json" } },
          target,
        );
        expect([method, target, [404, 405].includes(status)]).toEqual([method, target, true]);
      }
    }
    watched.later();
    expect([(await watched.ask()).status, digestFiles(own.root)]).toEqual([200, before]);
  });
});
