/** Ways through a vocabulary with broader and narrower concepts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hierarchy } from "../../../../runtime/registry/hierarchy.ts";
import { attribute, type Element, elements, parseHtml, textOf, withId } from "../../../support/page.ts";
import { BROWSER } from "../../../support/pages.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";
import { type Service, startService } from "../../../support/service.ts";
import { codeAt, treeOf } from "../../../support/tree.ts";

/** Two concepts above one, of which the first by name counts; a circle; a concept of its own. */
const knotted = {
  concepts: [
    concept("K-1", [expression("en", "one")], { name: "Z", narrower: ["K-3"] }),
    concept("K-2", [expression("en", "two")], { name: "A", narrower: ["K-3"] }),
    concept("K-3", [expression("en", "three")], { name: "<b>below</b>" }),
    concept("K-4", [expression("en", "four")], { broader: ["K-5"] }),
    concept("K-5", [expression("en", "five")], { broader: ["K-4"] }),
  ],
};

const services = {} as Record<"small" | "knot" | "flat", Service>;
beforeAll(async () => {
  services.small = await startService(checkedRegistry(treeOf(3, 2)));
  services.knot = await startService(checkedRegistry(knotted));
  services.flat = await startService(checkedRegistry({ concepts: [concept("F-1", [expression("en", "flat")])] }));
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

async function visit(service: Service, path: string): Promise<Element> {
  return parseHtml(await service.send("GET", path, BROWSER));
}

/** The addresses of the links in a part of a page. */
const linksIn = (part: Element | undefined): (string | undefined)[] =>
  elements(part, "a").map((link) => attribute(link, "href"));

/** The broader concepts that a page names above its heading. */
async function pathOf(service: Service, code: string): Promise<(string | undefined)[]> {
  const nav = elements(await visit(service, `/concepts/${code}`), "nav").find(
    (one) => attribute(one, "aria-label") === "Broader concepts",
  );
  return linksIn(nav);
}

/** Each item of a list: its address, what follows its code, and whether a script may open it. */
function itemsOf(list: Element | undefined) {
  return elements(list, "li").map((item) => [linksIn(item)[0], textOf(item).split(" ").slice(3).join(" ")]);
}

describe("the hierarchy", () => {
  it("names the concepts without a broader one, and how many narrower ones each concept has", async () => {
    const hierarchy = (await services.small.send("GET", "/registry/hierarchy.json")).json() as Hierarchy;
    const tops = [0, 1, 2].map((top) => codeAt(top));
    expect(hierarchy.top).toEqual(tops.map((code) => ({ code, name: `Name ${code}` })));
    const middles = [0, 1, 2].flatMap((top) => [0, 1].map((middle) => codeAt(top, middle)));
    expect(hierarchy.narrower).toEqual([...tops, ...middles].toSorted().map((code) => [code, 2]));
  });

  it("is not in a release without relations, nor on its pages", async () => {
    expect((await services.flat.send("GET", "/registry/hierarchy.json")).status).toBe(404);
    expect(withId(await visit(services.flat, "/concepts"), "hierarchy")).toBeUndefined();
    expect(await pathOf(services.flat, "F-1")).toEqual([]);
  });

  it("leads from the list to each top concept, and from each concept to the narrower ones", async () => {
    const list = elements(await visit(services.small, "/concepts"), "details").find(
      (part) => elements(part, "h2").length === 1 && withId(part, "hierarchy") !== undefined,
    );
    expect(itemsOf(list)).toEqual([0, 1, 2].map((top) => [`/concepts/${codeAt(top)}`, "2 narrower"]));
    const middle = withId(await visit(services.small, `/concepts/${codeAt(1)}`), "narrower");
    expect(itemsOf(middle)).toEqual([0, 1].map((step) => [`/concepts/${codeAt(1, step)}`, "2 narrower"]));
    const last = withId(await visit(services.small, `/concepts/${codeAt(1, 0)}`), "narrower");
    expect(itemsOf(last)).toEqual([0, 1].map((step) => [`/concepts/${codeAt(1, 0, step)}`, ""]));
    expect(elements(last, "li").some((item) => item.attributes.has("data-narrower"))).toBe(false);
  });

  it("leads back from a concept through its broader ones to the list", async () => {
    expect(await pathOf(services.small, codeAt(2, 1, 0))).toEqual([
      "/concepts",
      `/concepts/${codeAt(2)}`,
      `/concepts/${codeAt(2, 1)}`,
    ]);
  });

  it("names the first by name of several broader concepts, and ends where a circle closes", async () => {
    expect(await pathOf(services.knot, "K-3")).toEqual(["/concepts", "/concepts/K-2"]);
    expect(await pathOf(services.knot, "K-4")).toEqual(["/concepts", "/concepts/K-5"]);
    const { top } = (await services.knot.send("GET", "/registry/hierarchy.json")).json() as Hierarchy;
    expect(top.map(({ code }) => code)).toEqual(["K-2", "K-1"]);
  });

  it("keeps every page of 10,000 concepts below 150 kB", async () => {
    const service = await startService(checkedRegistry(treeOf(400, 4)));
    const paths = ["/concepts", `/concepts/${codeAt(7)}`, `/concepts/${codeAt(7, 3, 2)}`, "/concepts?domain=odd"];
    const sizes = await Promise.all(paths.map(async (path) => (await service.send("GET", path, BROWSER)).body.length));
    expect(Math.max(...sizes)).toBeLessThan(150_000);
    const list = await visit(service, "/concepts");
    expect(textOf(elements(list, "main")[0])).toContain("and 100 more");
    await service.close();
  });
});

describe("the page of a domain", () => {
  it("has its name as heading and title, its concepts, and a link from the list and from each of them", async () => {
    const list = await visit(services.small, "/concepts");
    const url = "/concepts?domain=odd";
    expect(linksIn(elements(list, "details").find((part) => withId(part, "domains") !== undefined))).toContain(url);
    expect(linksIn(await visit(services.small, `/concepts/${codeAt(0, 1)}`))).toContain(url);
    const page = await visit(services.small, url);
    expect([textOf(elements(page, "h1")[0]), textOf(elements(page, "title")[0])]).toEqual([
      "odd",
      expect.stringMatching(/^odd, Concepts/),
    ]);
    const shown = linksIn(page).filter((href) => href?.startsWith("/concepts/T-"));
    expect(shown).toEqual([0, 1, 2].flatMap((top) => [0, 1].map((step) => `/concepts/${codeAt(top, step)}`)));
  });
});
