/** An owner's site: name and scope in every document, own pages, and prose about own words. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { BASE_CONTENT } from "../../../generator/effects/closure.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { buildInto, ownContent } from "../../support/build.ts";
import { folder } from "../../support/command.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { serveFolder, type Service } from "../../support/service.ts";

const NAME = 'Zoë\'s "Words" & $ORIGIN </script><b>';
const SCOPE = "Terms of a {{ zoo }}, `animals` and $1 */ tickets";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** JSON is YAML. */
const site = (more: object): string =>
  JSON.stringify({ name: NAME, security: { contact: "/imprint", expires: "2027-01-01T00:00:00Z" }, ...more });

const WHOLE = {
  "site.yaml": site({
    description: SCOPE,
    contact: "mailto:zoo@example.org",
    publisher: { name: "The Zoo", href: "https://zoo.example" },
    legal: [{ title: "Imprint", href: "/imprint#who" }],
    hide: ["coverage", "integration-studio"],
    log: "/log/",
    logo: "zoo.svg",
    colors: { accent: ["#123456", "#9ab8d8"], ink: ["#000", "#fff"] },
  }),
  "assets/zoo.svg": SVG,
  "pages/imprint.md": "---\ntitle: Imprint & <more>\n---\n## Who\n\nAsk `$EXPRESSION` of $LANGUAGE at $ORIGIN.\n",
  "pages/a-zoo.njk": '---\ntitle: The zoo\nnav: Zoo\n---\n<h1>{{ site.name }}</h1><a href="/imprint#who">x</a>\n',
};

const zoo: RegistryFiles = {
  concepts: [
    concept("Z-0", [expression("en", "see")], { definition: "Not to be shown: [x](/x)." }),
    concept("Z-1", [expression("de", "it's `x`"), expression("de", "Löwe")], { definition: "```\u00B7<b>" }),
  ],
};

async function release(registry: RegistryFiles, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = folder(files);
  const out = path.join(directory, "dist");
  await buildInto(out, checkedRegistry(registry), { content: ownContent(directory) });
  return out;
}

let out: string;
let service: Service;
beforeAll(async () => {
  out = await release(zoo, WHOLE);
  service = await serveFolder(out);
});
afterAll(() => service.close());

const text = (file: string): string => readFileSync(path.join(out, file), "utf8");
const json = (file: string): unknown => JSON.parse(text(file));
const get = async (target: string, method = "GET") => {
  const { status, headers, body } = await service.send(method, target, { headers: { accept: "*/*" } });
  return { status, headers, body: body.toString() };
};

describe("an owner's site", () => {
  it.each<[string, RegistryFiles, Readonly<Record<string, string>>]>([
    ["all that can be said, with signs of every language", zoo, WHOLE],
    ["only what is required", zoo, { "site.yaml": site({ security: { contact: "mailto:a@b.example", expires: "2027-01-01T00:00:00Z" } }) }],
    ["all of it over a nasty registry", nasty, WHOLE],
    ["all of it over an empty registry", empty, WHOLE],
  ])("is whole for verify: %s", async (_what, registry, files) => {
    expect(await verifyRelease(fileSystem, await release(registry, files))).toEqual([]);
  }); // prettier-ignore

  it("is named in the OpenAPI description, with its scope, publisher and address", () => {
    const { info } = json("openapi.json") as { info: Record<string, unknown> };
    expect([info["title"], info["contact"]]).toEqual([NAME, { name: "The Zoo", email: "zoo@example.org" }]);
    expect(info["description"]).toContain(SCOPE);
  });

  it("leads from its catalog and its linked data to the checkpoint of its log, here or elsewhere", async () => {
    const read = (dist: string, name: string): string => readFileSync(path.join(dist, ".well-known", name), "utf8");
    const statement = (dist: string): (string | undefined)[] => [
      /dcterms:provenance .*/.exec(read(dist, "void"))?.[0],
      /"href": "[^"]*checkpoint",\s*"type": "text.plain"/.exec(read(dist, "api-catalog"))?.[0].split('"')[3],
    ];
    const elsewhere = await release(zoo, { ...WHOLE, "site.yaml": site({ log: "https://logs.example/zoo" }) });
    expect(
      [
        out,
        elsewhere,
        await release(zoo, { "site.yaml": site({}), "pages/imprint.md": WHOLE["pages/imprint.md"] }),
      ].map(statement),
    ).toEqual([
      [`dcterms:provenance <${ORIGIN}/log/checkpoint> ;`, `${ORIGIN}/log/checkpoint`],
      ["dcterms:provenance <https://logs.example/zoo/checkpoint> ;", "https://logs.example/zoo/checkpoint"],
      [undefined, undefined],
    ]);
    expect(await verifyRelease(fileSystem, elsewhere)).toEqual([]);
    expect(await verifyRelease(fileSystem, out)).toEqual([]);
  });

  it("A navigation of its own takes the place of ours", async () => {
    const navigation = [{ title: "Only", href: "/answers" }];
    const page = readFileSync(path.join(await release(empty, { ...WHOLE, "site.yaml": site({ navigation }) }), "index.html"), "utf8"); // prettier-ignore
    expect(page).toContain('<ul>\n<li><a href="/answers">Only</a></li>\n</ul>');
  });
});

describe("a page of one's own", () => {
  it("T-01: is served like every page, by its own path alone", async () => {
    const [own, ours] = [await get("/imprint"), await get("/mcp-guide")];
    expect([own.status, own.headers["content-location"]]).toEqual([200, `${ORIGIN}/imprint`]);
    const fields = ({ headers }: typeof own) =>
      Object.entries(headers).filter(([name]) => !/^(?:content-l|etag|.*digest|.*sha256|date)/.test(name));
    const bare = (all: unknown): string => JSON.stringify(all).replaceAll(/nonce-[^']+/g, "nonce");
    expect(bare(fields(own))).toBe(bare(fields(ours)));
    const [, nonce] = /'nonce-([^']+)'/.exec(String(own.headers["content-security-policy"])) ?? [];
    expect(own.body).toContain(`<script nonce="${nonce}" type="module"`);
    expect(own.body).toContain("<h1>Imprint &amp; &lt;more&gt;</h1>");
    expect(own.body).toContain(`<h2 id="who">Who</h2>\n<p>Ask <code>Löwe</code> of de at ${ORIGIN}.</p>`);
    expect(await get("/imprint", "HEAD")).toMatchObject({ status: 200, body: "" });
    expect((await get("/imprint", "POST")).headers.allow).toBe("GET, HEAD, OPTIONS");
    for (const target of ["/imprint.html", "/imprint/", "/other", "/pages/imprint"])
      expect([target, (await get(target)).status]).toEqual([target, 404]);
  });

  it("has an anchor for every heading, in any script, and for every answer's", async () => {
    const headings = [
      ["\u00DCber uns", "\u00FCber-uns"], ["U\u0308ber uns", "\u00FCber-uns-2"], ["\u0641\u064A\u0644 \u0648\u0623\u0633\u062F", "\u0641\u064A\u0644-\u0648\u0623\u0633\u062F"],
      ["Stra\u00DFe & Co.", "stra\u00DFe-co"], ["\u5927\u8C61", "\u5927\u8C61"], ["\u0939\u093E\u0925\u0940", "\u0939\u093E\u0925\u0940"],
      ["!", "section"], ["A `b` & C_d -", "a-b-c-d"], ["Ours {#own}", "own"],
    ]; // prettier-ignore
    const answer = readFileSync(path.join(BASE_CONTENT, "answers/10-what-is-it.md"), "utf8");
    const one = await release(zoo, {
      ...WHOLE,
      "guides/mcp-guide.md": "---\ntitle: MCP\n---\n## Über uns {#identity-recovery}\n\n## Größe\n",
      "answers/10-what-is-it.md": `${answer}\n### Said so {#so}\n\n[so](/answers#so)\n`,
      "pages/all.md": `---\ntitle: All\n---\n${headings.map(([heading, id]) => `## ${heading}\n\n[x](#${id})\n`).join("\n")}`,
    });
    expect(await verifyRelease(fileSystem, one)).toEqual([]);
    const all = readFileSync(path.join(one, "all.html"), "utf8");
    expect([...all.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id)).toEqual(headings.map(([, id]) => id));
    expect(all).toContain(">Ours</h2>");
  });

  it("may name a feed of any kind and a page in another language elsewhere", async () => {
    const layout = readFileSync(path.join(BASE_CONTENT, "_includes/page.njk"), "utf8");
    const feeds = ["application/atom+xml", "application/rss+xml; charset=utf-8", "application/feed+json"].map(
      (type) => `<link rel="alternate" type="${type}" href="https://news.example/feed">\n`,
    );
    const one = await release(zoo, {
      ...WHOLE,
      "_includes/page.njk": layout.replace(
        "</head>",
        `${feeds.join("")}<link rel="alternate" hreflang="de" href="https://de.example/"></head>`,
      ),
    });
    expect(await verifyRelease(fileSystem, one)).toEqual([]);
  });

  it("is reported by verify if it was changed, and a page whose name is not allowed too", async () => {
    const copy = path.join(folder({}), "dist");
    cpSync(out, copy, { recursive: true });
    mkdirSync(path.join(copy, "x"));
    writeFileSync(path.join(copy, "Other.html"), "x");
    writeFileSync(path.join(copy, "imprint.html"), "x");
    expect((await verifyRelease(fileSystem, copy)).join("\n")).toMatch(/Other\.html: not[^]*imprint\.html: differs/);
  });
});

describe("prose", () => {
  it("O-03: shows an expression of the registry and what is answered of it", async () => {
    const { answers } = json("answers.json") as { answers: { id: string; answer: string }[] };
    const { answer = "" } = answers.find(({ id }) => id === "first-request") ?? {};
    const [, body = ""] = /-d '([^']+)'/.exec(answer) ?? [];
    expect(JSON.parse(body)).toEqual({ expression: "Löwe", language: "de" });
    const [, shown = ""] = /```json\n([^]*?)\n```/.exec(answer) ?? [];
    expect((await service.resolve(body)).json()).toEqual(JSON.parse(shown));
  });

  it("says what the registry says of itself, where the site says nothing", async () => {
    const one = await release({ ...zoo, registry: { description: "Animals alone" } }, {});
    for (const file of ["index.html", "agent-tool.json", "llms.txt", "openapi.json", "mcp.json"])
      expect([file, readFileSync(path.join(one, file), "utf8").includes("Animals alone")]).toEqual([file, true]);
    const both = await release({ ...zoo, registry: { description: "Animals alone" } }, WHOLE);
    expect(readFileSync(path.join(both, "llms.txt"), "utf8")).not.toContain("Animals alone");
  });

  it("may have a question in its article, or in the code or a heading of another answer", async () => {
    const page = readFileSync(path.join(BASE_CONTENT, "pages/answers.njk"), "utf8");
    const [, article = ""] = /(<article .*\n)/.exec(page) ?? [];
    const answer = (id: string, question: string, markdown: string): string =>
      `---\nid: ${id}\nquestion: ${question}\naudience: release\nevidence: [{ title: x, path: /answers }]\n---\n${markdown}\n`;
    const steps = "One:\n\n```sh\n# Install\nnpm ci\n```\n\n## Terms\n\nThen [Terms](/answers#no-terms) of the API.";
    const more = {
      "answers/90-install.md": answer("install", "Install", "With npm."),
      "answers/91-run.md": answer("run", "How does it run?", steps),
      "answers/92-terms.md": answer("no-terms", "Terms?", "None."),
      "answers/93-api.md": answer("api", "API", "JSON."),
      "answers/94-signs.md": answer("signs", "?!", "Signs."),
    };
    const own = await release(zoo, { ...WHOLE, ...more });
    expect(await verifyRelease(fileSystem, own)).toEqual([]);
    const before = await release(zoo, {
      ...WHOLE,
      ...more,
      "pages/answers.njk": page.replace(article, `${article}<h3>{{ answer.question }}</h3>\n`),
    });
    expect(await verifyRelease(fileSystem, before)).toEqual([]);
  });

  it("V11: has no placeholder left in what its front matter says", async () => {
    const evidence = "evidence: [{ title: Of $REGISTRY_VERSION, path: /answers }]";
    const filled = await release(zoo, {
      ...WHOLE,
      "answers/10-what-is-it.md": `---\nid: what\nquestion: $EXPRESSION?\naudience: agent\n${evidence}\n---\nx\n`,
      "pages/imprint.md": "---\ntitle: At $ORIGIN\nnav: In $LANGUAGE\n---\n## Who\n",
      "pages/a-zoo.njk": "---\ntitle: Of $CODE\ndescription: $SERVER_NAME\n---\n<h1>$ORIGIN</h1>\n",
    });
    expect(await verifyRelease(fileSystem, filled)).toEqual([]);
    const shown = (file: string): string => readFileSync(path.join(filled, file), "utf8");
    expect(shown("answers.json")).toMatch(/"question": "Löwe\?"[^]*"title": "Of 2026\./);
    expect(shown("imprint.html")).toMatch(new RegExp(`<title>At ${ORIGIN}[^]*>In de</a>[^]*<h1>At ${ORIGIN}</h1>`));
    expect(shown("a-zoo.html")).toMatch(/<title>Of Z-1 [^]*content="zoe-s-words[^]*<h1>\$ORIGIN<\/h1>/);
  });

  it("speaks of an example where the registry is empty, and of no other registry's words", async () => {
    const bare = await release(empty, {});
    const [answers, guide] = ["answers.md", "mcp-guide.html"].map((file) =>
      readFileSync(path.join(bare, file), "utf8"),
    );
    expect(answers).toContain('{"expression": "illustrative expression", "language": "en"}');
    expect(answers).toContain('"reason": "registry_empty"');
    expect(guide).toContain("EXAMPLE-1 2026.11.1");
    expect(readFileSync(path.join(bare, "agent-tool.json"), "utf8")).not.toContain("customer service");
    for (const said of [answers, guide])
      expect(/refund|C-[A-Z0-9]{6}|starter registry|\$[A-Z]{4}\w*/.exec(said ?? "")?.[0]).toBeUndefined();
  });
});
