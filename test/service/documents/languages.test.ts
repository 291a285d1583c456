/**
 * Pages in several languages: the path decides, English is whole, an owner's texts are only texts.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContent } from "../../../generator/content/read.ts";
import { BASE_CONTENT } from "../../../generator/effects/closure.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { overlaid } from "../../../generator/effects/overlay.ts";
import { expectedAnswers, lawCases } from "../../../generator/tools/hosts/law.ts";
import { prerender } from "../../../generator/tools/hosts/prerender.ts";
import { hostTable } from "../../../generator/tools/hosts/table.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { REASON_MEANINGS } from "../../../runtime/contract/resolution.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { buildInto } from "../../support/build.ts";
import { folder, runHere } from "../../support/command.ts";
import { tagsOf } from "../../support/markup.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { serveFolder, type Service } from "../../support/service.ts";
import { faultsAfter } from "../../support/tamper.ts";

const SITE = 'name: Zoo\npublisher: { name: The Zoo, href: "https://zoo.example" }\nlegal: [{ title: Imprint, href: /imprint }]\nsecurity: { contact: /imprint, expires: 2027-01-01T00:00:00Z }\n'; // prettier-ignore
const ANSWER = "---\nid: what-is-it\nquestion: Was ist das?\naudience: newcomer\nevidence: [{ title: x, path: /answers }]\n---\nEin Dienst, siehe [Antworten](/answers#candidates).\n"; // prettier-ignore
const FILES = {
  "site.yaml": SITE,
  "pages/imprint.md": "---\ntitle: Imprint\n---\nWe.\n",
  "interface/de.yaml": "language.name: Deutsch\nsite.home: Start\nmissing.path-heading: Da ist nichts\n",
  "interface/ar.yaml": "language.name: العربية\nsite.home: الرئيسية\n",
  "de/answers/10-what-is-it.md": ANSWER,
  "de/pages/imprint.md": "---\ntitle: Impressum\n---\nWir, siehe [Start](/).\n",
};

function read(files: Readonly<Record<string, string>>) {
  const directory = folder(files);
  return { directory, ...readContent(overlaid(fileSystem, directory), directory) };
}

let out: string;
let service: Service;
beforeAll(async () => {
  const { directory, content, findings } = read(FILES);
  if (content === undefined) throw new Error(JSON.stringify(findings));
  out = path.join(directory, "dist");
  await buildInto(out, checkedRegistry(nasty), { content });
  service = await serveFolder(out);
});
afterAll(() => service.close());

const ask = (target: string, headers = {}) =>
  service.send("GET", target, { headers: { accept: "text/html, */*;q=0.5", ...headers } });
const pageAt = async (target: string): Promise<string> => (await ask(target)).body.toString();
const withoutNonce = (page: string): string => page.replaceAll(/ nonce="[^"]*"/g, "");

/** Pages of every kind, prerendered and rendered. */
const PAGES = [
  "/", "/answers", "/api-reference", "/api-reference/resolve", "/coverage", "/imprint", "/integration-studio", "/mcp-guide",
  "/concepts", "/concepts/N-QUOTES", "/concepts/N-NEAR", "/resolve", "/resolve?expression=taxi", "/resolve?expression=many",
]; // prettier-ignore

describe("pages in another language", () => {
  it("are a whole release, whose sitemap has them", async () => {
    expect(await verifyRelease(fileSystem, out)).toEqual([]);
    const sitemap = readFileSync(path.join(out, "sitemap.xml"), "utf8");
    for (const one of ["/de", "/de/answers", "/de/imprint", "/ar/concepts", "/ar/concepts/N-TAXI"])
      expect(sitemap).toContain(`<loc>${ORIGIN}${one}</loc>`);
  });

  it("are not another language's, and may name a variety of their own", async () => {
    const faults = await faultsAfter(out, (copy) => {
      const [german, arabic] = ["de", "ar"].map((tag) => copy.read(`${tag}/answers.html`));
      copy.write("de/answers.html", String(arabic));
      copy.write("ar/answers.html", String(german));
      copy.replace("de.html", '<html lang="de"', '<html lang="de-AT"');
      copy.replace("ar.html", '<html lang="ar"', "<html");
    });
    expect(faults.filter((fault) => fault.includes("says that it is in"))).toEqual([
      "ar/answers.html: says that it is in de, not in ar",
      "de/answers.html: says that it is in ar, not in de",
    ]);
  });

  it.each(["de", "ar"])("are there for every page: %s", async (tag) => {
    const expected = tag === "ar" ? { lang: "ar", dir: "rtl" } : { lang: "de", dir: undefined };
    for (const page of PAGES) {
      const target = page === "/" ? `/${tag}` : `/${tag}${page}`;
      const { status, headers, body } = await ask(target);
      expect([target, status, headers["content-type"]]).toEqual([target, 200, "text/html; charset=utf-8"]);
      if (!page.includes("?")) expect(headers["content-location"]).toBe(ORIGIN + target);
      const tags = tagsOf(body.toString());
      const { attributes } = tags.find(({ name }) => name === "html") ?? { attributes: new Map() };
      expect({ lang: attributes.get("lang"), dir: attributes.get("dir") }).toEqual(expected);
      const away = tags.flatMap(({ attributes: of }) =>
        of.has("hreflang") ? [] : (of.get("href") ?? of.get("action") ?? []),
      );
      const leftOut = away.filter((href) => PAGES.includes(href) || /^\/(?:concepts|resolve)/.test(href));
      expect([target, leftOut]).toEqual([target, []]);
    }
  });

  it("name each other, and every name leads to a page that names them too", async () => {
    for (const page of PAGES.filter((one) => !one.includes("?"))) {
      const own = tagsOf(await pageAt(page)).filter(
        ({ name, attributes }) => name === "link" && attributes.has("hreflang"),
      );
      const named = own.map(({ attributes }) => [attributes.get("hreflang"), attributes.get("href")]);
      const at = (prefix: string): string => ORIGIN + (prefix !== "" && page === "/" ? prefix : prefix + page);
      expect(named).toEqual([["en", at("")], ["ar", at("/ar")], ["de", at("/de")], ["x-default", at("")]]); // prettier-ignore
      for (const [, href = ""] of named) {
        const links = tagsOf(await pageAt(new URL(href).pathname)).filter(({ attributes }) =>
          attributes.has("hreflang"),
        );
        expect(links.length).toBe(7);
      }
    }
  });

  it("are chosen by the path alone, never by what a client says of itself", async () => {
    const plain = withoutNonce((await ask("/")).body.toString());
    const german = { "accept-language": "de, ar;q=0.9", cookie: "language=de" };
    expect(withoutNonce((await ask("/", german)).body.toString())).toBe(plain);
    expect((await ask("/", german)).headers["vary"] ?? "").not.toMatch(/language/i);
    expect(plain).toContain('<html lang="en">');
  });

  it.each([
    "/fr", "/fr/concepts", "/de/", "/en", "/en/answers", "/DE", "/de/de", "/de/answers.json", "/de/openapi.json", "/de/shell",
    "/de/api/v1/concepts", "/de/concepts/", "/interface.json", "/de.html",
  ])("are answered with 404 at %s", async (target) => {
    expect((await ask(target)).status).toBe(404);
  }); // prettier-ignore

  it.each([
    ["/de/nothing", "de", "Da ist nichts"],
    ["/deutsch", "en", "There is nothing at this address"],
    ["/fr/nothing", "en", "There is nothing at this address"],
  ])("O-60: a wrong path %s is answered in the language of its prefix", async (target, lang, heading) => {
    const reply = await ask(target);
    const page = reply.body.toString();
    expect([reply.status, /<html lang="(..)"/.exec(page)?.[1]]).toEqual([404, lang]);
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toContain(`<a href="${lang === "de" ? "/de/concepts" : "/concepts"}">`);
  });

  it("are in the law of hosts, and among what is prerendered", async () => {
    const release = openRelease(out);
    const expected = expectedAnswers(release, {
      verified: false,
      failureCategory: "identity_validation_failed",
      detail: "",
    });
    const asked = new Set((await lawCases(release, expected)).map(({ request }) => request.path));
    for (const one of ["/de", "/ar/answers", "/de/concepts"]) expect(asked).toContain(one);
    expect([...asked].some((one) => one.startsWith("/de/concepts/"))).toBe(true);
    const { prerendered, files } = await prerender(release, expected);
    expect(prerendered.prefixes).toEqual(["", "/ar", "/de"]);
    expect([...files.keys()]).toContain("prerendered/ar/concepts/N-TAXI/page.html");
    const paths = (await hostTable(release, expected, {})).paths.map(({ path: one }) => one);
    expect(paths).toEqual(expect.arrayContaining(["/de", "/de/api-reference/rules", "/ar/imprint"]));
    release.close();
  });

  it("in English alone name no other, and have no list of texts", async () => {
    const { content } = read({ "site.yaml": SITE, "pages/imprint.md": "---\ntitle: x\n---\nx\n" });
    expect(content?.languages.map(({ language, missing }) => [language, missing])).toEqual([["en", 0]]);
  });
});

describe("a file of texts", () => {
  const de = (more: object): Record<string, string> => ({
    ...FILES,
    "interface/de.yaml": JSON.stringify({ "language.name": "Deutsch", ...more }),
  });
  it.each<[string, Record<string, string>, [rule: string, said: RegExp]]>([
    ["an unknown key", de({ "site.hom": "x" }), ["interface-key", /"site\.hom". Did you mean site\.home\?/]],
    ["a key like no other", de({ nothing: "x" }), ["interface-key", /interface\/en\.yaml/]],
    ["a key that every object has", de({ constructor: "x" }), ["interface-key", /"constructor"/]],
    ["no name", { ...FILES, "interface/ar.yaml": "site.home: x\n" }, ["interface-key", /no language\.name/]],
    ["a link of its own", de({ "site.home": "[x](https://evil.example)" }), ["interface-markup", /other links/]],
    ["another target", de({ "concepts.all": "[x](/answers)" }), ["interface-markup", /Keep them/]],
    ["no link", de({ "concepts.all": "x" }), ["interface-markup", /Keep them/]],
    ["no value", de({ "concepts.matched-other": "Begriffe" }), ["interface-markup", /values/]],
    ["another value", de({ "concepts.matched-other": "{page}" }), ["interface-markup", /values/]],
    ["code of its own", de({ "site.home": "`x`" }), ["interface-markup", /other links, code/]],
    ["a control character", de({ "site.home": "a\u0007b" }), ["interface-text-control-character", /control character/]],
    ["a turned text", de({ "site.home": "a\u202eb" }), ["interface-text-bidi-control", /bidirectional/]],
    ["nothing", de({ "site.home": "" }), ["interface-text", /empty/]],
    ["no text", { ...FILES, "interface/de.yaml": "site.home: 5\n" }, ["record-schema", /string/]],
    ["the name of a path", { ...FILES, "interface/api.yaml": "language.name: x\n" }, ["interface-language", /"api"/]],
    ["a tag in capitals", { ...FILES, "interface/DE.yaml": "language.name: x\n" }, ["interface-language", /"DE"/]],
    ["the name of a page", { ...FILES, "pages/de.md": "---\ntitle: x\n---\nx\n" }, ["id-taken", /"de"/]],
    ["an answer that there is not", { ...FILES, "de/answers/11-x.md": ANSWER }, ["translation-unknown", /answers\/11-x\.md/]],
    ["a template", { ...FILES, "de/pages/index.njk": "---\ntitle: x\n---\n" }, ["translation-unknown", /templates/]],
    ["an unknown placeholder", { ...FILES, "de/pages/imprint.md": "---\ntitle: x\n---\n$NOTHING\n" }, ["placeholder-unknown", /\$NOTHING/]],
  ])("is refused with %s", (_what, files, [rule, said]) => {
    const { content, findings } = read(files);
    expect(content).toBeUndefined();
    expect(findings.map((one) => one.rule)).toEqual([rule]);
    expect(findings.map(({ text, remedy }) => `${text}. ${remedy}`).join()).toMatch(said);
  }); // prettier-ignore

  it("can be begun with the one that docs/own-repository.md shows", () => {
    const [shown = ""] =
      /^ {4}language\.name: .*\n(?: {4}.*\n)+/m.exec(readFileSync("docs/own-repository.md", "utf8")) ?? [];
    const { content, findings } = read({
      "site.yaml": SITE.replaceAll("/imprint", "/answers"),
      "interface/de.yaml": shown,
    });
    expect(findings).toEqual([]);
    expect(content?.languages.map(({ language }) => language)).toEqual(["en", "de"]);
  });

  it("may say less than English, and the build says how much in a line", async () => {
    const content = folder({
      ...FILES,
      "fr/answers/10-what-is-it.md": ANSWER,
      "fr/pages/x.md": "",
      "notes/answers": "",
      "en/answers/10-what-is-it.md": ANSWER,
      "pt_BR/guides/x.md": "",
    });
    const built = await runHere([
      "build",
      "--registry",
      "test/golden/registry",
      "--content",
      content,
      "--out",
      path.join(folder({}), "dist"),
    ]);
    expect(built.stderr).toMatch(/^Notice: interface\/ar\.yaml lacks \d+ of \d+ texts; they are in English\nNotice: interface\/de\.yaml lacks \d+ of/); // prettier-ignore
    expect(built.stderr.match(/.* is not read.*/g)).toEqual([
      "Notice: en/ is not read, because the content itself is in English: move its folders one up",
      "Notice: fr/ is not read, because there is no interface/fr.yaml: write it",
      "Notice: pt_BR/ is not read, because tags are written differently: rename it to pt-BR",
    ]);
  });
});

describe("interface/en.yaml", () => {
  const english = load(readFileSync(path.join(BASE_CONTENT, "interface/en.yaml"), "utf8")) as Record<string, string>;
  const sources = ["content/_includes", "content/pages", "content/assets", "runtime/pages", "generator/documents"];
  const code = sources
    .flatMap((place) =>
      fileSystem.list(path.resolve(import.meta.dirname, "../../..", place)).map((file) => `${place}/${file}`),
    )
    .map((file) => readFileSync(path.resolve(import.meta.dirname, "../../..", file), "utf8"))
    .join("\n");

  it("has a text for every key that pages say", () => {
    const said = [...code.matchAll(/\b(?:say|sayAs)(?:\(\s*| )["']([a-z]+\.[\w-]+)["'](?! ?\+)/g)].map(
      ([, key = ""]) => key,
    );
    expect(new Set(said).size).toBeGreaterThan(100);
    expect(said.filter((key) => english[key] === undefined)).toEqual([]);
  });

  it("has no text that no page says", () => {
    const made = /^(?:site|answers|guide|home|language|reason|resolve|find|near|concepts?)\.(?:invisible|spaces|punctuation|compatibility|case|diacritics|.*-(?:one|other|resolved|abstained|refused)|title|about|name|(?:history|relation|match|note)-.*|newcomer|agent|release|audit|vocabulary|no_.*|.*_.*|concepts|coverage|answers|api-reference|mcp-guide|integration-studio)$/; // prettier-ignore
    const unused = Object.keys(english).filter((key) => !code.includes(`"${key}"`) && !code.includes(`'${key}'`));
    expect(unused.filter((key) => !made.test(key))).toEqual([]);
  });

  it("is what script says where a page has no list of texts", () => {
    const said = [...code.matchAll(/\bsay\(\s*"([a-z]+\.[\w-]+)",\s*"([^"]*)",?\s*\)/g)].map(([, key = "", text]) => [key, text]);
    expect(said.length).toBeGreaterThan(30);
    expect(said.filter(([key = "", text]) => english[key] !== text)).toEqual([]);
  }); // prettier-ignore

  it("says the reasons of an abstention as every document does", () => {
    const reasons = Object.entries(english).flatMap(([key, text]) =>
      key.startsWith("reason.") ? [[key.slice(7), text]] : [],
    );
    expect(Object.fromEntries(reasons)).toEqual(REASON_MEANINGS);
  });
});
