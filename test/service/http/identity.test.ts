/**
 * The verified deployment identity on the wire: its document, its digests recomputed from the disk,
 * its fields, its conditions; its place and label among the other documents, and that nothing can
 * be written.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeploymentIdentity } from "../../../runtime/contract/identity.ts";
import { product } from "../../../runtime/contract/product.ts";
import { CORS_FIELDS } from "../../../runtime/http/cors.ts";
import {
  askWithoutDocument,
  deploy,
  type Deployment,
  digestFiles,
  IDENTITY_PATH,
  type Watched,
  watchDeployment,
} from "../../support/deployment.ts";
import { sha256 } from "../../support/sha256.ts";
import { mcpRequest } from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { compileSchema } from "../../support/schemas.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { fieldsOf } from "../../support/unavailable.ts";

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

const LABEL = { productVersion: "v22", packageVersion: "v22-wip", classification: "wip" };

const identityOf = async (reply: Response): Promise<DeploymentIdentity> => (await reply.json()) as DeploymentIdentity;

const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());

describe("the verified identity", () => {
  it("G01 O-33: lists every file that runs, in byte order, with sizes and digests that the disk confirms", async () => {
    const { closure, ...label } = await identityOf(await watched.ask());
    expect(label).toStrictEqual({
      schema: "service-semantics.deployment.v1",
      productVersion: "v22",
      packageVersion: "v22-wip",
      classification: "wip",
      canonicalOrigin: ORIGIN,
      semanticAssignment: false,
      authorizationGranted: false,
    });
    const found = digestFiles(own.root)
      .filter(({ path }) => !/^(?:dist|runtime\/extras)\//.test(path) || path === "dist/manifest.json")
      .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
    expect(found.length).toBeGreaterThan(60);
    expect(closure.files).toStrictEqual(found);
    const sums = found.map((file) => `${file.sha256}  ${file.path}\n`).join("");
    expect(closure).toStrictEqual({ algorithm: "sha256", treeDigest: sha256(sums), files: found });
  });

  it("G01 O-35: covers what only some services run by a list of digests", () => {
    const extras = digestFiles(own.root).filter(({ path }) => path.startsWith("runtime/extras/"));
    expect(new Set(extras.map(({ path }) => path.split("/")[2]))).toEqual(new Set(["admin", "proxies", "store"]));
    expect(readFileSync(own.at("runtime/extras.sha256"), "utf8").split("\n").filter(Boolean).sort()).toEqual(
      extras.map((file) => `${file.sha256}  ${file.path}`).sort(),
    );
  });

  it("G01 O-35: covers every other file of the release by the manifest, but itself and the digests", () => {
    const { files: listed } = JSON.parse(readFileSync(own.at("dist/manifest.json"), "utf8")) as { files: unknown[] };
    const uncovered = ["manifest.json", "SHA256SUMS", IDENTITY_PATH.slice(1)];
    const found = digestFiles(own.dist).filter(({ path }) => !uncovered.includes(path));
    expect(listed).toStrictEqual(found.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))));
    const sums = digestFiles(own.dist).filter(({ path }) => path !== "SHA256SUMS");
    expect(readFileSync(own.at("dist/SHA256SUMS"), "utf8").split("\n").filter(Boolean).sort()).toEqual(
      sums.map((file) => `${file.sha256}  ${file.path}`).sort(),
    );
  });

  it("A22 G02 O-34: has the tree digest as its ETag and the digest of its bytes everywhere else", async () => {
    const reply = await watched.ask();
    const body = await bytesOf(reply.clone());
    const { closure } = await identityOf(reply);
    expect(body.equals(readFileSync(own.document))).toBe(true);
    expect(closure.treeDigest).not.toBe(sha256(body));
    expect([reply.status, fieldsOf(reply)]).toEqual([
      200,
      {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": CORS_FIELDS[3],
        "cache-control": "public, max-age=300, must-revalidate, no-transform",
        "content-location": ORIGIN + IDENTITY_PATH,
        "content-type": "application/json",
        etag: `"${closure.treeDigest}"`,
        "repr-digest": `sha-256=:${Buffer.from(sha256(body), "hex").toString("base64")}:`,
        "x-content-sha256": sha256(body),
        "x-content-type-options": "nosniff",
        "x-service-semantics-deployment-identity": "verified",
      },
    ]);
    expect(reply.headers.get("content-length")).toBe(String(body.length));
  });

  it("O-34: answers HEAD with the fields of GET, and conditions by its ETag", async () => {
    const get = await watched.ask();
    const head = await watched.ask({ method: "HEAD" });
    expect([head.status, fieldsOf(head), (await bytesOf(head)).length]).toEqual([200, fieldsOf(get), 0]);
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    const etag = get.headers.get("etag") ?? "";
    const { "content-type": _type, ...kept } = fieldsOf(get);
    for (const method of ["GET", "HEAD"]) {
      for (const tag of [etag, `W/${etag}`, "*", `"x", ${etag}`]) {
        const cached = await watched.ask({ method, headers: { "if-none-match": tag } });
        expect([tag, cached.status, fieldsOf(cached), (await bytesOf(cached)).length]).toEqual([tag, 304, kept, 0]);
      }
      for (const [field, value, status] of [
        ["if-none-match", `"${get.headers.get("x-content-sha256")}"`, 200],
        ["if-none-match", '"x"', 200],
        ["if-match", etag, 200],
        ["if-match", "*", 200],
        ["if-match", '"x"', 412],
        ["if-match", `W/${etag}`, 412],
        ["if-match", `"${get.headers.get("x-content-sha256")}"`, 412],
      ] as const) {
        const reply = await watched.ask({ method, headers: { [field]: value } });
        expect([field, value, reply.status]).toEqual([field, value, status]);
        if (status === 412) expect(reply.headers.get("cache-control")).toBe("no-store");
      }
    }
  });

  // What that of the refusal takes and refuses: test/service/documents/components.test.ts.
  it("G01 B53: is valid by its published schema, and the refusal by its own", async () => {
    const schema = async (name: string) =>
      compileSchema((await (await watched.ask({}, `/schemas/${name}.v1.json`)).json()) as object);
    const validate = await schema("deployment");
    const identity = await identityOf(await watched.ask());
    expect([validate(identity), validate.errors]).toEqual([true, null]);
    expect(validate({ ...identity, more: 1 })).toBe(false);
    const refuse = await schema("deployment-unavailable");
    const envelope = (await (await askWithoutDocument(own, watched)).json()) as { error: Record<string, unknown> };
    expect([refuse(envelope), refuse.errors]).toEqual([true, null]);
    expect(Object.keys(envelope.error).length).toBe(11);
  });
});

describe("the deployment identity among the other documents", () => {
  it("V07 V08: carries the label of every other document, whose parts agree with each other", async () => {
    expect(product).toMatchObject(LABEL);
    const identity: unknown = await (await watched.ask()).json();
    const refusal = (await (await askWithoutDocument(own, watched)).json()) as { error: { expectedRelease: unknown } };
    expect(identity).toMatchObject(LABEL);
    expect(refusal.error.expectedRelease).toEqual(LABEL);
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
    const ping = mcpRequest("ping");
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
        await watched.ask({ ...post, headers: ping.headers, body: String(ping.body) }, "/mcp"),
        404,
        { jsonrpc: "2.0", id: 1, error: expect.objectContaining({ code: -32601 }) as unknown },
      ],
    ] as const) {
      expect([reply.status, await reply.json()]).toEqual([status, body]);
    }
  });

  it.each(["/answers.md", "/api-reference.md", "/mcp-guide"])(
    "G11: says what it is not in %s: no signature, no proof of a live deployment, no authorization",
    async (target) => {
      const text = (await (await watched.ask({}, target)).text()).replaceAll(/\s+/g, " ");
      expect(text).toMatch(/(?:not a|no) publisher signature/);
      expect(text).toMatch(/(?:not|no)(?: a)? (?:proof of a live deployment|live-deployment proof)/);
      expect(text).toMatch(/(?:grants no authorization|not an authorization grant|no grant of authorization)/);
    },
  );
});
