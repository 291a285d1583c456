import { describe, expect, it } from "vitest";
import { ConceptDetail } from "../../../runtime/contract/concept.ts";
import { ErrorEnvelope, type ResolutionData, ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { CORS_FIELDS } from "../../../runtime/http/cors.ts";
import { empty, LONGEST, LONGEST_ASTRAL, nasty } from "../../support/nasty.ts";
import { raw } from "../../support/raw.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { REQUESTS } from "../../support/requests.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Reply, serviceFor, startService } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

async function resolution(expression: string, language?: string): Promise<ResolutionData> {
  const reply = await service.resolve({ expression, language });
  expect(reply.status).toBe(200);
  return expectSchema(ResolveEnvelope, reply.json()).data;
}

async function codeOf(expression: string, language?: string): Promise<string | undefined> {
  return (await resolution(expression, language)).concept?.code;
}

async function reasonOf(expression: string, language?: string): Promise<string | null> {
  const data = await resolution(expression, language);
  expect(data.status).toBe("abstained");
  return data.reason;
}

function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(expectSchema(ErrorEnvelope, reply.json()).error.code).toBe(code);
}

describe("POST /api/v1/resolve", () => {
  it("A06 A15 A21 C13 O-08 O-23 C01 C03 B19 B20 B22 B23 B24 B25 B26 B27 B32: answers the closed ResolveEnvelope as application/json", async () => {
    const reply = await service.resolve({ expression: "poison" });
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.headers["content-length"]).toBe(String(reply.body.length));
    expect(reply.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": CORS_FIELDS[3],
    });
    expect(expectSchema(ResolveEnvelope, reply.json())).toEqual({
      data: {
        input: { expression: "poison" },
        status: "resolved",
        reason: null,
        embeddingProfile: null,
        concept: {
          code: "N-POISON",
          name: "Name of N-POISON",
          definition: "Definition of N-POISON.",
          domain: "test",
          registryVersion: "2026.11.1",
        },
        candidates: [],
        confidence: 1,
        margin: null,
      },
      error: null,
    });
  });

  it("A07 A08 B31 B39 C06 O-08: an abstention is HTTP 200 with error null, no concept, no confidence", async () => {
    const reply = await service.resolve({ expression: "unheard of" });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      data: {
        input: { expression: "unheard of" },
        status: "abstained",
        reason: "no_reviewed_exact_match",
        embeddingProfile: null,
        concept: null,
        candidates: [],
        confidence: null,
        margin: null,
      },
      error: null,
    });
  });

  it("A04: an expression that is not reviewed never resolves, with or without its language", async () => {
    for (const text of ["one in review", "drafted one", "rejected one", "retired one", "nothing reviewed"]) {
      expect(await reasonOf(text)).toBe("no_reviewed_exact_match");
      expect(await reasonOf(text, "en")).toBe("no_reviewed_exact_match");
    }
    expect(await codeOf("reviewed one")).toBe("N-REVIEW");
  });

  it("A05 O-03 O-64: near misses abstain: case, spaces, one character, compatibility forms", async () => {
    const misses = [
      "Taxi",
      "taxi ",
      " taxi",
      "tax",
      "taxis",
      "TAXI",
      "ｔａｘｉ",
      "fi",
      "cafe",
      "only  money",
      "only\u00A0money",
    ];
    for (const text of [...misses, " ", "\u0000", "\n", "say hi", "👩💻", "❤"]) {
      expect(await reasonOf(text), JSON.stringify(text)).toBe("no_reviewed_exact_match");
    }
  });

  it("O-03: canonically equivalent forms are the same text", async () => {
    for (const text of ["café", "한국어", "tiếng Việt", "Å"]) {
      expect(await codeOf(text.normalize("NFD"))).toBe("N-ACCENTS");
      expect(await codeOf(text)).toBe("N-ACCENTS");
    }
    expect(await codeOf("\u212B")).toBe("N-ACCENTS");
  });

  it("B21: echoes the sent expression unchanged, whatever form it has", async () => {
    const texts = [
      "cafe\u0301",
      "  two  spaces ",
      "\u200Fשלום\u200E",
      "👩‍💻",
      '"\\/\b\f\n\r\t',
      "\u0000\u001f\u007f",
      "\u2028\u2029",
      "</script>",
    ];
    for (const text of texts) expect((await resolution(text)).input.expression).toBe(text);
  });

  it("resolves right-to-left text, joiners, emoji sequences, the longest and the shortest expressions", async () => {
    expect(await codeOf("שלום עולם", "he")).toBe("N-RTL");
    expect(await codeOf("مرحبا بالعالم")).toBe("N-RTL");
    expect(await codeOf("می‌خواهم", "fa")).toBe("N-RTL");
    for (const text of ["👩‍💻", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️"]) expect(await codeOf(text)).toBe("N-EMOJI");
    expect(await codeOf(LONGEST, "zh-Hant-TW")).toBe("N-LONG");
    expect(await codeOf(LONGEST_ASTRAL)).toBe("N-LONG");
    for (const text of ["x", "é", "e\u0301", "😀"]) expect(await codeOf(text)).toBe("N-SHORT");
    expect(await codeOf('say "hi" \\ </script>')).toBe("N-QUOTES");
  });

  it("C08 A09 B29 B30 O-04 O-26: an ambiguous expression abstains with every concept as a candidate of score 1", async () => {
    for (const language of [undefined, "en", "en-GB"]) {
      const data = await resolution("bank", language);
      expect(data).toMatchObject({ status: "abstained", reason: "ambiguous_expression", concept: null });
      expect(data.candidates).toEqual([
        { code: "N-MONEY", name: "Name of N-MONEY", score: 1 },
        { code: "N-RIVER", name: "Name of N-RIVER", score: 1 },
      ]);
      for (const { code } of data.candidates) {
        expect((await service.send("GET", `/api/v1/concepts/${code}`)).status).toBe(200);
      }
    }
  });

  it("O-26: lists at most ten candidates, in code order", async () => {
    const { candidates } = await resolution("many");
    expect(candidates.map(({ code }) => code)).toEqual(Array.from("ABCDEFGHIJ", (letter) => `N-MANY-${letter}`));
  });

  it("C09: a language tells apart one string of two concepts in two languages", async () => {
    expect(await reasonOf("Gift")).toBe("ambiguous_expression");
    expect(await codeOf("Gift", "de")).toBe("N-POISON");
    expect(await codeOf("Gift", "en")).toBe("N-PRESENT");
  });

  it("C10: one concept with the same string in several languages resolves without a language", async () => {
    expect(await codeOf("taxi")).toBe("N-TAXI");
  });

  it("C11 O-07: a wrong language does not resolve an otherwise known string", async () => {
    expect(await reasonOf("poison", "de")).toBe("language_not_matched");
    expect(await reasonOf("taxi", "pt")).toBe("language_not_matched");
  });

  it("O-05: looks up by truncating the requested tag, and never widens to a narrower one", async () => {
    for (const tag of ["de", "DE", "de-AT", "de-Latn-AT-1996-x-private", "de-a-foo"]) {
      expect(await codeOf("Geschenk", tag), tag).toBe("N-PRESENT");
    }
    expect(await codeOf("celular", "pt-BR")).toBe("N-PHONE");
    expect(await codeOf("celular", "PT-br-x-a")).toBe("N-PHONE");
    expect(await reasonOf("celular", "pt")).toBe("language_not_matched");
    expect(await codeOf("telefone", "pt-BR")).toBe("N-PHONE");
    for (const tag of ["und", "mul", "x-private", "i-klingon", "zh-min-nan", "tlh"]) {
      expect(await reasonOf("taxi", tag), tag).toBe("language_not_matched");
    }
  });

  it("O-05 O-19: stops at the first level that has the expression, even at a strength below 1", async () => {
    expect(await reasonOf("Stufe", "de-AT")).toBe("equivalence_not_exact");
    expect(await codeOf("Stufe", "de-CH")).toBe("N-LEVEL-DE");
    expect(await codeOf("Stufe")).toBe("N-LEVEL-DE");
  });

  it("O-19 O-26: a strength below 1 is a candidate with that score, and gives way to strength 1 elsewhere", async () => {
    const near = await resolution("sort of");
    expect(near).toMatchObject({ reason: "equivalence_not_exact", concept: null });
    expect(near.candidates).toEqual([{ code: "N-NEAR", name: "Name of N-NEAR", score: 0.8 }]);
    expect(await codeOf("shared")).toBe("N-EXACT");
    const both = await resolution("both near");
    expect(both.candidates.map(({ code, score }) => [code, score])).toEqual([
      ["N-EXACT", 0.9],
      ["N-NEAR", 0.4],
    ]);
    expect((await resolution("both near", "de")).candidates).toMatchObject([{ code: "N-NEAR", score: 0.25 }]);
  });

  it("B28: the resolved concept's fields are those of its detail", async () => {
    const { concept } = await resolution('say "hi" \\ </script>');
    const detail = expectSchema(ConceptDetail, (await service.send("GET", "/api/v1/concepts/N-QUOTES")).json());
    const { code, name, definition, domain, registryVersion } = detail;
    expect(concept).toEqual({ code, name, definition, domain, registryVersion });
  });

  it("A11 C12: the same request gives the same bytes, and nothing changes", async () => {
    const before = await service.send("GET", "/api/v1/status");
    const replies = await Promise.all(Array.from({ length: 100 }, () => service.resolve({ expression: "bank" })));
    for (const reply of replies) expect(reply.body.equals(replies[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect((await service.send("GET", "/api/v1/status")).body.equals(before.body)).toBe(true);
  });

  it("A10: no answer or refusal grants authorization", async () => {
    for (const body of [{ expression: "taxi" }, { expression: "bank" }, { expression: "no" }, {}]) {
      expect((await service.resolve(body)).body.toString()).not.toMatch(/authoriz/i);
    }
  });
});

describe("a resolve request", () => {
  it.each(REQUESTS)(
    "B11 B12 B13 B14 B15 B16 B17 B18 C02 C04 C07 B01 B33: is answered with 200, or refused with 400 where it is not one: %s",
    async (_what, body, isTaken) => {
      const reply = await service.resolve(JSON.stringify(body));
      if (!isTaken) expectProblem(reply, 400, "invalid_request");
      // The syntax of a language tag is told apart by its own code (O-06): one character passes the
      // bound, and is no tag.
      else if ((body as { language?: string }).language === "x") expectProblem(reply, 400, "invalid_language");
      else expect(reply.status).toBe(200);
    },
  );

  it("B14: counts an escaped pair as one character; B11: names what is missing, whatever else is wrong", async () => {
    const escaped = `{"expression":"${"\\ud83d\\ude00".repeat(1000)}"}`;
    expect((await service.resolve(escaped)).status).toBe(200);
    const said = (await service.resolve(JSON.stringify({ ["a".repeat(99)]: 1, language: 1 }))).body.toString();
    expect(said).toContain(`lacks the property \\"expression\\"`);
  });

  it.each(["en_US", "*", "en-", "-en", "e", "en--US", "de-*", "en US", "ünglish", "12", "en-u", "toolonglang"])(
    "O-06: is refused with a language tag that is not well-formed: %s",
    async (language) => {
      expectProblem(await service.resolve({ expression: "taxi", language }), 400, "invalid_language");
    },
  );

  it("O-27 O-29 O-64: is refused when it is not strict JSON in UTF-8", async () => {
    const invalid: (string | Uint8Array)[] = [
      "", " ", "{", '{"expression":"taxi"}x', "{'expression':'taxi'}", '{"expression":"taxi",}', '\uFEFF{"expression":"taxi"}',
      '{"expression":"ta\nxi"}', "NaN", Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"expression":"\xff"}', "latin1"),
      Buffer.from("\uFEFF", "utf16le"), Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    ]; // prettier-ignore
    for (const body of invalid) expectProblem(await service.resolve(body), 400, "invalid_json");
    const ambiguous = [
      '{"expression":"a","expression":"b"}',
      '{"expression":"a","\\u0065xpression":"b"}',
      '{"expression":"\\ud800"}',
      '{"expression":"\\udc00\\ud800"}',
    ];
    for (const body of ambiguous) expectProblem(await service.resolve(body), 400, "invalid_request");
  });

  it("O-29: needs Content-Type application/json, in any case, with no charset but UTF-8", async () => {
    const body = '{"expression":"taxi"}';
    const post = (contentType?: string): Promise<Reply> =>
      service.send("POST", "/api/v1/resolve", {
        body,
        headers: contentType === undefined ? {} : { "content-type": contentType },
      });
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
    ]) {
      expect((await post(type)).status, type).toBe(200);
    }
    for (const type of [
      undefined, "", "text/plain", "application/json; charset=latin1", "application/jsonx", "application/problem+json",
      "application/x-www-form-urlencoded", "application", "application/json, text/plain", ";;;",
    ]) expectProblem(await post(type), 415, "unsupported_media_type"); // prettier-ignore
  });

  it("C04: is refused with a content coding", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expectProblem(await service.send("POST", "/api/v1/resolve", { headers, body: "x" }), 415, "unsupported_media_type");
  });

  it("O-28: may have 16 KiB; one byte more is refused before it is parsed, declared or chunked", async () => {
    const padded = (size: number): string => '{"expression":"taxi"}'.padEnd(size, " ");
    expect((await service.resolve(padded(16_384))).status).toBe(200);
    expectProblem(await service.resolve(padded(16_385)), 413, "request_too_large");
    const head = "POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n";
    const chunks = `2710\r\n${padded(10_000)}\r\n`.repeat(2);
    const reply = await raw(service.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("O-30 O-54: is not negotiated and needs no credential; an Authorization field changes nothing", async () => {
    const headers = {
      "content-type": "application/json",
      accept: "image/png",
      authorization: "Bearer secret",
      cookie: "a=b",
    };
    const reply = await service.send("POST", "/api/v1/resolve", { headers, body: '{"expression":"taxi"}' });
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(reply.headers["www-authenticate"]).toBeUndefined();
  });
});

describe("an empty registry", () => {
  it("B09 O-07: lists nothing and abstains with registry_empty", async () => {
    const nothing = await startService(checkedRegistry(empty));
    try {
      expect((await nothing.send("GET", "/api/v1/concepts")).json()).toEqual({ data: [], count: 0 });
      expect((await nothing.send("GET", "/api/v1/concepts?q=a")).json()).toEqual({ data: [], count: 0 });
      expect((await nothing.send("GET", "/api/v1/concepts/A")).status).toBe(404);
      expect((await nothing.resolve({ expression: "x" })).json()).toMatchObject({
        data: { reason: "registry_empty", concept: null },
      });
      expect((await nothing.send("GET", "/api/v1/status")).json()).toMatchObject({
        data: { publishedConcepts: 0, reviewedExactExpressions: 0, languages: [], domains: [] },
      });
    } finally {
      await nothing.close();
    }
  });
});
