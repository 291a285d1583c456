/** The home page, and the page that resolves. */
import { describe, expect, it } from "vitest";
import { type ConceptDetail } from "../../../../runtime/contract/concept.ts";
import { ErrorEnvelope, type ResolveEnvelope } from "../../../../runtime/contract/resolution.ts";
import { expectSchema } from "../../../support/schemas.ts";
import { type Element, elements, textOf, rawTextOf, attribute, withId, withAttribute } from "../../../support/page.ts";
import { INJECTION, pageServices, query, listCodes } from "../../../support/pages.ts";

const at = pageServices();

describe("the home page", () => {
  it("says that it is not ready, in words and by the constant, only where nothing can resolve", async () => {
    const [ready, notReady] = [await at.visit("/"), await at.visit("/", at.none)].map((page) =>
      textOf(elements(page, "main")[0]),
    );
    expect(notReady).toContain("Not ready.");
    expect(notReady).toContain("not_ready_empty_registry");
    expect(ready).not.toMatch(/not.ready/i);
    expect(notReady).toMatch(/\b0 concepts 0 reviewed exact expressions\b/);
  });

  it("counts what the status counts, and asks with an example that resolves", async () => {
    const page = await at.visit("/");
    const { data } = (await at.service.send("GET", "/api/v1/status")).json() as {
      data: { publishedConcepts: number; reviewedExactExpressions: number; languages: string[] };
    };
    const main = textOf(elements(page, "main")[0]);
    expect(main).toContain(
      `${data.publishedConcepts} concepts ${data.reviewedExactExpressions} reviewed exact expressions`,
    );
    expect(main).toContain(`${data.languages.length} languages`);
    const [example, mistyped] = elements(page, "a").flatMap((link) => {
      const href = attribute(link, "href") ?? "";
      return href.startsWith("/resolve?") ? [href] : [];
    });
    expect(copied(await at.visit(example ?? "")).length).toBe(1);
    expect(copied(await at.visit(mistyped ?? ""))).toEqual([]);
    // Nothing can be asked of an empty registry, and a hostile example stays an address.
    expect(
      elements(await at.visit("/", at.none), "a")
        .map((link) => attribute(link, "href"))
        .join(),
    ).not.toContain("/resolve?");
    for (const link of elements(await at.visit("/", at.hostile), "a")) {
      if (attribute(link, "href")?.startsWith("/resolve?") !== true) continue;
      // The unknown one is ours.
      if (attribute(link, "data-expression") === "an expression nobody has reviewed") continue;
      const shown = await at.visit(attribute(link, "href") ?? "", at.hostile);
      expect(attribute(withId(shown, "expression"), "value")).toContain(INJECTION);
    }
  });
});

/** The codes that a page offers for use. */
function copied(page: Element): string[] {
  const paragraphs = withAttribute(withId(page, "outcome"), "class").filter(
    (one) => attribute(one, "class") === "code",
  );
  return paragraphs.flatMap((one) => withAttribute(one, "data-copy")).map(textOf);
}

function addressOf({ expression, language }: { expression: string; language?: string }): string {
  const tag = language === undefined ? "" : `&language=${encodeURIComponent(language)}`;
  return `/resolve?expression=${encodeURIComponent(expression)}${tag}`;
}

/** Whether a near form resolves to a candidate, or is an expression of several of them. */
async function leadsToOne(link: string, candidates: ResolveEnvelope["data"]["candidates"]): Promise<boolean> {
  const asked = Object.fromEntries(new URL(link, "http://x").searchParams);
  const { data } = (await at.service.resolve(asked)).json() as ResolveEnvelope;
  const codes = data.concept === null ? data.candidates.map(({ code }) => code) : [data.concept.code];
  return codes.some((code) => candidates.some((one) => one.code === code));
}

describe("/resolve", () => {
  it.each(["/resolve", "/resolve?", "/resolve?x=1", "/resolve?language=de"])(
    "has an empty form and no outcome when nothing is asked: %s",
    async (target) => {
      const page = await at.visit(target);
      expect(attribute(withId(page, "expression"), "value")).toBe("");
      expect(textOf(withId(page, "outcome"))).toBe("");
    },
  );

  it("shows what the API answers for every expression, with and without its language", async () => {
    const codes = await listCodes(at.service);
    const all = await Promise.all(codes.map((code) => at.service.send("GET", `/api/v1/concepts/${code}`)));
    const requests = all.flatMap((reply) =>
      (reply.json() as ConceptDetail).expressions.flatMap(({ expression: text, language, locale }) => [
        { expression: text },
        { expression: text, language: locale ?? language },
        { expression: `${text}!` },
      ]),
    );
    const outcomes = new Set<string>();
    // The longest does not fit a request target when it is percent-encoded.
    for (const request of requests.filter(({ expression: text }) => encodeURIComponent(text).length < 8000)) {
      const { data } = (await at.service.resolve(request)).json() as ResolveEnvelope;
      const page = await at.visit(query("/resolve", request));
      const outcome = withId(page, "outcome");
      expect([request, copied(page)]).toEqual([request, data.concept === null ? [] : [data.concept.code]]);
      expect(attribute(withId(page, "expression"), "value")).toBe(request.expression);
      expect(attribute(withId(page, "language"), "value")).toBe("language" in request ? request.language : "");
      expect(rawTextOf(elements(outcome, "bdi")[0])).toBe(request.expression);
      if (data.concept === null) {
        expect(textOf(outcome)).toContain("No code is assigned");
        expect(textOf(outcome)).toContain(data.reason ?? "");
        const links = elements(outcome, "a").map((link) => attribute(link, "href") ?? "");
        const isUnknown = data.reason === "no_reviewed_exact_match";
        const isShort = Array.from(request.expression).length <= 200;
        const filter = isUnknown && isShort ? [`/concepts?q=${encodeURIComponent(request.expression)}`] : [];
        const candidates = data.candidates.map(({ code }) => `/concepts/${code}`);
        const others = links.filter((link) => !link.startsWith("/resolve?"));
        expect([...new Set(others)]).toEqual([...candidates, ...filter]);
        for (const link of links.filter((one) => one.startsWith("/resolve?") && one !== addressOf(request)))
          expect([request, await leadsToOne(link, data.candidates)]).toEqual([request, true]);
      } else {
        for (const text of [data.concept.name, data.concept.registryVersion]) expect(textOf(outcome)).toContain(text);
      }
      outcomes.add(data.reason ?? data.status);
    }
    expect([...outcomes].toSorted()).toEqual([
      "ambiguous_expression",
      "equivalence_not_exact",
      "no_reviewed_exact_match",
      "resolved",
    ]);
  });

  it("abstains in words, and shows candidates as evidence only", async () => {
    const outcome = async (target: string, from = at.service): Promise<string> =>
      textOf(withId(await at.visit(`/resolve?expression=${target}`, from), "outcome"));
    const ambiguous = await outcome("many");
    expect(ambiguous).toMatch(/^Abstained No code is assigned /);
    expect(ambiguous).toMatch(/ambiguous_expression .*evidence only, never an assignment.* N-MANY-A\b.* N-MANY-J\b/);
    expect(ambiguous).not.toContain("N-MANY-K");
    for (const [target, reason] of [
      ["none", "no_reviewed_exact_match"],
      ["telefone&language=de", "language_not_matched"],
    ] as const) {
      expect(await outcome(target)).toMatch(/^Abstained No code is assigned /);
      expect(await outcome(target)).toContain(reason);
      expect(await outcome(target)).not.toMatch(/never an assignment|\bN-[A-Z]/);
    }
    expect(await outcome("sort+of")).toMatch(/equivalence_not_exact .*never an assignment.* N-NEAR\b.* 0\.8/);
    expect(await outcome("a", at.none)).toMatch(/^Abstained No code is assigned .*registry_empty/);
  });

  it("refuses what the API refuses, with its sentence, and assigns no code", async () => {
    for (const request of [
      { expression: "" },
      { expression: "a".repeat(1001) },
      { expression: "taxi", language: "en_US" },
      { expression: "taxi", language: "x".repeat(36) },
    ]) {
      const { error } = expectSchema(ErrorEnvelope, (await at.service.resolve(request)).json());
      const page = await at.visit(query("/resolve", request));
      const outcome = withId(page, "outcome");
      expect(textOf(outcome)).toMatch(/^Refused /);
      expect(textOf(outcome)).toContain(`${error.message}. No code is assigned.`);
      expect(copied(page)).toEqual([]);
      expect(attribute(withId(page, "expression"), "value")).toBe(request.expression);
    }
  });

  it("never answers a question that was not asked: an expression or language that cannot be read is refused", async () => {
    for (const target of ["expression=%ZZ", "expression=%FF", "expression=taxi&expression=bank"]) {
      const page = await at.visit(`/resolve?${target}`);
      expect(textOf(withId(page, "outcome")), target).toMatch(/^Refused /);
    }
    for (const target of ["language=%ZZ", "language=%FF", "language=fr&language=xx", "language=xx&language=fr"]) {
      const page = await at.visit(`/resolve?expression=taxi&${target}`);
      expect([target, copied(page)]).toEqual([target, []]);
    }
  });

  it("takes a blank language, as the form sends it, for none", async () => {
    expect(copied(await at.visit("/resolve?expression=taxi&language="))).toEqual(["N-TAXI"]);
  });

  it.each([
    ["say+%22hi%22+%5C+%3C%2Fscript%3E", 'say "hi" \\ </script>', ["N-QUOTES"]],
    ["tie%CC%82%CC%81ng+Vie%CC%A3%CC%82t", "tie\u0302\u0301ng Vie\u0323\u0302t", ["N-ACCENTS"]],
    ["+taxi", " taxi", []],
    ["taxi%00", "taxi\u0000", []],
    ["ta%78i", "taxi", ["N-TAXI"]],
    ["%2574axi", "%74axi", []],
  ] as const)(
    "reads the form's encoding: plus is a space, escapes are UTF-8, the text is not trimmed: %j %j %j",
    async (target, text, codes) => {
      const page = await at.visit(`/resolve?expression=${target}`);
      expect([target, attribute(withId(page, "expression"), "value"), copied(page)]).toEqual([target, text, codes]);
    },
  );
});
