/**
 * The Reconciliation API over a release: what matches is what resolves, whatever version asks, and
 * everything else is refused or empty. The shapes are those of the specifications.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRelease, type OpenRelease } from "../../../generator/api.ts";
import { tagOf } from "../../../generator/registry/concept.ts";
import { BATCH_MAX } from "../../../generator/tools/reconcile/queries.ts";
import { BODY_MAX_BYTES } from "../../../generator/tools/reconcile/wire.ts";
import { starterRegistry } from "../../support/documents.ts";
import { LONGEST, nasty } from "../../support/nasty.ts";
import * as shapes from "../../support/reconciliation.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";

const BASE = "https://words.example/reconcile";
const registry = starterRegistry();
let starter: OpenRelease;
let other: OpenRelease;
let handlers: Map<OpenRelease, (request: Request) => Promise<Response>>;
beforeAll(async () => {
  starter = openRelease(await buildRelease(registry));
  other = openRelease(await buildRelease(checkedRegistry(nasty)));
  handlers = new Map();
  for (const release of [starter, other]) handlers.set(release, await release.reconcile(`${BASE}/`));
});
afterAll(() => {
  starter.close();
  other.close();
});

async function ask(path: string, init: RequestInit = {}, release = starter): Promise<Response> {
  const handler = handlers.get(release);
  if (handler === undefined) throw new Error("No handler");
  return handler(new Request(BASE + path, init));
}

const form = (fields: Record<string, string>): RequestInit => ({ method: "POST", body: new URLSearchParams(fields) });
const json = (value: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: typeof value === "string" ? value : JSON.stringify(value),
});
const named = (expression: unknown, more: object = {}): object => ({
  conditions: [{ matchType: "name", propertyValue: expression }],
  ...more,
});

async function batch02(queries: object, release = starter): Promise<Record<string, { result: shapes.Candidates }>> {
  const response = await ask("/0.2", form({ queries: JSON.stringify(queries) }), release);
  return expectSchema(shapes.Results02, await response.json());
}

async function batch10(
  queries: readonly object[],
  release = starter,
): Promise<readonly { candidates: shapes.Candidates }[]> {
  const response = await ask("/1.0-draft/match", json({ queries }), release);
  return expectSchema(shapes.Results10, await response.json()).results;
}

describe("what matches", () => {
  type Asked = { readonly expression: string; readonly language?: string };
  /** What `resolve` says, as ids and whether they match. */
  function expected(release: OpenRelease, request: Asked): readonly (readonly [string, boolean])[] {
    const { data } = release.resolve(request);
    if (data?.status === "resolved") return [[data.concept?.code ?? "", true]];
    return data?.reason === "ambiguous_expression" ? data.candidates.map(({ code }) => [code, false] as const) : [];
  }

  async function expectSame(release: OpenRelease, requests: readonly Asked[]): Promise<void> {
    for (let at = 0; at < requests.length; at += BATCH_MAX) {
      const part = requests.slice(at, at + BATCH_MAX);
      const old = await batch02(Object.fromEntries(part.map(({ expression, language }, i) => [`q${i}`, { query: expression, ...(language !== undefined && { lang: language }) }])), release); // prettier-ignore
      const draft = await batch10(part.map(({ expression, language }) => named(expression, language === undefined ? {} : { lang: language })), release); // prettier-ignore
      const short = (of: shapes.Candidates | undefined) => of?.map(({ id, match }) => [id, match]);
      const right = part.map((request) => expected(release, request));
      expect(part.map((_, i) => short(old[`q${i}`]?.result))).toEqual(right);
      expect(draft.map(({ candidates }) => short(candidates))).toEqual(right);
    }
  }

  it("is what resolves, for every expression of the starter, every other one in its language", async () => {
    const all = [...registry.concepts].flatMap(({ expressions }) => expressions);
    const requests = all.flatMap((one, i) => [
      { expression: one.expression, ...(i % 2 === 0 && { language: tagOf(one) }) },
      ...(i % 9 === 0 ? [{ expression: one.expression, language: "la" }, { expression: `${one.expression} ` }] : []),
    ]);
    expect(requests.length).toBeGreaterThan(2000);
    await expectSame(starter, requests);
  });

  it("is nothing but the resolved concept where the registry is nasty", async () => {
    const texts = "bank Gift taxi shared café cafe\u0301 x 😀".split(" ");
    const requests = [...texts, "both near", "sort of", "Bank ", "__proto__", LONGEST].map((expression) => ({
      expression,
    }));
    await expectSame(other, [
      ...requests,
      { expression: "Gift", language: "de-AT" },
      { expression: "celular", language: "pt" },
    ]);
    const [near] = await batch10([named("sort of")], other);
    expect(near?.candidates).toEqual([]);
  });

  it("is every concept that has an ambiguous expression, and none of those alone matches", async () => {
    const all = Array.from("ABCDEFGHIJKL", (letter) => [`N-MANY-${letter}`, false]);
    const last = { matchType: "property", propertyId: "name", propertyValue: "Name of N-MANY-L", required: true };
    const [every, ofType, one, first] = await batch10(
      [
        named("many"),
        named("many", { type: "test" }),
        { conditions: [{ matchType: "name", propertyValue: "many" }, last], limit: 1 },
        named("many", { limit: 1 }),
      ],
      other,
    );
    const short = (of: { candidates: shapes.Candidates } | undefined) =>
      of?.candidates.map(({ id, match }) => [id, match]);
    expect([every, ofType, one, first].map(short)).toEqual([all, all, all.slice(-1), all.slice(0, 1)]);
  });

  it.each([
    ["a domain", { query: "bank", type: "test" }, ["N-MONEY", "N-RIVER"]],
    ["another domain", { query: "poison", type: "none" }, []],
    ["one of several domains", { query: "poison", type: ["none", "test"] }, ["N-POISON"]],
    ["a limit", { query: "bank", limit: 1 }, ["N-MONEY"]],
    ["a language as a property", { query: "Gift", properties: [{ pid: "language", v: "de-AT" }] }, ["N-POISON"]],
    ["a property", { query: "bank", properties: [{ pid: "expression:de", v: ["Ufer", 1] }] }, ["N-RIVER"]],
    ["an id", { query: "bank", properties: [{ pid: "id", v: { id: "N-MONEY" } }] }, ["N-MONEY"]],
    ["no expression", { properties: [{ pid: "id", v: "N-MONEY" }] }, []],
    ["a code as an expression", { query: "N-MONEY" }, []],
  ])("is narrowed, never widened, by %s (0.2)", async (_what, query, ids) => {
    const { q } = await batch02({ q: query }, other);
    expect(q?.result.map(({ id }) => id)).toEqual(ids);
    // What is narrowed to one is as ambiguous as before.
    if ("query" in query && query.query === "bank") expect(q?.result.some(({ match }) => match)).toBe(false);
  });

  const name = { matchType: "name", propertyValue: "bank" };
  const german = { matchType: "property", propertyId: "expression:de", propertyValue: ["Ufer", "Kai"] };
  it.each([
    ["what is required", { ...german, required: true }, ["N-RIVER"]],
    ["all values", { ...german, required: true, matchQuantifier: "all" }, []],
    ["none of the values", { ...german, required: true, matchQuantifier: "none" }, ["N-MONEY"]],
    ["what is not required", german, ["N-MONEY", "N-RIVER"]],
    ["an id", { matchType: "id", propertyValue: "N-RIVER" }, ["N-RIVER"]],
    ["a language of the condition", { ...name, propertyValue: "bank", lang: "de" }, undefined],
  ])("is narrowed by %s (1.0)", async (_what, condition, ids) => {
    const conditions = condition.matchType === "name" ? [condition] : [name, condition];
    const [result] = await batch10([{ conditions }], other);
    expect(result?.candidates.map(({ id }) => id)).toEqual(ids ?? []);
  });

  it("has the language of the condition that has the name (1.0)", async () => {
    const conditions = [
      { ...name, propertyValue: [], lang: "en" },
      { ...name, lang: "de" },
    ];
    const [result] = await batch10([{ conditions }], other);
    expect(result?.candidates).toEqual([]);
  });
});

it.each([`${LONGEST}x`, "", "\ud800", "x".repeat(70_000)])(
  "answers a text that no expression can be (%#) with no candidates, and the others of its batch as ever",
  async (odd) => {
    const [first, none] = await batch10([named("bank"), named(odd)], other);
    expect([first?.candidates.length, none?.candidates]).toEqual([2, []]);
    const old = await batch02({ q0: { query: odd }, q1: { query: "bank" } }, other);
    expect([old["q0"]?.result, old["q1"]?.result.length]).toEqual([[], 2]);
  },
);

it("ignores members that the schemas of the specification admit and do not name", async () => {
  const more = { name: "Name", comment: [1] };
  const { q } = await batch02({ q: { query: "bank", properties: [{ pid: "id", v: "N-MONEY", ...more }] } }, other);
  const condition = { matchType: "name", propertyValue: "bank", dir: "auto", ...more };
  const batch = json({ queries: [{ conditions: [condition], dir: "rtl" }], ...more });
  const { results } = expectSchema(shapes.Results10, await (await ask("/1.0-draft/match", batch, other)).json());
  expect([q?.result.length, results[0]?.candidates.length]).toEqual([1, 2]);
  const extension = { ids: ["N-RTL"], properties: [{ id: "domain", ...more }], ...more };
  const old = await ask("/0.2", form({ extend: JSON.stringify(extension) }), other);
  expect(expectSchema(shapes.Table02, await old.json()).rows).toEqual({ "N-RTL": { domain: [{ str: "test" }] } });
  const draft = await ask("/1.0-draft/extend", json(extension), other);
  expect(expectSchema(shapes.Table10, await draft.json()).rows).toHaveLength(1);
});

it("reads the bytes of a form as UTF-8, percent-encoded or not (URL Standard §5.1)", async () => {
  const type = "application/x-www-form-urlencoded";
  const send = async (text: string, encoding: BufferEncoding = "utf8", charset = "") => {
    const headers = { "Content-Type": type + charset };
    const response = await ask("/0.2", { method: "POST", headers, body: Buffer.from(text, encoding) }, other);
    return [response.status, await response.json()];
  };
  const written = 'queries={"q":{"query":"café"}}';
  const found = [200, { q: { result: [{ id: "N-ACCENTS", match: true }] } }];
  expect(await send(written)).toMatchObject(found);
  expect(await send(encodeURI(written), "utf8", "; charset=UTF-8")).toMatchObject(found);
  expect(await send(written, "latin1")).toMatchObject([400, { error: { code: "invalid_request" } }]);
  expect(await send(written, "utf8", "; charset=latin1")).toMatchObject([
    415,
    { error: { code: "unsupported_media_type" } },
  ]);
});

describe("a batch is refused as a whole", () => {
  const query = { query: "refund request" };
  it.each<[string, unknown, number, string]>([
    ["it is no JSON", "{", 400, "The parameter queries is not valid JSON in UTF-8"],
    ["a name is there twice", '{"q":{"query":"a"},"q":{"query":"b"}}', 400, "The parameter queries has a duplicate property name"],
    ["it is an array", [], 400, "The batch must be an object"],
    ["a query is none", { q1: query, q2: 7 }, 400, "q2 must be an object"],
    ["a query is empty", { "q\n": {} }, 400, String.raw`q\u000a has neither query nor properties`],
    ["the language is none", { q: { ...query, lang: "x_y" } }, 400, "q: language is not a well-formed BCP 47 language tag (RFC 5646), such as en or pt-BR"],
    ["it has two languages", { q: { ...query, properties: [{ pid: "language", v: ["de", "en"] }] } }, 400, "q names 2 languages"],
    ["the limit is 0", { q: { ...query, limit: 0 } }, 400, "q.limit must be at least 1"],
    ["it has another member", { q: { ...query, fuzzy: true } }, 400, 'q has the unknown property "fuzzy"'],
    ["a property is unknown", { q: { ...query, properties: [{ pid: "P1", v: 1 }] } }, 400, 'q has the property "P1", which this service does not have; /suggest/property lists its properties'],
    ["it has too many queries", Object.fromEntries(Array.from({ length: BATCH_MAX + 1 }, (_, i) => [i, query])), 413, "A batch may have at most 100 queries"],
  ])("where %s (0.2)", async (...[, queries, status, message]) => {
    const text = typeof queries === "string" ? queries : JSON.stringify(queries);
    for (const response of [await ask("/0.2", form({ queries: text })), await ask(`/0.2?queries=${encodeURIComponent(text)}`)])
      expect([response.status, await response.json()]).toMatchObject([status, { data: null, error: { message } }]);
  }); // prettier-ignore

  it.each<[string, unknown, number, string]>([
    ["it is no JSON", "{", 400, "The request body is not valid JSON in UTF-8"],
    ["it is an object of queries", { q: query }, 400, 'The batch lacks the property "queries"'],
    ["a query has no conditions", { queries: [named("a"), {}] }, 400, 'queries[1] lacks the property "conditions"'],
    ["conditions are empty", { queries: [{ conditions: [] }] }, 400, "queries[0].conditions must NOT have fewer than 1 items"],
    ["it has two names", { queries: [named(["a", "b"])] }, 400, "queries[0] has more than one name"],
    ["a name is to be avoided", { queries: [{ conditions: [{ matchType: "name", propertyValue: "a", matchQuantifier: "none" }] }] }, 400, 'queries[0] has the matchQuantifier "none" for a name; the name is what is looked up'],
    ["it asks for another comparison", { queries: [{ conditions: [{ matchType: "name", propertyValue: "a", matchQualifier: "fuzzy" }] }] }, 400, "queries[0] has a matchQualifier; texts are compared exactly"],
    ["a property has no id", { queries: [{ conditions: [{ matchType: "property", propertyValue: "a" }] }] }, 400, "queries[0] has a condition without a propertyId"],
    ["a query has another member", { queries: [named("a", { fuzzy: true })] }, 400, 'queries[0] has the unknown property "fuzzy"'],
    ["a direction is none", { queries: [named("a", { dir: "up" })] }, 400, "queries[0].dir must be one of ltr, rtl, auto"],
    ["that of a condition is none", { queries: [{ conditions: [{ matchType: "name", propertyValue: "a", dir: "" }] }] }, 400, "queries[0].conditions[0].dir must be one of ltr, rtl, auto"],
    ["several types are named", { queries: [named("a", { type: ["x"] })] }, 400, "queries[0].type must be a string"],
    ["the body is too long", "x".repeat(BODY_MAX_BYTES + 1), 413, `The request body may have at most ${BODY_MAX_BYTES} bytes`],
  ])("where %s (1.0)", async (...[, body, status, message]) => {
    const response = await ask("/1.0-draft/match", json(body));
    expect([response.status, await response.json()]).toMatchObject([status, { data: null, error: { message } }]);
  }); // prettier-ignore

  it.each<[string, RequestInit, number, string]>([
    ["/0.2", json({ q: query }), 415, "unsupported_media_type"],
    ["/0.2", form({ other: "1" }), 400, "invalid_request"],
    ["/0.2?queries=%FF", {}, 400, "invalid_query"],
    ["/0.2?queries={}&queries={}", {}, 400, "invalid_query"],
    ["/1.0-draft/match", form({ queries: "[]" }), 415, "unsupported_media_type"],
    ["/1.0-draft/match", {}, 405, "method_not_allowed"],
    ["/0.2/suggest/entity", {}, 400, "invalid_query"],
    ["/0.2/suggest/entity?prefix=a&cursor=-1", {}, 400, "invalid_query"],
    ["/0.2/preview?id=C-NONE", {}, 404, "not_found"],
    ["/0.2/flyout", {}, 404, "not_found"],
    ["/3.0", {}, 404, "not_found"],
    ["/../other", {}, 404, "not_found"],
    ["/0.2", form({ extend: '{"ids":[],"properties":[{"id":"x"}]}' }), 400, "invalid_request"],
    [
      "/1.0-draft/extend",
      json({ ids: Array.from({ length: 101 }, () => "x"), properties: [] }),
      413,
      "request_too_large",
    ],
  ])("%s answers what it cannot read by its reason: %#", async (...[path, init, status, code]) => {
    const response = await ask(path, init);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
    expect(await response.json()).toMatchObject({ data: null, error: { code } });
  });
});

it.each(["/0.2", "/1.0-draft/match", "/1.0-draft/extend"])(
  "%s names the only coding that it takes where it refuses another (RFC 9110 §15.5.16)",
  async (path) => {
    const headers = { "Content-Type": path === "/0.2" ? "application/x-www-form-urlencoded" : "application/json" };
    const response = await ask(path, {
      method: "POST",
      headers: { ...headers, "Content-Encoding": "gzip" },
      body: "x",
    });
    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  },
);

it.each([
  ["https://words.example/a/../b/./", "https://words.example/b"],
  ["https://words.example/%2e%2e", "https://words.example"],
  ["HTTPS://Words.example:443/b", "https://words.example/b"],
  ["https://words.example/wörter", "https://words.example/w%C3%B6rter"],
])("answers at the address that clients make of %s (URL Standard §4.4)", async (base, address) => {
  const handler = await other.reconcile(base);
  const endpoint = `${address}/0.2`;
  expect(await (await handler(new Request(base))).json()).toMatchObject({ endpoints: { "0.2": endpoint } });
  expect((await handler(new Request(endpoint))).status).toBe(200);
});

describe("what a client finds", () => {
  it("has a manifest for each version, and names both at its address", async () => {
    const manifest02 = expectSchema(shapes.Manifest02, await (await ask("/0.2")).json());
    const manifest10 = expectSchema(shapes.Manifest10, await (await ask("/1.0-draft/")).json());
    expect([manifest02.versions, manifest10.versions]).toEqual([["0.2"], ["1.0-draft"]]);
    expect(await (await ask("")).json()).toMatchObject({ endpoints: { "0.2": `${BASE}/0.2`, "1.0-draft": `${BASE}/1.0-draft` } }); // prettier-ignore
    for (const { service_url, service_path } of [
      ...Object.values(manifest02.suggest),
      manifest02.extend.propose_properties,
    ])
      expect((await ask(`${(service_url + service_path).slice(BASE.length)}?prefix=`)).status).toBe(200);
    const code = registry.concepts.first(1)[0]?.code ?? "";
    expect(manifest02.view.url.replace("{{id}}", code)).toBe(`${starter.origin}/concepts/${code}`);
    expect(manifest10.view.url.replace("{id}", code)).toBe(`${starter.origin}/concepts/${code}`);
    expect((await ask(manifest02.preview.url.replace("{{id}}", code).slice(BASE.length))).status).toBe(200);
  });

  it("lists by prefix, says that it is a listing, and finds a code, an expression and a name", async () => {
    const suggest = async (path: string, release = starter) =>
      expectSchema(shapes.Suggestions, await (await ask(path, {}, release)).json());
    const idsOf = async (query: string) => (await suggest(`/1.0-draft/suggest/entity?${query}`, other)).result.map(({ id }) => id); // prettier-ignore
    const [first] = (await suggest("/0.2/suggest/entity?prefix=refund%20request")).result;
    expect(first).toMatchObject({ id: "C-DFM7YZ", description: expect.stringMatching(/^Listed by prefix, not an assignment\. /), notable: [{ id: "support" }] }); // prettier-ignore
    expect(await idsOf("prefix=N-TAXI")).toEqual(["N-TAXI"]);
    expect(await idsOf("prefix=bank")).toEqual(["N-MONEY", "N-RIVER"]);
    expect(await idsOf("prefix=NAME%20of%20n-m&limit=3")).toEqual(["N-MANY-A", "N-MANY-B", "N-MANY-C"]);
    expect(await idsOf("prefix=name%20of%20n-m&limit=2&offset=11")).toEqual(["N-MANY-L", "N-MONEY"]);
    expect(await idsOf("prefix=definition")).toEqual([]);
    expect(await idsOf("prefix=&limit=999")).toHaveLength(checkedRegistry(nasty).concepts.length);
    expect((await suggest("/0.2/suggest/type?prefix=SUP")).result).toEqual([{ id: "support", name: "support" }]);
    expect((await suggest("/0.2/suggest/property?prefix=expression:f")).result).toMatchObject([
      { id: "expression:fr" },
      { id: "expression:fr-ca" },
    ]);
    expect((await suggest("/0.2/suggest/property?prefix=&cursor=1")).result[0]?.id).toBe("definition");
  });

  it("gives the values of properties, none for an unknown code", async () => {
    const properties = ["name", "definition", "domain", "expression:ar", "closeMatch"].map((id) => ({ id }));
    const extension = { ids: ["N-RTL", "N-NONE"], properties };
    const old = await ask("/0.2", form({ extend: JSON.stringify(extension) }), other);
    const table = expectSchema(shapes.Table02, await old.json());
    expect(table.rows["N-RTL"]).toEqual({
      name: [{ str: "Name of N-RTL" }],
      definition: [{ str: "Definition of N-RTL." }],
      domain: [{ str: "test" }],
      "expression:ar": [{ str: "مرحبا بالعالم" }],
      closeMatch: [],
    });
    expect(Object.values(table.rows["N-NONE"] ?? {}).flat()).toEqual([]);
    const draft = await ask("/1.0-draft/extend", json(extension), other);
    const { rows } = expectSchema(shapes.Table10, await draft.json());
    expect(rows[0]?.properties[3]).toEqual({
      id: "expression:ar",
      values: [{ str: "مرحبا بالعالم", lang: "ar", dir: "rtl" }],
    });
    const cased = { ids: ["N-RTL"], properties: [{ id: "expression:AR" }] };
    const inCase = await (await ask("/0.2", form({ extend: JSON.stringify(cased) }), other)).json();
    expect(expectSchema(shapes.Table02, inCase).rows["N-RTL"]).toEqual({ "expression:AR": [{ str: "مرحبا بالعالم" }] });
    const proposed = await (await ask("/0.2/extend/propose?type=test&limit=2", {}, other)).json();
    expect(expectSchema(shapes.Proposal, proposed).properties.map(({ id }) => id)).toEqual(["name", "definition"]);
  });

  it("shows a concept in a frame without script or style", async () => {
    const response = await ask("/0.2/preview?id=N-RTL", {}, other);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors \*$/);
    expect(await response.text()).toContain('<dd lang="ar" dir="rtl">مرحبا بالعالم</dd>');
  });

  it("lets other origins ask, by CORS, and by JSONP in version 0.2 alone", async () => {
    const options = await ask("/1.0-draft/match", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect(options.headers.get("access-control-allow-headers")).toContain("Content-Type");
    const script = await ask(`/0.2?callback=jQuery1_2.done&queries=${encodeURIComponent('{"a\u2028":{"query":"x"}}')}`);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toBe(String.raw`/**/jQuery1_2.done({"a\u2028":{"result":[]}});` + "\n");
    for (const name of ["a;b", "a(", "", "1a", "a".repeat(101), "<script>", "a..b"])
      expect((await ask(`/0.2?callback=${encodeURIComponent(name)}`)).status).toBe(400);
    expect((await ask("/1.0-draft?callback=f")).headers.get("content-type")).toBe("application/json");
  });
});
