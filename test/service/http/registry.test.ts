import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConceptDetail, ConceptList, ConceptNotFound } from "../../../runtime/contract/concept.ts";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { StatusEnvelope } from "../../../generator/contract/status.ts";
import { conceptsRoute } from "../../../runtime/routes/concepts.ts";
import type { LongBody } from "../../../runtime/routes/route.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import { nasty } from "../../support/nasty.ts";
import { QUERY, raw } from "../../support/raw.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { expectSchema } from "../../support/schemas.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Reply, type Service, startService } from "../../support/service.ts";
import type { Type } from "typebox";

let service: Service;
let inFile: Service;
beforeAll(async () => {
  service = await startService(checkedRegistry(nasty));
  inFile = await startService(checkedRegistry(nasty), 0);
});
afterAll(async () => {
  const [fault] = service.faults;
  if (fault !== undefined) throw new Error("The service reported a fault", { cause: fault });
  await Promise.all([service.close(), inFile.close()]);
});

/** The body of a request that nobody reads. */
const unread = (): Promise<never> => Promise.reject(new Error("Read"));

type List = Type.Static<typeof ConceptList>;
type Detail = Type.Static<typeof ConceptDetail>;

async function list(query = ""): Promise<List> {
  const reply = await service.send("GET", `/api/v1/concepts${query}`);
  expect(reply.status).toBe(200);
  return expectSchema(ConceptList, reply.json());
}

async function codes(query: string): Promise<string[]> {
  return (await list(query)).data.map(({ code }) => code);
}

async function details(): Promise<Detail[]> {
  const replies = (await list()).data.map(({ code }) => service.send("GET", `/api/v1/concepts/${code}`));
  return (await Promise.all(replies)).map((reply) => expectSchema(ConceptDetail, reply.json()));
}

function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe(code);
}

describe("a code with a line terminator", () => {
  it.each(["%0A", "N-TAXI%0A", "a%0Ab", "%0D", "%E2%80%A8", "%E2%80%A9"])(
    "D08 D10 T-04: is looked for like any other, and not found: %s",
    async (code) => {
      const reply = await service.send("GET", `/api/v1/concepts/${code}`);
      expect([code, reply.status, reply.json()]).toEqual([code, 404, { error: "concept_not_found" }]);
    },
  );
});

describe("GET /api/v1/concepts", () => {
  it("A19 D01 D02 B02 B08 B10 O-14: lists every published concept in code order, without an envelope", async () => {
    const { data, count } = await list();
    const listed = data.map(({ code }) => code);
    expect(count).toBe(data.length);
    expect(listed).toEqual(listed.toSorted());
    expect(listed).toContain("N-MONEY");
    expect(listed).not.toContain("N-DRAFT");
    expect(listed).not.toContain("N-RETIRED");
  });

  it("B05: gives each concept a URL under the origin that leads to it", async () => {
    for (const { code, url } of (await list()).data) {
      expect(url).toBe(`${ORIGIN}/api/v1/concepts/${code}`);
      const detail = (await service.send("GET", new URL(url).pathname)).json() as Detail;
      expect([detail.code, detail.canonicalUrl]).toEqual([code, url]);
    }
  });

  it("D03 D05: filters by name and definition only", async () => {
    expect(await codes("?q=Name+of+N-MONEY")).toEqual(["N-MONEY"]);
    expect(await codes("?q=definition%20of%20n-river.")).toEqual(["N-RIVER"]);
    expect(await codes("?q=poison")).toEqual(["N-POISON"]);
    for (const absent of ["Geschenk", "telefone", "Ufer", "technologist", "2026"])
      expect(await codes(`?q=${absent}`)).toEqual([]);
    // A domain is not searched; this one occurs in no name or definition of the others.
    expect(await codes("?q=quotes")).toEqual(["N-QUOTES"]);
    expect(await codes("?q=test")).toEqual([]);
  });

  it("D04: answers a filter that matches nothing with an empty list", async () => {
    expect(await list("?q=zzzz")).toEqual({ data: [], count: 0 });
  });

  it("O-13: is case-insensitive on NFC, all terms must occur, an empty filter filters nothing", async () => {
    expect(await codes("?q=GR%C3%96SSE")).toEqual([]);
    expect(await codes("?q=gr%C3%B6%C3%9Fe")).toEqual(["N-QUOTES"]);
    expect(await codes("?q=GRo%CC%88%C3%9FE")).toEqual(["N-QUOTES"]);
    expect(await codes("?q=%CE%96")).toEqual(["N-QUOTES"]);
    expect(await codes("?q=tags+%26+line")).toEqual(["N-QUOTES"]);
    expect(await codes("?q=tags+absent")).toEqual([]);
    const all = await list();
    const none = [
      "?q=",
      "?q",
      "?q=%20%20",
      "?other=1",
      "?",
      "?Q=poison",
      "?x=%ZZ",
      "?page=2&limit=1",
      "?q=&callback=evil",
    ];
    for (const query of none) expect(await list(query)).toEqual(all);
    expect(await codes("?q=n-m%20name%20n")).toEqual(
      all.data.map(({ code }) => code).filter((code) => code.startsWith("N-M")),
    );
  });

  it("G29: is sent in pieces where a filter finds much, however far apart, with the fields of HEAD", async () => {
    const concepts = Array.from({ length: 150 }, (_none, i) =>
      concept(`L-${String(i).padStart(3, "0")}`, [expression("en", `expression ${i}`)], {
        definition: `${i % 3 === 0 ? "third " : ""}${"long ".repeat(400)}end.`,
      }),
    );
    const long = await startService(checkedRegistry({ concepts }));
    for (const [query, count] of [
      ["long", 150],
      ["third", 50],
    ] as const) {
      const target = `/api/v1/concepts?q=${query}`;
      const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => long.send(method, target)));
      const { data } = (await long.send("GET", "/api/v1/concepts")).json() as List;
      const found = data.filter(({ definition }) => definition.includes(query));
      expect(get?.json()).toEqual({ data: found, count });
      expect(get?.headers["transfer-encoding"]).toBe("chunked");
      expect({ ...head?.headers, date: "" }).toEqual({ ...get?.headers, date: "" });
      // HTTP/1.0 has no chunks.
      for (const fields of ["", "TE: chunked\r\nConnection: keep-alive\r\n"]) {
        const old = await raw(long.port, `GET ${target} HTTP/1.0\r\nHost: x\r\n${fields}\r\n`);
        expect(old.slice(old.indexOf("\r\n\r\n") + 4)).toBe(get?.body.toString());
      }
      const connection = {};
      const request = { method: "GET", target, parameters: {}, connection, field: () => undefined, readBody: unread };
      const { body } = await conceptsRoute(long.release)(request);
      const pieces = [...(body as LongBody).pieces()] as Uint8Array[];
      expect(Buffer.concat(pieces).equals(get?.body ?? Buffer.alloc(0))).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(140_000);
    }
    await long.close();
  });

  it("O-13: never matches across name and definition or across concepts", async () => {
    expect(await codes(`?q=${encodeURIComponent("N-MONEY\nDefinition")}`)).toEqual(["N-MONEY"]);
    expect(await codes("?q=MONEYDefinition")).toEqual([]);
  });

  it("D13 O-13: refuses a filter that is too long, repeated or not percent-encoded UTF-8", async () => {
    expect((await service.send("GET", `/api/v1/concepts?q=${"%F0%9F%98%80".repeat(200)}`)).status).toBe(200);
    for (const query of [
      `q=${"a".repeat(201)}`,
      "q=a&q=b",
      "q=&q=",
      "q=%ZZ",
      "q=%",
      "q=%FF",
      "q=%ED%A0%80",
      "q=a&%71=b",
    ]) {
      expectProblem(await service.send("GET", `/api/v1/concepts?${query}`), 400, "invalid_query");
    }
  });

  it("D12: gives the same bytes each time, in memory and by positioned reads", async () => {
    for (const path of [
      "/api/v1/concepts",
      "/api/v1/concepts?q=name",
      "/api/v1/concepts/N-QUOTES",
      "/registry/bundle.ndjson",
    ]) {
      const [first, again, other] = await Promise.all([service, service, inFile].map((from) => from.send("GET", path)));
      expect(first?.status).toBe(200);
      expect(again?.body.equals(first?.body ?? Buffer.alloc(0)), path).toBe(true);
      expect(other?.body.equals(first?.body ?? Buffer.alloc(0)), path).toBe(true);
      expect(first?.headers["content-length"]).toBe(String(first?.body.length));
    }
    expect(
      (await inFile.resolve({ expression: "many" })).body.equals((await service.resolve({ expression: "many" })).body),
    ).toBe(true);
  });
});

describe("GET /api/v1/concepts/{code}", () => {
  it("A20 D06 B03 B06 B07 O-17 O-18 O-21 O-22: shows each listed concept with its reviewed expressions and renderings", async () => {
    for (const detail of await details()) {
      expect(detail.expressions.length).toBeGreaterThan(0);
      for (const { reviewStatus, type, language, locale } of detail.expressions) {
        expect(reviewStatus).toBe("reviewed");
        expect(["preferred", "alternate", "abbreviation", "symbol"]).toContain(type);
        if (locale !== null) expect(locale.startsWith(`${language}-`)).toBe(true);
      }
    }
    const quotes = (await details()).find(({ code }) => code === "N-QUOTES");
    expect(quotes?.provenance).toEqual({
      source: "test",
      license: "CC0-1.0",
      sourceId: "urn:x",
      reviewedBy: "role",
      reviewedAt: "2026-11-21",
    });
    expect(quotes?.renderings[0]).toEqual({
      type: "text",
      descriptor: "no sequence",
      unicodeSequence: null,
      confidence: 0,
    });
    expect(quotes?.expressions[0]?.provenance).toEqual(quotes?.provenance);
  });

  it("B04: agrees with the list", async () => {
    const all = await details();
    for (const summary of (await list()).data) {
      const { code, name, definition, domain, registryVersion } = all.find(
        (detail) => detail.code === summary.code,
      ) as Detail;
      expect(summary).toMatchObject({ code, name, definition, domain, registryVersion });
    }
  });

  it("D07 D08 D10 D11 O-02: answers exactly concept_not_found to anything but a published code, with no redirect", async () => {
    for (const code of [
      "n-money", "N-Money", "N-MONEY%20", "%20N-MONEY", "NMONEY", "Name%20of%20N-MONEY", "taxi", "%EF%BC%AE-MONEY", "N-MONEY%00",
      "N-DRAFT", "N-RETIRED", "N-MONEY%2F", "%FF%FE".slice(0, 0) + "N%E2%80%90MONEY", "A".repeat(3000), "%252E", "N%252DMONEY", "..%2Fstatus", ".%2e",
    ]) {
      const reply = await service.send("GET", `/api/v1/concepts/${code}`);
      expect(reply.status, code).toBe(404);
      expect(expectSchema(ConceptNotFound, reply.json())).toEqual({ error: "concept_not_found" });
      expect(reply.headers["content-type"]).toBe("application/json");
      expect(reply.headers["cache-control"]).toBe("no-store");
      expect(reply.headers.location).toBeUndefined();
    } // prettier-ignore
  });

  it("D09: decodes percent-encoding once", async () => {
    expect((await service.send("GET", "/api/v1/concepts/%4E%2DMONEY")).json()).toMatchObject({ code: "N-MONEY" });
    expect((await service.send("GET", "/api/v1/concepts/%254E-MONEY")).status).toBe(404);
  });
});

describe("GET /api/v1/status", () => {
  it("E01 O-01 A03 B34 B40 B41 B42 B43 O-24 O-25: serves the closed status document", async () => {
    const reply = await service.send("GET", "/api/v1/status");
    expect(reply.headers["cache-control"]).toBe("no-store");
    const { data } = expectSchema(StatusEnvelope, reply.json());
    expect(data).toMatchObject({
      productionResolver: "reviewed_exact_registry_first",
      semanticRuntimeConfigured: false,
      activeEmbeddingProfiles: 0,
      arbitraryQuerySemanticResolution: "disabled",
    });
  });

  it("B35 B36 B37 B38 O-20 A14 O-16: counts what the registry shows", async () => {
    const { data } = expectSchema(StatusEnvelope, (await service.send("GET", "/api/v1/status")).json());
    const all = await details();
    const published = all.flatMap(({ expressions }) => expressions);
    expect(data.publishedConcepts).toBe((await list()).count);
    expect(data.reviewedExactExpressions).toBe(
      published.filter(({ equivalenceStrength }) => equivalenceStrength === 1).length,
    );
    expect(data.languages).toEqual([...new Set(published.map(({ language }) => language))].sort());
    expect(data.domains).toEqual(["quotes", "test"]);
    expect(new Set(all.map(({ registryVersion }) => registryVersion))).toEqual(
      new Set([data.publicBundle.registryVersion]),
    );
    expect(data.publicBundle.registryVersion).toMatch(/^\d{4}\.\d{2}\.\d+$/);
  });

  it("O-25: names a public bundle that is there, whole, one ConceptDetail a line", async () => {
    const { data } = expectSchema(StatusEnvelope, (await service.send("GET", "/api/v1/status")).json());
    const bundle = await service.send("GET", new URL(data.publicBundle.url).pathname);
    expect(sha256(bundle.body)).toBe(data.publicBundle.sha256);
    const lines = bundle.body.toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as Detail)).toEqual(await details());
  });
});

describe("every path", () => {
  const paths = [
    "/api/v1/resolve",
    "/api/v1/concepts",
    "/api/v1/concepts/N-MONEY",
    "/api/v1/status",
    "/registry/bundle.ndjson",
  ];

  // Of every path that takes GET: test/service/http/methods.test.ts.
  it("C05 O-60 O-55: that takes POST alone answers other methods with 405, and OPTIONS with 204, Allow and CORS", async () => {
    const path = "/api/v1/resolve";
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", ...QUERY, "LOCK"]) {
      const reply = await service.send(method, path, method === "TRACE" ? {} : { body: "{}" });
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, "POST, OPTIONS"]);
      if (method !== "HEAD") expectProblem(reply, 405, "method_not_allowed");
    }
    const { status, body, headers } = await service.send("OPTIONS", path);
    expect([status, body.length, headers["access-control-allow-origin"]]).toEqual([204, 0, "*"]);
    expect(headers.allow).toBe("POST, OPTIONS");
  });

  it("gives one answer however its path is said: plainly, with a query, escaped", async () => {
    for (const path of paths.slice(1)) {
      const plain = await service.send("GET", path);
      for (const form of [
        `${path}?x=1`,
        path.replace("/api/v1", "/api/%761"),
        path.replace("registry", "%72egistry"),
      ]) {
        const other = await service.send("GET", form);
        expect([form, other.status, other.body.equals(plain.body)]).toEqual([form, 200, true]);
        expect({ ...other.headers, date: "" }).toEqual({ ...plain.headers, date: "" });
      }
    }
    const headers = { "content-type": "application/json" };
    for (const form of ["/api/v1/resolve?x=1", "/api/v1/%72esolve"]) {
      for (const type of [";;;", "text/plain", ""]) {
        const refused = await service.send("POST", form, { headers: { "content-type": type }, body: "x" });
        expectProblem(refused, 415, "unsupported_media_type");
      }
      const reply = await service.send("POST", form, { headers, body: '{"expression":"taxi"}' });
      expect(reply.body.equals((await service.resolve({ expression: "taxi" })).body)).toBe(true);
    }
  });

  it.each(["/nope", "/api/v1/resolve/"])(
    "O-60: answers an unknown path with the 404 envelope, never a redirect, whatever the body: %s",
    async (path) => {
      for (const method of ["GET", "POST", "PUT", ...QUERY]) {
        const headers = { "content-type": method === "PUT" ? ";;;" : "application/json" };
        const reply = await service.send(method, path, { body: "x".repeat(2_000_000), headers });
        expectProblem(reply, 404, "not_found");
        expect(reply.headers.location).toBeUndefined();
      }
    },
  );
});
