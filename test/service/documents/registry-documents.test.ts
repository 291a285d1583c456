/** Retired codes, releases, coverage and ambiguity, counted again from the bundle. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AmbiguousExpression, Coverage } from "../../../generator/contract/coverage.ts";
import { coverageView } from "../../../generator/documents/coverage.ts";
import { viewOf } from "../../support/view.ts";
import { starterContent } from "../../support/build.ts";
import { ORIGIN } from "../../support/release.ts";
import { COVERAGE_LIMITS } from "../../../generator/contract/coverage.ts";
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import type { RegistryHistory, RetiredCodes } from "../../../generator/contract/history.ts";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { getJson, getText, HTML, publishedConcepts, starterRegistry } from "../../support/documents.ts";
import { idsOf, textOf } from "../../support/markup.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, checkFiles, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { type Service, startService } from "../../support/service.ts";
import { DOMAINS, wide } from "../../support/wide.ts";

const RETIRED = "/registry/retired.json";
const HISTORY = "/registry/history.json";
const COVERAGE = "/registry/coverage.json";

/**
 * Two releases on: one concept is gone with a successor, which is gone too; another without one.
 */
const later: RegistryFiles = {
  concepts: [concept("L-NEW", [expression("en", "new one")]), concept("L-OTHER", [expression("en", "other one")])],
  registry: { registryVersion: "2026.12.1" },
  retired: [
    { code: "L-OLDEST", retiredIn: "2026.11.1", replacedBy: "L-OLD", name: "Oldest", sourceId: "urn:oldest" },
    { code: "L-GONE", retiredIn: "2026.12.1", replacedBy: null, reason: "See https://other.example/why for <why>." },
    { code: "L-OLD", retiredIn: "2026.12.1", replacedBy: "L-NEW" },
  ],
  history: [
    { registryVersion: "2026.09.1", contentSha256: "a".repeat(64) },
    {
      registryVersion: "2026.11.1",
      contentSha256: "b".repeat(64),
      reassigned: [{ expression: "new one", language: null, from: "L-OLD", to: "L-NEW" }],
      acknowledgement: "It was wrong.",
    },
  ],
};

let services: Record<"starter" | "nasty" | "later" | "wide" | "empty", Service>;
beforeAll(async () => {
  // One after the other: the wide one takes its time.
  services = {
    starter: await startService(starterRegistry()),
    nasty: await startService(checkedRegistry(nasty)),
    later: await startService(checkedRegistry(later)),
    wide: await startService(checkedRegistry(wide)),
    empty: await startService(checkedRegistry(empty)),
  };
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

const coverageOf = (service: Service) => getJson<Coverage>(service, COVERAGE);

describe("/registry/retired.json", () => {
  it("O-57: publishes each retired code with what is recorded of it, in code order", async () => {
    const { retired } = await getJson<RetiredCodes>(services.later, RETIRED);
    expect(retired).toEqual([
      { code: "L-GONE", retiredIn: "2026.12.1", replacedBy: null, name: null, reason: "See https://other.example/why for <why>." },
      { code: "L-OLD", retiredIn: "2026.12.1", replacedBy: "L-NEW", name: null, reason: null },
      { code: "L-OLDEST", retiredIn: "2026.11.1", replacedBy: "L-OLD", name: "Oldest", reason: null },
    ]); // prettier-ignore
    expect((await getJson<RetiredCodes>(services.starter, RETIRED)).retired).toEqual([]);
  });

  it("O-57: names codes that are 404 everywhere, and whose expressions abstain: nothing follows replacedBy", async () => {
    const { later: service } = services;
    const { retired } = await getJson<RetiredCodes>(service, RETIRED);
    expect(retired.some(({ replacedBy }) => replacedBy !== null)).toBe(true);
    for (const { code } of retired) {
      const reply = await service.send("GET", `/api/v1/concepts/${code}`);
      expect([code, reply.status, reply.json(), reply.headers.location]).toEqual([code, 404, { error: "concept_not_found" }, undefined]); // prettier-ignore
      expect((await service.send("GET", `/concepts/${code}`)).status).toBe(404);
    }
    const codes = (await publishedConcepts(service)).map(({ code }) => code);
    expect(codes.filter((code) => retired.some((one) => one.code === code))).toEqual([]);
    const before = await startService(checkedRegistry({ concepts: [concept("L-OLD", [expression("en", "old one")])] }));
    const ask = async (from: Service) =>
      ((await from.resolve({ expression: "old one", language: "en" })).json() as ResolveEnvelope).data;
    expect((await ask(before)).concept?.code).toBe("L-OLD");
    expect(await ask(service)).toMatchObject({ status: "abstained", reason: "no_reviewed_exact_match", concept: null });
    await before.close();
  });

  it("O-57: holds a code for ever: a concept that has it again is refused, in any case of its letters", () => {
    for (const code of ["L-GONE", "l-gone"]) {
      const { registry, findings } = checkFiles({ ...later, concepts: [concept(code, [expression("en", "x")])] });
      expect([code, registry, findings.some(({ rule }) => rule === "code-retired")]).toEqual([code, undefined, true]);
    }
  });
});

describe("/registry/history.json", () => {
  it("O-16: lists the recorded releases, oldest first, with what they reassigned and why", async () => {
    const { releases, current } = await getJson<RegistryHistory>(services.later, HISTORY);
    expect(releases).toEqual([
      { registryVersion: "2026.09.1", contentSha256: "a".repeat(64), reassigned: [], acknowledgement: null, log: null },
      {
        registryVersion: "2026.11.1",
        contentSha256: "b".repeat(64),
        reassigned: [{ expression: "new one", language: null, from: "L-OLD", to: "L-NEW" }],
        acknowledgement: "It was wrong.",
        log: null,
      },
    ]);
    expect(current).toMatchObject({ registryVersion: "2026.12.1", recorded: false });
    expect((await getJson<RegistryHistory>(services.starter, HISTORY)).current.recorded).toBe(true);
  });

  it.each(["starter", "nasty", "later", "empty"] as const)(
    "O-16: gives the digest that follows from the bundle and the retired codes: %s",
    async (name) => {
      const { current } = await getJson<RegistryHistory>(services[name], HISTORY);
      const { retired } = await getJson<RetiredCodes>(services[name], RETIRED);
      const hash = createHash("sha256");
      for (const detail of await publishedConcepts(services[name])) {
        const { registryVersion: _version, canonicalUrl: _url, ...content } = detail;
        hash.update(`${JSON.stringify(content)}\n`);
      }
      for (const { code, retiredIn, replacedBy } of retired)
        hash.update(`${JSON.stringify({ retired: code, retiredIn, replacedBy })}\n`);
      expect(current.contentSha256).toBe(hash.digest("hex"));
    },
  );
});

/** Codes by language and tag that have an exact expression there. */
function covered(concepts: readonly ConceptDetail[], place: (entry: ConceptDetail["expressions"][number]) => string) {
  const found = new Map<string, Set<string>>();
  for (const { code, expressions } of concepts) {
    for (const entry of expressions.filter(({ equivalenceStrength }) => equivalenceStrength === 1))
      found.set(place(entry), (found.get(place(entry)) ?? new Set()).add(code));
  }
  return found;
}

describe("/registry/coverage.json", () => {
  it.each(["starter", "nasty", "wide", "empty"] as const)("counts every language, domain and tag: %s", async (name) => {
    const { concepts: total, domains, languages, limits } = await coverageOf(services[name]);
    const concepts = await publishedConcepts(services[name]);
    const { data } = await getJson<{ data: { languages: string[]; domains: string[] } }>(
      services[name],
      "/api/v1/status",
    );
    expect([total, limits]).toEqual([concepts.length, COVERAGE_LIMITS]);
    expect([domains.total, domains.listed.map(({ domain }) => domain)]).toEqual([data.domains.length, data.domains]);
    expect([languages.total, languages.listed.map(({ language }) => language)]).toEqual([
      data.languages.length,
      data.languages,
    ]);
    const byLanguage = covered(concepts, ({ language }) => language);
    const byTag = covered(concepts, ({ language, locale }) => `${language} ${locale ?? language}`);
    for (const { language, concepts: count, byDomain, tags, lacking } of languages.listed) {
      const own = byLanguage.get(language) ?? new Set();
      expect([language, count]).toEqual([language, own.size]);
      expect(byDomain).toEqual(
        data.domains.map((domain) => concepts.filter((one) => one.domain === domain && own.has(one.code)).length),
      );
      const lacks = concepts.map(({ code }) => code).filter((code) => !own.has(code));
      expect(lacking).toEqual({ total: lacks.length, listed: lacks.slice(0, COVERAGE_LIMITS.lacking) });
      expect(tags.listed.map(({ tag, concepts: found }) => [tag, found])).toEqual(
        [...byTag].filter(([place]) => place.startsWith(`${language} `)).map(([place, codes]) => [place.split(" ")[1], codes.size]).toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
      ); // prettier-ignore
      expect(tags.total).toBe(tags.listed.length);
    }
  });

  it("counts a locale for its language, and says what is found under each tag", async () => {
    const { languages } = await coverageOf(services.nasty);
    const one = (name: string) => languages.listed.find(({ language }) => language === name);
    const phone = {
      concepts: 1,
      tags: { total: 3, listed: ["pt", "pt-BR", "pt-PT"].map((tag) => ({ tag, concepts: 1 })) },
    };
    expect(one("pt")).toMatchObject(phone);
    // Only near expressions are no coverage.
    expect(one("en")?.lacking.listed).toContain("N-NEAR");
    expect(one("de")?.tags.listed).not.toContainEqual(expect.objectContaining({ tag: "de-AT" }));
  });

  it.each(["starter", "nasty", "wide"] as const)("O-04: lists what the resolver finds ambiguous, under each tag and without one: %s", async (name) => {
    const { ambiguous } = await coverageOf(services[name]);
    const ask = async (text: string, language?: string) => {
      const reply = await services[name].resolve({ expression: text, ...(language !== undefined && { language }) });
      return (reply.json() as ResolveEnvelope).data.reason;
    };
    const some = ({ listed }: { listed: readonly AmbiguousExpression[] }) => listed.slice(0, 40);
    expect([...some(ambiguous.withinLanguage), ...some(ambiguous.acrossLanguages)].length).toBeGreaterThan(2);
    for (const { expression: text, ambiguousIn, concepts } of some(ambiguous.withinLanguage)) {
      expect([text, await ask(text)]).toEqual([text, "ambiguous_expression"]);
      const tags = new Set(concepts.listed.flatMap((one) => one.tags.listed));
      for (const tag of tags)
        expect([text, tag, await ask(text, tag)]).toEqual([text, tag, ambiguousIn.listed.includes(tag) ? "ambiguous_expression" : null]);
    }
    for (const { expression: text, ambiguousIn, concepts } of some(ambiguous.acrossLanguages)) {
      expect([text, ambiguousIn.total, await ask(text)]).toEqual([text, 0, "ambiguous_expression"]);
      for (const tag of concepts.listed.flatMap((one) => one.tags.listed)) expect([text, await ask(text, tag)]).toEqual([text, null]);
    }
  }); // prettier-ignore

  it.each(["starter", "nasty", "wide"] as const)("lists every ambiguous expression once, in order, with its concepts: %s", async (name) => {
    const { ambiguous } = await coverageOf(services[name]);
    const holders = new Map<string, Map<string, Set<string>>>();
    for (const { code, expressions } of await publishedConcepts(services[name])) {
      for (const { expression: text, language, locale, equivalenceStrength } of expressions) {
        if (equivalenceStrength !== 1) continue;
        const key = text.normalize("NFC");
        const codes = holders.get(key) ?? new Map<string, Set<string>>();
        holders.set(key, codes.set(code, (codes.get(code) ?? new Set()).add(locale ?? language)));
      }
    }
    const expected = [...holders].filter(([, codes]) => codes.size > 1).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const all = [...ambiguous.withinLanguage.listed, ...ambiguous.acrossLanguages.listed];
    expect(ambiguous.withinLanguage.total + ambiguous.acrossLanguages.total).toBe(expected.length);
    expect(all.map((one) => one.expression).toSorted()).toEqual(expected.map(([key]) => key).toSorted());
    for (const { listed } of Object.values(ambiguous)) {
      const keys = listed.map((one) => one.expression);
      expect(keys).toEqual(expected.map(([key]) => key).filter((key) => keys.includes(key)));
    }
    for (const { expression: key, concepts } of all) {
      const codes = holders.get(key) ?? new Map<string, Set<string>>();
      expect(concepts.total).toBe(codes.size);
      expect(concepts.listed).toEqual([...codes].slice(0, COVERAGE_LIMITS.meanings).map(([code, tags]) => ({ code, tags: { total: tags.size, listed: [...tags].toSorted() } })));
    }
  }); // prettier-ignore

  it("ends its lists at their limits, with totals that are exact", async () => {
    const { ambiguous, languages } = await coverageOf(services.nasty);
    const many = ambiguous.withinLanguage.listed.find((one) => one.expression === "many");
    expect([many?.concepts.total, many?.concepts.listed.length]).toEqual([12, COVERAGE_LIMITS.meanings]);
    const broad = await coverageOf(services.wide);
    const lacking = broad.languages.listed
      .map((one) => one.lacking)
      .filter(({ total }) => total > COVERAGE_LIMITS.lacking);
    expect(lacking.length).toBeGreaterThan(200);
    expect(new Set(lacking.map(({ listed }) => listed.length))).toEqual(new Set([COVERAGE_LIMITS.lacking]));
    expect(languages.listed.every(({ lacking: { total, listed } }) => total === listed.length)).toBe(true);
  });
});

describe("/coverage", () => {
  const page = (service: Service) => getText(service, "/coverage", HTML);

  it("sums up the starter, names its languages once, and links the concepts of each ambiguous expression", async () => {
    const html = await page(services.starter);
    const { languages, domains, concepts, ambiguous } = await coverageOf(services.starter);
    expect(html).not.toMatch(/<table|100/);
    expect(textOf(/<ul class="figures">[\s\S]*?<\/ul>/.exec(html)?.[0] ?? "").match(/\d+/g)).toEqual(
      [concepts, domains.total, languages.total, languages.total, ambiguous.withinLanguage.total].map(String),
    );
    const tags = [...html.matchAll(/<li data-language="([^"]*)">\1<\/li>/g)].map(([, tag]) => tag);
    expect(tags).toEqual(languages.listed.map(({ language }) => language));
    const text = textOf(html).replaceAll(/\s+/g, " ");
    for (const { listed } of Object.values(ambiguous)) {
      for (const one of listed) {
        expect(text).toContain(` ${one.expression} `);
        for (const { code } of one.concepts.listed) expect(html).toContain(`<a href="/concepts/${code}" dir="auto">`);
      }
    }
    expect(idsOf(html)).toEqual(expect.arrayContaining(["languages", "lacking", "ambiguous"]));
  });

  it("says the per cent of each cell, 100 only where all is covered, with a bar that is empty only where nothing is", async () => {
    const html = await page(services.nasty);
    const { languages, domains, concepts } = await coverageOf(services.nasty);
    for (const { domain, concepts: of } of domains.listed)
      expect(html).toContain(`<th scope="col">${domain}<br><span class="note">${of}</span></th>`);
    const rows = [...html.matchAll(/<tr><th scope="row" data-language="([^"]*)">\1<\/th>(.*)<\/tr>/g)];
    expect(rows.map(([, language]) => language)).toEqual(languages.listed.map(({ language }) => language));
    for (const [i, { concepts: all, byDomain }] of languages.listed.entries()) {
      const cells = [...(rows[i]?.[2] ?? "").matchAll(/<td class="t(\d+)">([\d.]+)<\/td>/g)];
      const shares = [all / concepts, ...byDomain.map((some, j) => some / (domains.listed[j]?.concepts ?? 0))];
      expect(cells.length).toBe(shares.length);
      for (const [j, share] of shares.entries()) {
        const [, tenths, percent] = (cells[j] ?? []).map(Number);
        expect([percent === 100, tenths === 10, tenths === 0]).toEqual([share === 1, share === 1, share === 0]);
        expect(Math.abs((percent ?? NaN) - share * 100)).toBeLessThan(1);
        expect(Math.abs((tenths ?? NaN) - share * 10)).toBeLessThan(1);
      }
    }
  });

  it("never says 100 of a language that lacks one of many concepts", async () => {
    const nothing = await coverageOf(services.empty);
    const language = {
      language: "de",
      concepts: 2499,
      byDomain: [],
      tags: { total: 0, listed: [] },
      lacking: { total: 1, listed: [] },
    };
    const complete = { ...language, language: "fr", concepts: 2500, lacking: { total: 0, listed: [] } };
    const document = { ...nothing, concepts: 2500, languages: { total: 2, listed: [language, complete] } };
    const view = viewOf(checkedRegistry(empty), ORIGIN, starterContent().site);
    const { rows, complete: whole } = coverageView(view, document);
    expect([whole.items, rows.map(({ percent, tenths }) => [percent, tenths])]).toEqual([["fr"], [["99.9", 9]]]);
  });

  it("shows of a wide registry what fits, says so, and leads to the rest", async () => {
    const html = await page(services.wide);
    expect(html.length).toBeLessThan(150_000);
    expect(html).toContain("Shown are the 40 languages and the 25 domains with the most concepts");
    expect(html.match(/<td class="t\d+">/g)?.length).toBe(40 * 26);
    expect(DOMAINS.filter((domain) => html.includes(`<th scope="col">${domain}<br>`)).length).toBe(25);
    const { languages } = await coverageOf(services.wide);
    const most = languages.listed.toSorted((a, b) => b.concepts - a.concepts)[0]?.language ?? "";
    expect(html).toContain(`<th scope="row" data-language="${most}">${most}</th>`);
  });

  it("says so where nothing is published", async () => {
    const html = await page(services.empty);
    expect(html).toContain("Nothing to show.");
    expect(html).not.toContain("<table");
  });

  it("shows markup in names and expressions as text", async () => {
    const hostile = "<script>alert(1)</script>";
    const two = ["M-A", "M-B"].map((code) =>
      concept(code, [expression("ar", hostile)], { name: `<b>${code}`, domain: "<i>d&" }),
    );
    const service = await startService(checkedRegistry({ concepts: two, registry: { languages: ["ar"] } }));
    const html = await page(service);
    expect(html).toContain('<bdi lang="ar" dir="rtl">&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
    expect(html).not.toMatch(/<script>|<b>|<i>/);
    await service.close();
  });
});
