/** The list of concepts, and the page of each. */
import { describe, expect, it } from "vitest";
import { type ConceptDetail, ConceptList } from "../../../../runtime/contract/concept.ts";
import { ErrorEnvelope } from "../../../../runtime/contract/resolution.ts";
import { LONGEST } from "../../../support/nasty.ts";
import { expectSchema } from "../../../support/schemas.ts";
import { type Element, parseHtml, elements, textOf, rawTextOf, attribute, withId } from "../../../support/page.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";
import { startService } from "../../../support/service.ts";
import { pageServices, BROWSER, query, listed, listCodes } from "../../../support/pages.ts";

const at = pageServices();

describe("/concepts", () => {
  it("lists every concept by name, with its definition and a link to it", async () => {
    const page = await at.visit("/concepts");
    const list = expectSchema(ConceptList, (await at.service.send("GET", "/api/v1/concepts")).json());
    const data = list.data.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(listed(page)).toEqual(data.map(({ code }) => code));
    const items = elements(elements(page, "main")[0], "li").filter((item) => elements(item, "code").length > 0);
    for (const [i, { code, name, definition, domain }] of data.entries()) {
      expect(attribute(elements(items[i], "a")[0], "href")).toBe(`/concepts/${code}`);
      expect(textOf(elements(items[i], "a")[0])).toBe(name);
      for (const text of [definition, domain]) expect(textOf(items[i])).toContain(text);
    }
    expect(textOf(elements(page, "main")[0])).toContain(`${data.length} published concepts`);
  });

  it.each(["name", "N-M", "quotes and", "GRÖSSE", "größe", "tags &", "zzzz", "n-many-a", "a b", ""])(
    "O-13: filters as the API does: %s",
    async (text) => {
      const [page, codes] = [
        await at.visit(query("/concepts", { q: text })),
        await listCodes(at.service, query("", { q: text })),
      ];
      expect([text, listed(page).toSorted()]).toEqual([text, codes]);
      expect(attribute(withId(page, "q"), "value")).toBe(text);
    },
  );

  it.each(["q=a&q=b", "q=%ZZ", "q=%FF", `q=${"a".repeat(201)}`])(
    "O-13: refuses a filter as the API does: %s",
    async (target) => {
      const [page, api] = await Promise.all(
        ["/concepts", "/api/v1/concepts"].map((path) => at.service.send("GET", `${path}?${target}`, BROWSER)),
      );
      expect(page?.status).toBe(400);
      expect(expectSchema(ErrorEnvelope, page?.json())).toEqual(api?.json());
    },
  );

  it("is cut into pages of a hundred, which together list every concept once", async () => {
    const codes = await listCodes(at.many);
    expect(codes.length).toBe(250);
    const shown = await Promise.all(
      [1, 2, 3].map(async (page) => listed(await at.visit(`/concepts?page=${page}`, at.many))),
    );
    expect(shown).toEqual([codes.slice(0, 100), codes.slice(100, 200), codes.slice(200)]);
    expect(listed(await at.visit("/concepts", at.many))).toEqual(shown[0]);
  });

  it("links each of its pages to the others, and says which one it is", async () => {
    for (const [page, links, title] of [
      [1, ["1", "2", "3", "2"], /^Concepts ·/],
      [2, ["1", "1", "2", "3", "3"], /^Concepts, page 2 of 3 ·/],
      [3, ["2", "1", "2", "3"], /^Concepts, page 3 of 3 ·/],
    ] as const) {
      const root = await at.visit(`/concepts?page=${page}`, at.many);
      const nav = elements(elements(root, "main")[0], "nav").at(-1);
      expect(elements(nav, "a").map((link) => attribute(link, "href"))).toEqual(
        links.map((to) => `/concepts?page=${to}`),
      );
      const current = elements(nav, "a").filter((link) => attribute(link, "aria-current") === "page");
      expect(current.map((link) => attribute(link, "href"))).toEqual([`/concepts?page=${page}`]);
      expect(textOf(elements(root, "title")[0])).toMatch(title);
    }
    const navs = elements(elements(await at.visit("/concepts"), "main")[0], "nav");
    expect(navs.map((nav) => attribute(nav, "aria-label"))).toEqual(["Concepts by first letter"]);
  });

  it("shows the nearest page for a number that is none", async () => {
    const codes = await listCodes(at.many);
    const starts = {
      0: ",0,-1,-999,abc,NaN,-Infinity,0.9,1.9,%00,1;2,1&page=2,%ZZ,%D9%A1,2.9,2.0,02,0x2,1e99,Infinity",
      100: "2,2&x=3",
    };
    const last = { 200: "3,4,1000,9007199254740993" };
    const rows = Object.entries({ ...starts, ...last }).flatMap(([start, numbers]) =>
      numbers.split(",").map((number) => [number, Number(start)] as const),
    );
    for (const [number, start] of rows) {
      const page = await at.visit(`/concepts?page=${number}`, at.many);
      expect([number, listed(page)]).toEqual([number, codes.slice(start, start + 100)]);
    }
  });

  it("cuts the matches of a filter into pages too, and says how many there are", async () => {
    const codes = await listCodes(at.many);
    const page = await at.visit("/concepts?q=definition&page=2", at.many);
    expect(listed(page)).toEqual(codes.slice(100, 200));
    const main = elements(page, "main")[0];
    expect(textOf(main)).toMatch(/\b250 concepts matched, by name\./);
    const links = elements(elements(main, "nav").at(-1), "a").map((link) => attribute(link, "href"));
    expect(links).toContain("/concepts?q=definition&page=3");
    const some = await at.visit("/concepts?q=L-01", at.many);
    expect(listed(some)).toEqual(codes.filter((code) => code.startsWith("L-01")));
    expect(textOf(elements(some, "main")[0])).toContain("10 concepts matched");
  });

  it.each(["/concepts", "/concepts?page=2", "/concepts?q=a"])(
    "says that nothing is published, and lists nothing, where the registry is empty: %s",
    async (target) => {
      const page = await at.visit(target, at.none);
      expect(listed(page)).toEqual([]);
      expect(textOf(elements(page, "main")[0])).toMatch(/No concept (?:is published|has every one)/);
    },
  );
});

describe("/concepts/{code}", () => {
  it("shows every expression of every concept in its language and direction, exactly", async () => {
    for (const code of await listCodes(at.service)) {
      const detail = (await at.service.send("GET", `/api/v1/concepts/${code}`)).json() as ConceptDetail;
      const page = await at.visit(`/concepts/${code}`);
      const shown = elements(elements(page, "main")[0], "bdi").map((element) => [
        attribute(element, "lang"),
        rawTextOf(element),
      ]);
      const expected = detail.expressions.map(({ language, locale, expression: text }) => [locale ?? language, text]);
      expect(shown.map(String).toSorted()).toEqual(expected.map(String).toSorted());
      expect(textOf(elements(page, "h1")[0])).toBe(detail.name);
      const main = textOf(elements(page, "main")[0]);
      for (const text of [code, detail.definition, detail.domain, detail.registryVersion, detail.canonicalUrl]) {
        expect(main).toContain(text);
      }
      for (const { descriptor, unicodeSequence } of detail.renderings) {
        expect(main).toContain(descriptor);
        if (unicodeSequence !== null) expect(main).toContain(unicodeSequence);
      }
    }
  });

  it("has one block to cite, with the code, its version and its address", async () => {
    const detail = (await at.service.send("GET", "/api/v1/concepts/N-TAXI")).json() as ConceptDetail;
    const { code, registryVersion, canonicalUrl } = detail;
    const blocks = elements(await at.visit("/concepts/N-TAXI"), "pre");
    const lines = [`code: ${code}`, `registryVersion: ${registryVersion}`, `canonicalUrl: ${canonicalUrl}`];
    expect(blocks.map(rawTextOf)).toEqual([lines.join("\n")]);
  });

  it("shows no definition that only repeats the name, on the page and in the list", async () => {
    const concepts = ["Same", "Else"].map((definition, i) =>
      concept(`R-${i}`, [expression("en", `same ${i}`)], { name: "Same", definition }),
    );
    const service = await startService(checkedRegistry({ concepts }));
    const shown = async (path: string): Promise<string[]> => {
      const page = parseHtml(await service.send("GET", path, BROWSER));
      return elements(page, "p")
        .filter((element) => ["lede", "meaning"].includes(attribute(element, "class") ?? ""))
        .map(textOf);
    };
    expect([await shown("/concepts/R-0"), await shown("/concepts/R-1")]).toEqual([[], ["Else"]]);
    expect((await shown("/concepts")).slice(1)).toEqual(["Else"]);
    await service.close();
  });

  it("leads from each expression to the resolution that names its concept, or says that it does not resolve", async () => {
    const page = await at.visit("/concepts/N-EXACT");
    const links = elements(page, "a").flatMap((link) => {
      const href = attribute(link, "href") ?? "";
      return href.startsWith("/resolve?") ? [[href, rawTextOf(elements(link, "bdi")[0])] as const] : [];
    });
    expect(links.length).toBe(2);
    for (const [href, text] of links) {
      const outcome = await at.visit(href);
      expect([attribute(withId(outcome, "expression"), "value"), textOf(withId(outcome, "outcome"))]).toEqual([
        text,
        expect.stringMatching(text === "shared" ? /N-EXACT/ : /near a concept/),
      ]);
    }
  });

  it.each([
    [
      "N-RTL",
      [
        ["ar", "rtl", "مرحبا بالعالم"],
        ["he", "rtl", "שלום עולם"],
        ["fa", "rtl", "می‌خواهم"],
      ],
    ],
    [
      "N-PHONE",
      [
        ["pt", "ltr", "telefone"],
        ["pt-BR", "ltr", "celular"],
        ["pt-PT", "ltr", "telemóvel"],
      ],
    ],
    ["N-LONG", [["zh-Hant", "ltr", LONGEST]]],
  ] as const)("gives each expression the direction of its language, whatever its text: %j %j", async (code, rows) => {
    const shown = elements(elements(await at.visit(`/concepts/${code}`), "main")[0], "bdi").map((element) => [
      attribute(element, "lang"),
      attribute(element, "dir"),
      rawTextOf(element),
    ]);
    for (const row of rows) expect(shown).toContainEqual(row);
    expect(shown.every(([, direction]) => direction !== undefined)).toBe(true);
  });

  it("says of an expression below strength 1 that it does not resolve, and of no other", async () => {
    const items = (page: Element): string[] =>
      elements(elements(page, "main")[0], "li").flatMap((item) =>
        elements(item, "bdi").map((shown) => `${rawTextOf(shown)}: ${/does not resolve/.test(textOf(item))}`),
      );
    expect(items(await at.visit("/concepts/N-EXACT")).toSorted()).toEqual(["both near: true", "shared: false"]);
    expect(items(await at.visit("/concepts/N-TAXI"))).toEqual(["taxi: false", "taxi: false", "taxi: false"]);
  });

  it("O-60: is 404 for anything but a published code, as HTML that repairs and redirects nothing", async () => {
    for (const [path, code] of [
      ["NONE", "NONE"],
      ["n-taxi", "n-taxi"],
      ["N-TAXI%20", "N-TAXI "],
      ["N-DRAFT", "N-DRAFT"],
      ["N-RETIRED", "N-RETIRED"],
      ["%4E-TAXIS", "N-TAXIS"],
      ["%254E-TAXI", "%4E-TAXI"],
      ["taxi", "taxi"],
      ["A".repeat(3000), "A".repeat(3000)],
    ] as const) {
      const reply = await at.service.send("GET", `/concepts/${path}`, BROWSER);
      expect([path, reply.status, reply.headers.location]).toEqual([path, 404, undefined]);
      const page = parseHtml(reply);
      expect(elements(page, "bdi").map(rawTextOf)).toEqual([code]);
      expect(textOf(elements(page, "h1")[0])).toBe("No published concept has this code");
      const links = elements(elements(page, "main")[0], "a").map((link) => attribute(link, "href"));
      const successor = code === "N-RETIRED" ? ["/concepts/N-MONEY"] : [];
      expect(new Set(links)).toEqual(new Set(["/", "/concepts", ...successor]));
    }
    expect(textOf(elements(await at.visit("/concepts/%4E-TAXI"), "h1")[0])).toBe("Name of N-TAXI");
  });

  it("O-16: says of a retired code when it was retired and what the registry names as successor", async () => {
    const page = await at.visit("/concepts/N-RETIRED", at.service, 404);
    const main = textOf(elements(page, "main")[0]);
    expect(elements(page, "a").map(({ attributes }) => attributes.get("href"))).toContain("/concepts/N-MONEY");
    expect(main).toContain("Retired in 2026.10.1.");
    expect(main).toContain("The registry names N-MONEY as its successor.");
    expect(textOf(elements(await at.visit("/concepts/NONE", at.service, 404), "main")[0])).not.toContain("Retired in");
  });

  it("says what all expressions come from once, and of each only what differs", async () => {
    const notes = (page: Element): number =>
      elements(elements(page, "main")[0], "li").filter((item) => textOf(item).includes("CC0-1.0")).length;
    expect(notes(await at.visit("/concepts/N-TAXI"))).toBe(0);
    expect(notes(await at.visit("/concepts/S-ALL", at.hostile))).toBe(1);
  });

  it.each([
    ["taxi", "Concepts with this expression", "/concepts/N-TAXI"],
    ["TAXI", "an expression that differs only in form", "/concepts/N-TAXI"],
    ["Nmae n-taxi", "differ from these words by one typing error each", "/concepts/N-TAXI"],
  ])("leads from the filter %s, %s, to %s", async (text, said, url) => {
    const main = elements(await at.visit(`/concepts?q=${encodeURIComponent(text)}`), "main")[0];
    expect(textOf(main)).toContain(said);
    expect(elements(main, "a").map((link) => attribute(link, "href"))).toContain(url);
  });

  it.each([
    ["N-TAXI", "This is the code of"],
    ["taxi", "This is an exact expression: resolve it"],
    ["zzzz", ""],
  ])("says of the filter %s: %s", async (text, said) => {
    const main = textOf(elements(await at.visit(`/concepts?q=${text}`), "main")[0]);
    expect(["This is the code of", "This is an exact expression"].some((one) => main.includes(one))).toBe(said !== "");
    expect(main).toContain(said);
  });
});
