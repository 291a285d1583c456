/** 406 on the negotiated routes. */
import { describe, expect, it } from "vitest";
import { NotAcceptable } from "../../../runtime/contract/representation.ts";
import { ORIGIN } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";

import { HTML_TYPE, JSON_TYPE, cells, get, ten, words, useService } from "../../support/representations.ts";

useService();

describe("406", () => {
  const refused = cells(
    "image/png | application/json;q=0, */*;q=0 | */*;q=0 | text/html;level=1 | application/xml, image/*;q=0.5",
    "application/problem+json | application/linkset+json;profile=x | text/plain",
  );

  it("G36 G37 G40 O-47: is problem+json with the contract's members, what is available, and no validator", async () => {
    for (const [target, ...types] of ten) {
      for (const accept of refused) {
        const reply = await get({ target, accept });
        expect([target, accept, reply.status]).toEqual([target, accept, 406]);
        const body = expectSchema(NotAcceptable, reply.json());
        expect(body).toMatchObject({
          status: 406,
          semanticAssignment: false,
          downstreamAuthorization: false,
          downstreamSideEffects: 0,
          instance: target,
        });
        expect(body.available.map(({ type }) => type)).toEqual(types);
        expect(reply.body.toString()).not.toMatch(/C-[0-9A-Z]|N-[A-Z]|[0-9a-f]{64}/);
        expect(Object.keys(reply.headers).toSorted()).toEqual(
          words(
            "access-control-allow-origin access-control-expose-headers cache-control connection content-length",
            "content-type date keep-alive vary x-content-type-options",
          ),
        );
        expect(reply.headers).toMatchObject({
          "content-type": "application/problem+json",
          "cache-control": "no-store",
        });
      }
    }
  });

  it("G38: comes from the fixed routes too, to an Accept for another type than theirs", async () => {
    for (const [target, accept] of [
      ["/answers.md", JSON_TYPE],
      ["/answers.md", "text/html"],
      ["/answers.json", "text/markdown, text/html"],
      ["/api-reference.json", "text/*"],
      ["/api-reference.md", JSON_TYPE],
      ["/.well-known/api-catalog", "text/html"],
      ["/.well-known/api-catalog", JSON_TYPE],
      ["/.well-known/service-semantics-discovery.json", "application/linkset+json"],
      ["/openapi.json", "application/yaml"],
      ["/mcp-server.json", "text/html"],
    ] as const) {
      expect([target, accept, (await get({ target, accept })).status]).toEqual([target, accept, 406]);
    }
  });

  it.each(ten)(
    "O-47: lists addresses that give the type they are listed with, and a problem type that leads to its text: %j",
    async (target) => {
      const { type, available } = expectSchema(NotAcceptable, (await get({ target, accept: "image/png" })).json());
      for (const { type: accept, href } of available) {
        expect(href.startsWith(`${ORIGIN}/`)).toBe(true);
        const reply = await get({ target: href.slice(ORIGIN.length), accept });
        expect(reply.status).toBe(200);
        expect(reply.headers).toMatchObject({ "content-type": accept, "content-location": href });
      }
      const { pathname, hash, origin } = new URL(type);
      expect(origin).toBe(ORIGIN);
      const page = await get({ target: pathname, accept: HTML_TYPE });
      expect(page.body.toString()).toContain(` id="${hash.slice(1)}"`);
    },
  );

  it("G40: reflects nothing of the request", async () => {
    const asked = { target: "/answers?x=<script>", accept: 'image/evil;x="<script>"' };
    const plain = await get({ target: "/answers", accept: "image/png" });
    const reply = await get(asked, { host: "evil.example", cookie: "a=<script>" });
    expect([reply.status, reply.body.equals(plain.body)]).toEqual([406, true]);
  });
});
