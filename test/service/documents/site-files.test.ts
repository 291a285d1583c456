/** The files for crawlers and tools: llms.txt, robots.txt, sitemap.xml, security.txt. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { getText, HTML, PAGES, PLAIN, publishedConcepts, starterRegistry } from "../../support/documents.ts";
import { idsOf, markdownLinks, xmlFaults } from "../../support/markup.ts";
import { empty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Service, serviceFor } from "../../support/service.ts";

const service = serviceFor(starterRegistry);
const bare = serviceFor(() => checkedRegistry(empty));

const site = load(readFileSync(path.resolve(import.meta.dirname, "../../../content/site.yaml"), "utf8")) as {
  security: { contact: string; expires: string };
};

describe("/.well-known/security.txt", () => {
  /** The fields of RFC 9116 §2.5, all of them, by name in lower case. */
  async function fields(): Promise<Map<string, string[]>> {
    const text = await getText(service, "/.well-known/security.txt", PLAIN);
    expect(text.endsWith("\n")).toBe(true);
    const read = new Map<string, string[]>();
    for (const line of text.trimEnd().split("\n")) {
      const [, name = "", value = ""] = /^([A-Za-z-]+): (\S.*)$/.exec(line) ?? [];
      expect([line, name === ""]).toEqual([line, false]);
      read.set(name.toLowerCase(), [...(read.get(name.toLowerCase()) ?? []), value]);
    }
    return read;
  }

  it("has the fields of RFC 9116, with Expires from content/site.yaml", async () => {
    const read = await fields();
    expect([...read.keys()].sort()).toEqual(["canonical", "contact", "expires", "preferred-languages"]);
    expect(read.get("expires")).toEqual([site.security.expires]);
    expect(site.security.expires).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
    expect(read.get("canonical")).toEqual([`${ORIGIN}/.well-known/security.txt`]);
    expect(read.get("preferred-languages")).toEqual(["en"]);
  });

  it("has a contact that is a URI and leads to an existing place", async () => {
    const [contact = "", ...more] = (await fields()).get("contact") ?? [];
    expect(more).toEqual([]);
    const { protocol, origin, pathname, hash } = new URL(contact);
    expect([protocol, origin]).toEqual(["https:", ORIGIN]);
    expect(contact).toBe(ORIGIN + site.security.contact);
    expect(idsOf(await getText(service, pathname, HTML))).toContain(hash.slice(1));
  });
});

describe("/robots.txt", () => {
  it("lets everybody read all but the outcomes of the form, and names the sitemap", async () => {
    const text = await getText(service, "/robots.txt", PLAIN);
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines).toEqual(["User-agent: *", "Allow: /", "Disallow: /resolve", `Sitemap: ${ORIGIN}/sitemap.xml`]);
  });
});

describe("/sitemap.xml", () => {
  async function locations(from: Service): Promise<string[]> {
    const text = await getText(from, "/sitemap.xml", "application/xml");
    expect(xmlFaults(text)).toEqual([]);
    const [, root] = /^<\?xml[^>]*\?>\n<urlset xmlns="([^"]*)">\n/.exec(text) ?? [];
    expect(root).toBe("http://www.sitemaps.org/schemas/sitemap/0.9");
    const entries = [...text.matchAll(/<url><loc>([^<]*)<\/loc><\/url>/g)].map(([, location = ""]) => location);
    expect(entries.length).toBe(text.split("<url>").length - 1);
    return entries;
  }

  it("is well-formed and lists the pages and every concept's page, once each, in code order", async () => {
    const concepts = await publishedConcepts(service);
    expect(concepts.length).toBeGreaterThan(100);
    const pages = [...PAGES, ...concepts.map(({ code }) => `/concepts/${code}`)];
    expect(await locations(service)).toEqual(pages.map((page) => ORIGIN + page));
  });

  it("lists the pages alone where nothing is published", async () => {
    expect(await locations(bare)).toEqual(PAGES.map((page) => ORIGIN + page));
  });

  it("is refused by the check of this file if it is not well-formed", () => {
    const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
    expect(xmlFaults(`${head}<a><b/></a>\n`)).toEqual([]);
    for (const wrong of ["<a>", "<a></b>", "<a/><b/>", "<a>&</a>", "<a>< </a>", "text<a/>", "<a b=c/>"]) {
      expect([wrong, xmlFaults(head + wrong).length > 0]).toEqual([wrong, true]);
    }
    expect(xmlFaults("<a/>").length).toBeGreaterThan(0);
  });
});

describe("/llms.txt", () => {
  it("has a title, a summary, then lists of links with notes, as llmstxt.org asks", async () => {
    const text = await getText(service, "/llms.txt", PLAIN);
    const lines = text.split("\n");
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines.filter((line) => line.startsWith("# ")).length).toBe(1);
    expect(lines.find((line) => line !== "" && line !== lines[0])).toMatch(/^> \S/);
    const [, ...sections] = text.split(/^## /m);
    expect(sections.length).toBeGreaterThanOrEqual(3);
    for (const section of sections) {
      const [title = "", ...items] = section.split("\n").filter((line) => line !== "");
      expect(title).toMatch(/^\S/);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\(https:\/\/registry\.example\/[^)\s]*\): \S/);
    }
  });

  it("links each document once", async () => {
    const links = markdownLinks(await getText(service, "/llms.txt", PLAIN));
    expect(links.length).toBeGreaterThanOrEqual(17);
    for (const target of [
      "/api/v1/integration-readiness",
      "/integration-studio",
      "/registry/retired.json",
      "/coverage",
    ])
      expect(links).toContain(ORIGIN + target);
    expect(new Set(links).size).toBe(links.length);
  });
});
