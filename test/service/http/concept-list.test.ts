/** The list of concepts by name in a language, by letter, by domain and by filter. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NameLists } from "../../../generator/facts/names.ts";
import { viewOf } from "../../support/view.ts";
import { printNames } from "../../../generator/documents/names.ts";
import { isNamesFile, namesPath } from "../../../runtime/contract/added-resources.ts";
import { NAMES_MAX_CONCEPTS } from "../../../runtime/contract/limits.ts";
import { INTERFACE_FILE } from "../../../runtime/contract/policy.ts";
import type { Interface } from "../../../runtime/contract/inputs.ts";
import { textsOf } from "../../../runtime/pages/texts.ts";
import { documentOf } from "../../../runtime/release/served.ts";
import { conceptsContent } from "../../../runtime/routes/concept-list.ts";
import { formatHtml } from "../../../runtime/text/html.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { serviceFor, startService } from "../../support/service.ts";
import { faultsAfter } from "../../support/tamper.ts";

const preferred = (language: string, text: string, locale?: string) =>
  expression(language, text, { type: "preferred", ...(locale !== undefined && { locale }) });

const FILLING = Array.from({ length: 110 }, (_none, i) => `term ${String(i).padStart(3, "0")}`);

const concepts = [
  concept("A-1", [preferred("en", "zebra"), preferred("de", "Zebra")], { name: "zebra", domain: "animals" }),
  concept("A-2", [preferred("en", "elk"), preferred("de", "Élch")], { name: "elk", domain: "animals" }),
  concept("B-1", [preferred("en", "oak"), preferred("de", "Eiche"), expression("de", "Aeiche")], { name: "oak", domain: "plants" }),
  concept("B-2", [preferred("pt", "bonde", "pt-BR"), preferred("pt", "elétrico", "pt-PT")], { name: "“tram”", domain: "things" }),
  concept("B-3", [preferred("pt", "fila", "pt-BR"), preferred("pt", "fila de gente")], { name: "3 queues", domain: "things" }),
  concept("B-4", [expression("de", "Straße", { type: "preferred", equivalenceStrength: 0.5 })], { name: "ßtreet", domain: "things" }),
  ...FILLING.map((name, i) => concept(`C-${String(i).padStart(3, "0")}`, [expression("en", name)], { name, domain: "filling" })),
]; // prettier-ignore

const service = serviceFor(() => checkedRegistry({ concepts }));

async function pageOf(target: string): Promise<string> {
  const { status, body } = await service.send("GET", target, { headers: { accept: "text/html" } });
  expect(status).toBe(200);
  return body.toString();
}

/** The codes of the list, without those of the concepts that have the text as an expression. */
const codesIn = (page: string): string[] => {
  const list = page.replaceAll(/<ul class="tree">[^]*?<\/ul>/g, "");
  return [...list.matchAll(/<code>(.*?)<\/code>/g)].map(([, code = ""]) => code);
};

describe("the list of concepts", () => {
  it.each<[string, string[]]>([
    ["domain=animals", ["A-2", "A-1"]],
    ["domain=things", ["B-3", "B-4", "B-2"]],
    ["domain=none&q=oak", ["B-1"]],
    ["in=de", ["B-1", "A-2", "A-1"]],
    ["in=de&domain=animals", ["A-2", "A-1"]],
    ["in=pt", ["B-2", "B-3"]],
    ["in=xx&domain=plants", ["B-1"]],
    ["in=DE&domain=plants", ["B-1"]],
    ["q=eiche", []],
    ["in=de&q=EICH", ["B-1"]],
    ["in=de&q=of+zz", []],
    ["in=de&q=oak&domain=animals", []],
    ["q=%22tram", []],
    ["q=tram", ["B-2"]],
  ])("is sorted and chosen: %s", async (query, codes) => {
    expect(codesIn(await pageOf(`/concepts?${query}`))).toEqual(codes);
  });

  it("leads from each letter to the page and the place where its names begin", async () => {
    const page = await pageOf("/concepts");
    const nav = page.slice(
      page.indexOf('aria-label="Concepts by first letter"'),
      page.indexOf("</nav>", page.indexOf("first letter")),
    );
    const links = [...nav.matchAll(/href="([^"]*)">([^<]*)</g)].map(([, url, letter]) => [letter, url]);
    expect(links).toEqual([
      ["#", "/concepts?page=1#letter-%23"],
      ["E", "/concepts?page=1#letter-E"],
      ["O", "/concepts?page=1#letter-O"],
      ["S", "/concepts?page=1#letter-S"],
      ["T", "/concepts?page=1#letter-T"],
      ["Z", "/concepts?page=2#letter-Z"],
    ]); // prettier-ignore
    const second = await pageOf("/concepts?page=2");
    expect([...second.matchAll(/id="letter-(.)"/g)].map(([, letter]) => letter)).toEqual(["T", "Z"]);
    expect(codesIn(second).at(-1)).toBe("A-1");
  });

  it("shows the name in the language with its direction, and the registry's next to it", async () => {
    const page = await pageOf("/concepts?in=de&domain=plants");
    expect(page).toContain('<a href="/concepts/B-1" lang="de" dir="ltr">Eiche</a>');
    expect(page).toContain("<bdi>oak</bdi> · <bdi>plants</bdi>");
    expect(page).toContain("113 more have no preferred expression in this language.");
    expect(page).toContain('<option value="animals">animals (2)</option>');
    expect(page).toContain('<option value="de" data-language="de" selected>de</option>');
  });

  it("keeps filter, language and domain on its other pages", async () => {
    const page = await pageOf("/concepts?q=term&domain=filling&page=2");
    expect(page).toContain('href="/concepts?q=term&amp;domain=filling&amp;page=1"');
    expect(codesIn(page).length).toBe(10);
  });

  it("is in code order where the registry has too many names to sort, and filters show the first hundred", async () => {
    const { documents, index, manifest } = service.release;
    const unnamed = { index, manifest, documents: new Map([...documents].filter(([file]) => !isNamesFile(file))) };
    const { languages } = JSON.parse(new TextDecoder().decode(documentOf({ documents }, INTERFACE_FILE))) as {
      languages: [Interface["languages"][number]];
    };
    const shown = async (query: string): Promise<string> => {
      const content = await conceptsContent(unnamed, query, textsOf(languages[0]));
      return "main" in content ? formatHtml(content.main) : "";
    };
    const codes = concepts.map(({ code }) => code);
    for (const query of ["q=definition", "q=definition&page=2&in=de&domain=plants"]) {
      const page = await shown(query);
      expect(codesIn(page)).toEqual(codes.slice(0, 100));
      expect(page).toMatch(/116<\/strong> concepts matched, in code order\. Only the first 100 are shown\./);
      expect(page).not.toMatch(/<nav|<select/);
    }
    expect(codesIn(await shown("page=2"))).toEqual(codes.slice(100));
  });

  it("sends of a long definition no more than it can show", async () => {
    const long = await startService(
      checkedRegistry({
        concepts: [concept("A", [expression("en", "a")], { definition: `${"long ".repeat(200)}end.` })],
      }),
    );
    const { body } = await long.send("GET", "/concepts", { headers: { accept: "text/html" } });
    await long.close();
    expect([body.includes("long long …"), body.includes("end.")]).toEqual([true, false]);
  });
});

describe("the files of names", () => {
  const read = (language?: string) =>
    JSON.parse(readFileSync(path.join(service.release.directory, namesPath(language)), "utf8")) as unknown;

  it("have name, code, domain and number of each concept, by letter", () => {
    expect(read("de")).toEqual({
      language: "de",
      domains: ["animals", "filling", "plants", "things"],
      letters: [["E", 0], ["Z", 2]],
      names: [["Eiche", "B-1", 2, 2], ["Élch", "A-2", 0, 1], ["Zebra", "A-1", 0, 0]],
    }); // prettier-ignore
    expect(read("pt")).toMatchObject({ names: [["bonde", "B-2", 3, 3], ["fila de gente", "B-3", 3, 4]] }); // prettier-ignore
  });

  it.each([
    ["a name is another", ['"Eiche"', '"Buche"']],
    ["two are in another order", ['["Eiche","B-1",2,2],["Élch","A-2",0,1]', '["Élch","A-2",0,1],["Eiche","B-1",2,2]']],
    ["a code is another's", ['"Eiche","B-1"', '"Eiche","B-2"']],
    ["a letter begins elsewhere", ['["Z",2]', '["Z",1]']],
  ] as const)("are vouched for by verify where %s", async (_what, [from, to]) => {
    expect(
      await faultsAfter(service.release.directory, (copy) => copy.replace("registry/names/de.json", from, to)),
    ).toContain("registry/names/de.json: does not list the names of the concepts in order");
  });

  it(`are not there above ${NAMES_MAX_CONCEPTS} concepts`, () => {
    const one = checkedRegistry({ concepts: concepts.slice(0, 1) });
    const view = viewOf(one, "http://a.example");
    const filesOf = (length: number) => {
      const lists = new NameLists({ length, domains: one.concepts.domains });
      for (const only of one.concepts) lists.take({ id: 0, concept: only, entries: only.entries() });
      return [...printNames({ ...view, facts: { ...view.facts, names: lists.found() } }).keys()];
    };
    expect(filesOf(NAMES_MAX_CONCEPTS)).toEqual([
      "/registry/names.json",
      "/registry/names/en.json",
      "/registry/names/de.json",
    ]);
    expect(filesOf(NAMES_MAX_CONCEPTS + 1)).toEqual([]);
  });
});
