/** Unknown methods and targets, and hostile requests: each is refused in the envelope. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { resources } from "../../../runtime/contract/policy.ts";
import { problem } from "../../../runtime/contract/problem.ts";
import { exchange, exchangeOne, QUERY, raw } from "../../support/raw.ts";
import { expectSchema } from "../../support/schemas.ts";

import {
  BROWSER,
  HTML_TYPE,
  JSON_TYPE,
  KITS,
  REPORTS,
  ask,
  expectRefusal,
  get,
  header,
  machine,
  service,
  words,
  useService,
} from "../../support/representations.ts";

useService();

describe("methods", () => {
  const all = [
    ...resources.map((resource) => resource.path),
    ...REPORTS,
    ...KITS,
    ...words(
      "/concepts /resolve /concepts/N-TAXI /registry/bundle.ndjson /api/v1/concepts /api/v1/concepts/N-TAXI /api/v1/status",
    ),
  ];

  it("A26 F31 O-60 O-45: PUT, POST, PATCH and DELETE are refused with 405, Allow and the envelope, and not stored", async () => {
    for (const target of all) {
      for (const method of ["PUT", "POST", "PATCH", "DELETE"]) {
        for (const accept of ["*/*", "image/png"]) {
          const reply = await service.send(method, target, { headers: { accept, "if-none-match": "*" }, body: "{}" });
          expect([target, method, reply.status]).toEqual([target, method, 405]);
          expectRefusal(reply, "method_not_allowed");
          expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
        }
      }
    }
  });

  it("O-60 O-55: OPTIONS is answered with 204, Allow, and what a browser on another origin may send", async () => {
    for (const target of all) {
      const reply = await service.send("OPTIONS", target, {
        headers: {
          origin: "https://other.example",
          "access-control-request-method": "GET",
          "access-control-request-headers": "if-none-match",
        },
      });
      expect([target, reply.status, reply.body.length]).toEqual([target, 204, 0]);
      expect(reply.headers).toMatchObject({ allow: "GET, HEAD, OPTIONS", "access-control-allow-origin": "*" });
      expect(header(reply, "access-control-allow-headers").toLowerCase()).toContain("if-none-match");
      expect(reply.headers).not.toHaveProperty("content-length");
    }
  });

  it.each(["TRACE", ...QUERY, "PROPFIND", "M-SEARCH"])(
    "O-60: TRACE, QUERY, PROPFIND and other methods of the registry are refused with 405 as well: %s",
    async (method) => {
      for (const target of ["/", "/answers", paths.apiCatalog, paths.connect]) {
        expectRefusal(await service.send(method, target), "method_not_allowed");
      }
    },
  );
});

describe("hostile requests", () => {
  it("O-60: a path that is not exactly one of ours is 404, whatever its case, encoding, slashes or dots", async () => {
    const name = path.basename([...service.release.assets.keys()][0] ?? "");
    const targets = words(
      "/..%2f /%2e%2e/ /.. /. /../ /..%2f..%2fetc%2fpasswd /%2e%2e%2fpackage.json /..%5c /%20 /* /answers\\",
      "/assets /assets/ /assets/..%2f..%2fmanifest.json /assets/../manifest.json /assets/%00 /assets/site.css",
      "/assets/%2e%2e/manifest.json /assets/..%5cmanifest.json /assets//etc/passwd /answers%00 /answers;x /answers%20",
      "//answers /answers// //evil.example/answers /%2fanswers /answers%2e /ANSWERS /Answers /answers/ /answers.json/",
      "/answers.JSON /answers.html /answers.md.md /index.html /shell.html /shell /mcp-guide.html /mcp-guide/",
      "/manifest.json /SHA256SUMS /registry.index /registry /registry/ /.well-known /.well-known/api-catalog/",
      "/schemas /schemas/ /schemas/none.v1.json /schemas/error.v2.json /openapi /openapi.yaml /favicon.ico /.git/config",
      "/api/v1/integration-readiness/ /api/v1/integration-readiness/index.json /api/v1/integration-readiness/report",
      "/api/v1/integration-studio/ /api/v1/integration-studio/index.json /api/v1/integration-studio/kit /api/v1/index.json",
      "/API/v1/integration-readiness /api/v1/integration-readiness/index /integration-studio/ /integration-studio.html",
      "/coverage/ /coverage.html /coverage.json /registry/coverage /registry/retired /registry/retired.yaml /registry/history.ndjson",
      "/.env /package.json /runtime/server.ts /constructor /__proto__ /toString /api/v1/__proto__ /api/v1 /api /concepts/",
      "/nope /api/v1/status/ /api/v1/concepts/ /API/v1/status /api//v1/status /api/v1/concepts/A/B /api/v1/resolve/",
      "/api/v1/Integration-Studio /api/v1/integration-studio.json",
      `/assets/${name}x /assets/${name.toUpperCase()} /assets/${name}/ /assets/${name}/x /assets//${name} /Assets/${name}`,
      `/${name} /assets/site.0000000000000000.css /assets/${name}%00 /assets/${name}.map /assets/%2e/${name}x`,
    );
    for (const target of targets) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const reply = await service.send(method, target, { headers: { accept: JSON_TYPE } });
        expect([method, target, reply.status]).toEqual([method, target, 404]);
        if (method !== "HEAD") expectRefusal(reply, "not_found");
        const page = await service.send(method, target, { headers: { accept: BROWSER } });
        expect([method, target, page.status, page.headers.location]).toEqual([method, target, 404, undefined]);
        expect(page.headers["content-type"]).toBe(HTML_TYPE);
      }
    }
  });

  it("O-60: the asterisk is a target of OPTIONS alone (RFC 9112 §3.2.4), and names no resource", async () => {
    const asterisk = Buffer.from("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect((await exchangeOne(service, asterisk)).status).toBe(204);
    for (const target of ["*", "*?x"]) expect([400, 404]).toContain((await ask(target)).status);
  });

  const BROKEN = ["/%", "/%f", "/%zz", "/%ff", "/%c0%ae%c0%ae/", "/answers%", "/assets/%ed%a0%80"];
  const CODES = ["%", "%Z", "%ZZ", "N-MONEY%", "%C3", "%ff"].map((code) => `${paths.concepts}/${code}`);

  it.each([...BROKEN, ...CODES])("O-60: broken percent-encoding is 400 in the envelope: %s", async (target) => {
    const reply = await service.send("GET", target);
    expect([target, reply.status]).toEqual([target, 400]);
    expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe("invalid_http");
    expect(reply.body.toString()).not.toMatch(/node_modules|\.ts\b|URIError|FST_/);
  });

  it("O-60: a refusal has a date where there is no request yet", async () => {
    for (const line of ["X: a\r\n folded: b", `X: ${"a".repeat(20_000)}`]) {
      const reply = await raw(service.port, `GET /answers.md HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1\.1 4(?:00|31) /);
      expect(Math.abs(Date.now() - Date.parse(/\r\nDate: (.*)/.exec(reply)?.[1] ?? ""))).toBeLessThan(120_000);
    }
  });

  it("O-60: a target of 15,000 characters is answered like any other, one beyond 16 KiB with 431 in the envelope", async () => {
    expectRefusal(await service.send("GET", `/${"a".repeat(15_000)}`), "not_found");
    expectRefusal(await service.send("GET", `/${"a/".repeat(7_500)}`), "not_found");
    expectRefusal(await service.send("GET", `/assets/${"%2e%2e%2f".repeat(1_600)}`), "not_found");
    const plain = await service.send("GET", "/answers.md");
    const asked = await service.send("GET", `/answers.md?${"a".repeat(15_000)}`);
    expect([asked.status, asked.body.equals(plain.body)]).toEqual([200, true]);
    const beyond = await ask(`/${"a".repeat(20_000)}`);
    expect(beyond.status).toBe(431);
    expect(beyond.json()).toEqual({
      data: null,
      error: { code: "header_fields_too_large", message: problem("header_fields_too_large").message },
    });
  });

  it("O-60: two hundred field lines are read, and a field with a control character is 400 in the envelope", async () => {
    const many = Array.from({ length: 200 }, (_none, i) => `X-${i}: ${i}`);
    expect((await ask("/answers.md", many)).status).toBe(200);
    for (const line of ["X: a\0b", "X: a\x01b", "X : a", "X Y: a", "X\r\n folded: b", ": a", "X\x7f: a"]) {
      const reply = await ask("/answers.md", [line]);
      expect([line, reply.status]).toEqual([line, 400]);
      expect(reply.json()).toMatchObject({ data: null, error: { code: "invalid_http" } });
    }
  });

  it("G12 G30: a hundred pipelined requests are answered in order, each with its own bytes", async () => {
    const plain = await Promise.all(machine.map((asked) => get(asked)));
    const line = "Host: registry.example\r\n";
    const requests = Array.from({ length: 100 }, (_none, i) => {
      const { target, accept } = machine[i % machine.length] ?? { target: "/", accept: "" };
      const last = i === 99 ? "Connection: close\r\n" : "";
      if (i % 7 === 3) return `GET /none-${i} HTTP/1.1\r\n${line}${last}\r\n`;
      const condition = i % 5 === 2 ? "If-None-Match: *\r\n" : "";
      return `GET ${target} HTTP/1.1\r\n${line}Accept: ${accept}\r\n${condition}${last}\r\n`;
    });
    const replies = await exchange(service, Buffer.from(requests.join("")));
    expect(replies.length).toBe(100);
    for (const [i, reply] of replies.entries()) {
      const expected = plain[i % machine.length];
      const status = i % 7 === 3 ? 404 : i % 5 === 2 ? 304 : 200;
      expect([i, reply.status]).toEqual([i, status]);
      if (status !== 404) expect(reply.headers.etag).toBe(header(expected, "etag"));
      if (status === 200) expect(expected?.body.equals(reply.body)).toBe(true);
    }
  });
});
