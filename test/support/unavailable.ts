/** Checks a refusal of the deployment identity to the letter, on a service with a known port. */
import { expect } from "vitest";
import { IDENTITY_FAILURES, type IdentityFailure } from "../../runtime/contract/identity.ts";
import { CORS_FIELDS } from "../../runtime/http/cors.ts";
import { IDENTITY_PATH } from "./deployment.ts";
import { ORIGIN } from "./release.ts";

export const CATEGORIES: readonly IdentityFailure[] = IDENTITY_FAILURES;

interface Envelope {
  readonly data: null;
  readonly error: Readonly<Record<string, unknown>> & { readonly recoverySteps: readonly string[] };
}

const FIELDS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": CORS_FIELDS[3],
  "cache-control": "no-store",
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "x-service-semantics-deployment-identity": "unavailable",
};

/** The fields of a response but those of the connection. */
export function fieldsOf({ headers }: Response): Record<string, string> {
  const fields = Object.fromEntries(headers);
  for (const name of ["connection", "date", "keep-alive", "content-length"]) delete fields[name];
  return fields;
}

/** Expects the refusal with this category; gives its error. */
export async function expectUnavailable(port: number, failureCategory: IdentityFailure): Promise<Envelope["error"]> {
  const url = `http://127.0.0.1:${port}${IDENTITY_PATH}`;
  const reply = await fetch(url);
  const text = await reply.text();
  expect([reply.status, fieldsOf(reply)]).toEqual([503, FIELDS]);
  expect(reply.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  const body = JSON.parse(text) as Envelope;
  const base = failureCategory === "canonical_origin_invalid" ? `http://localhost:${port}` : ORIGIN;
  expect(body).toStrictEqual({
    data: null,
    error: {
      code: "deployment_identity_unavailable",
      message: expect.stringMatching(/^[A-Z].+\.$/),
      failureCategory,
      documentUrl: `${base}/mcp-guide#identity-recovery`,
      expectedRelease: { productVersion: "v22", packageVersion: "v22-wip", classification: "wip" },
      requiredDeploymentMode: "clean_release_directory",
      nextAction: expect.stringMatching(/^[A-Z].+\.$/),
      recoverySteps: Array.from({ length: 4 }, () => expect.stringMatching(/^[A-Z].+\.$/)),
      semanticAssignment: false,
      authorizationGranted: false,
      downstreamSideEffects: 0,
    },
  });
  expect(URL.canParse(String(body.error["documentUrl"]))).toBe(true);
  expect(text).toBe(`${JSON.stringify(body, null, 2)}\n`);
  // Neither a digest in any form nor the name of a file of ours.
  expect(text + JSON.stringify(fieldsOf(reply))).not.toMatch(
    /[0-9a-f]{64}|sha-?256=|[A-Za-z0-9+/]{43}=|\.ts\b|\/tmp\//i,
  );
  const [stop, restore, verify, again] = body.error.recoverySteps;
  expect(stop).toMatch(/^Stop .*traffic/);
  expect(restore).toMatch(/release directory/);
  expect(verify).toMatch(/^Verify the release again: .*sha256sum --quiet -c SHA256SUMS .*npm run verify/);
  expect(again).toMatch(/^Read this document again.* 200 .*verified/);
  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, fieldsOf(head), await head.text()]).toEqual([503, FIELDS, ""]);
  expect(head.headers.get("content-length")).toBe(reply.headers.get("content-length"));
  // A refusal is no representation that a condition could be about (RFC 9110 section 13.2.1).
  for (const headers of [{ "if-none-match": "*" }, { "if-match": '"x"' }]) {
    expect((await fetch(url, { headers })).status).toBe(503);
  }
  return body.error;
}

/** What goes on: the guide, resolving, documents. */
export async function expectServing(port: number): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  const guide = await fetch(`${base}/mcp-guide`);
  expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining('id="identity-recovery"')]);
  const resolved = await fetch(`${base}/api/v1/resolve`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"expression":"taxi"}',
  });
  expect([resolved.status, await resolved.json()]).toEqual([
    200,
    expect.objectContaining({ data: expect.objectContaining({ status: "resolved" }) }),
  ]);
  for (const target of ["/answers.json", "/.well-known/api-catalog", "/api/v1/status", "/api/v1/concepts/N-TAXI"])
    expect([target, (await fetch(base + target)).status]).toEqual([target, 200]);
}
