/**
 * The documents by which agents find a service and choose it: who may read them, what they agree
 * with, and that the cards of three services differ.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import canonicalize from "canonicalize";
import { load as parseYaml } from "js-yaml";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import type { AiCatalog, ServerCard, SkillsIndex } from "../../../generator/contract/agent-discovery.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { buildInto, ownContent } from "../../support/build.ts";
import { folder } from "../../support/command.ts";
import { getJson, getText, MARKDOWN, PLAIN } from "../../support/documents.ts";
import { textOf } from "../../support/markup.ts";
import { resultOf, VERSION } from "../../support/mcp.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { serveFolder, type Service, serviceFor } from "../../support/service.ts";
import { sha256 } from "../../support/sha256.ts";

const CARD = "/mcp/server-card";
const CATALOG = "/.well-known/ai-catalog.json";
const SKILLS = "/.well-known/agent-skills/index.json";
const NAME = "Semantic Resolution Service";
const service = serviceFor(() => checkedRegistry(nasty));

function metaOf({ _meta: meta }: ServerCard): ServerCard["_meta"] {
  return meta;
}

const cardOf = (of: Service): Promise<ServerCard> => getJson(of, CARD);

interface Site {
  readonly site: object;
  readonly registry?: RegistryFiles;
  readonly origin?: string;
}

/** The release of an owner's site. */
async function releaseOf({ site, registry = nasty, origin = ORIGIN }: Site): Promise<string> {
  const security = { contact: "/answers", expires: "2027-01-01T00:00:00Z" };
  const directory = folder({ "site.yaml": JSON.stringify({ name: "Words", security, ...site }) });
  const out = path.join(directory, "dist");
  await buildInto(out, checkedRegistry(registry), { content: ownContent(directory), origin });
  return out;
}

const cardIn = (out: string): ServerCard => JSON.parse(readFileSync(path.join(out, CARD), "utf8")) as ServerCard;

describe("the MCP Server Card", () => {
  it("O-45 O-55 O-71: is served below the endpoint to pages of every origin, and revalidated by its tag", async () => {
    const { status, headers } = await service.send("GET", CARD, { headers: { accept: "application/mcp-server-card+json" } });
    expect([status, headers["content-type"]]).toEqual([200, "application/mcp-server-card+json"]);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-expose-headers"]).toContain("ETag");
    expect(headers["cache-control"]).toContain("public, max-age=");
    const again = await service.send("GET", CARD, { headers: { "if-none-match": String(headers.etag) } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const preflight = await service.send("OPTIONS", CARD);
    expect(preflight.headers["access-control-allow-methods"]).toContain("GET");
    expect(preflight.headers["access-control-allow-headers"]).toMatch(/Content-Type.*If-None-Match/);
  }); // prettier-ignore

  it("O-71: says what server/discover says, wherever both say something", async () => {
    const { name, title, version, websiteUrl, remotes } = await cardOf(service);
    const { supportedVersions, _meta: meta } = await resultOf(service, "server/discover");
    const info = (meta as Record<string, unknown>)["io.modelcontextprotocol/serverInfo"];
    expect({ name, title, version, websiteUrl }).toEqual(info);
    expect(remotes).toEqual([
      { type: "streamable-http", url: `${ORIGIN}/mcp`, supportedProtocolVersions: supportedVersions },
    ]);
    expect(supportedVersions).toEqual([VERSION]);
  });

  it("O-71: has the digest of each tool as tools/list gives it, and the manifest has the same", async () => {
    const { tools } = (await resultOf(service, "tools/list")) as { tools: Record<string, unknown>[] };
    const digests = tools.map(({ name, description, inputSchema }) => ({
      name,
      sha256: sha256(canonicalize({ name, description, inputSchema }) ?? ""),
    }));
    expect(metaOf(await cardOf(service))["service-semantics/tools"]).toEqual(digests);
    expect(await getJson(service, "/mcp-server.json")).toMatchObject({ tools: digests });
  });

  it.each([
    ["the host of the service", {}, "https://words.example.org:8443", "org.example.words/words"],
    ["the domain of the publisher", { publisher: { name: "Zoo", domain: "zoo.example" } }, ORIGIN, "example.zoo/words"],
    ["this machine, if the host is an address", {}, "http://127.0.0.1:8080", "localhost/words"],
    ["this machine, if the host is no domain", {}, "http://a_b.example", "localhost/words"],
    [
      "at most 64 characters of a name",
      { name: "W ".repeat(40).trim() },
      ORIGIN,
      `example.registry/${"w-".repeat(31)}w`,
    ],
  ])("O-71: is named after %s", async (...[, site, origin, name]) => {
    const out = await releaseOf({ site, origin });
    expect(cardIn(out).name).toBe(name);
    expect(await verifyRelease(fileSystem, out)).toEqual([]);
  });

  const long = "Words that nobody needs, ".repeat(12).trim();
  const two: RegistryFiles = {
    concepts: [
      { ...concept("A", [expression("en", "a"), expression("de", "b")]), domain: "letters" },
      { ...concept("B", [expression("en", "c")]), domain: "signs" },
    ],
  };
  it.each([
    ["its owner's words", { summary: "Exactly this", description: long }, two, "Exactly this"],
    ["subject, size and names", { description: "Signs." }, two, "Signs (2 concepts; languages: de, en; domains: letters, signs)."],
    ["counts, if the names are too long", { description: "Signs of the times, and others that were used before them" }, two, "Signs of the times, and others that were used before them (2 concepts in 2 languages and 2 domains)."],
    ["the subject alone, if counts are too long", { description: `${"Signs ".repeat(14)}of all` }, two, `${"Signs ".repeat(14)}of all.`],
    ["the name, if the subject is too long", { description: long }, two, "Words (2 concepts in 2 languages and 2 domains)."],
    ["that there is nothing yet", {}, empty, "No concepts yet."],
  ])("O-71: describes itself in at most 100 characters: %s", async (...[, site, registry, description]) => {
    const card = cardIn(await releaseOf({ site, registry }));
    expect(card.description).toBe(description);
    expect(card.description.length).toBeLessThanOrEqual(100);
  }); // prettier-ignore
});

describe("three services in one list", () => {
  const sites: readonly (Required<Pick<Site, "site" | "registry">> & { readonly facts: string })[] = [
    {
      site: { name: "Kidney terms", description: "Terms of kidney care" },
      registry: { concepts: [{ ...concept("K-1", [expression("en", "kidney stone"), expression("de", "Nierenstein")]), domain: "diagnosis" }] },
      facts: "Terms of kidney care (1 concept; languages: de, en; domains: diagnosis).",
    },
    {
      site: { name: "Billing terms", description: "Terms of invoices and payments" },
      registry: { concepts: [{ ...concept("B-1", [expression("en", "invoice")]), domain: "billing" }, { ...concept("B-2", [expression("fr", "avoir")]), domain: "billing" }] },
      facts: "Terms of invoices and payments (2 concepts; languages: en, fr; domains: billing).",
    },
    {
      site: { name: "Zoo terms", description: "Terms of animals" },
      registry: { concepts: [{ ...concept("Z-1", [expression("de", "Löwe")]), domain: "animals" }] },
      facts: "Terms of animals (1 concept; languages: de; domains: animals).",
    },
  ]; // prettier-ignore

  it("A14: differ in the card, in the tool and in llms.txt by one sentence of subject, size, languages, domains", async () => {
    const said = await Promise.all(
      sites.map(async ({ facts, ...one }) => {
        const three = await serveFolder(await releaseOf(one));
        const card = await cardOf(three);
        const { tools } = (await resultOf(three, "tools/list")) as { tools: { description: string }[] };
        const texts = [
          card.description,
          metaOf(card)["service-semantics/vocabulary"].description,
          tools[0]?.description ?? "",
          await getText(three, "/llms.txt", PLAIN),
          ((await resultOf(three, "server/discover")) as { instructions: string }).instructions,
        ];
        await three.close();
        for (const text of texts) expect(text).toContain(facts);
        return texts;
      }),
    );
    for (const place of said[0]?.keys() ?? []) expect(new Set(said.map((texts) => texts[place])).size).toBe(3);
  });
});

describe("the AI Catalog", () => {
  it("O-71: is of version 0.9 and leads to the card and to the skill, each of the type that it says", async () => {
    const { headers } = await service.send("GET", CATALOG);
    expect(headers["content-type"]).toBe("application/ai-catalog+json");
    const { specVersion, host, entries } = await getJson<AiCatalog>(service, CATALOG);
    expect([specVersion, host]).toEqual([
      "0.9",
      { displayName: NAME, identifier: "registry.example", documentationUrl: `${ORIGIN}/mcp-guide` },
    ]);
    expect(entries.map(({ identifier, type }) => [identifier, type])).toEqual([
      ["urn:air:registry.example:semantic-resolution-service:mcp", "application/mcp-server-card+json"],
      ["urn:air:registry.example:semantic-resolution-service:skill", "application/agent-skills+md"],
    ]);
    const types = await Promise.all(
      entries.map(async ({ url }) => (await service.send("GET", url.slice(ORIGIN.length))).headers["content-type"]),
    );
    expect(types).toEqual(["application/mcp-server-card+json", MARKDOWN]);
  });

  it("O-71: names the publisher and its domain, if there is one", async () => {
    const out = await releaseOf({ site: { publisher: { name: "The Zoo", domain: "zoo.example" } } });
    const catalog = JSON.parse(readFileSync(path.join(out, CATALOG), "utf8")) as AiCatalog;
    expect(catalog.host).toMatchObject({ displayName: "The Zoo", identifier: "zoo.example" });
    expect(catalog.entries.map(({ identifier }) => identifier)).toEqual([
      "urn:air:zoo.example:words:mcp",
      "urn:air:zoo.example:words:skill",
    ]);
  });
});

describe("the index of agent skills", () => {
  it("O-71: has one skill, by the digest of its bytes, and the skill says of itself what the index says", async () => {
    const { $schema, skills } = await getJson<SkillsIndex>(service, SKILLS);
    expect($schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    expect(skills).toHaveLength(1);
    const [{ name, type, description, url, digest } = fail()] = skills;
    expect([name, type]).toEqual(["semantic-resolution-service", "skill-md"]);
    expect(url).toBe(`/.well-known/agent-skills/${name}/SKILL.md`);
    const text = await getText(service, url, MARKDOWN);
    expect(digest).toBe(`sha256:${sha256(text)}`);
    const [, front = "", body = ""] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(text) ?? [];
    expect(parseYaml(front)).toEqual({ name, description });
    expect(body).toMatch(/^# .*operating rules for agents\n/);
  });

  it("A27 A28 A29 O-71: gives the operating rules, each line of the instructions and no other", async () => {
    const [{ url } = fail()] = (await getJson<SkillsIndex>(service, SKILLS)).skills;
    const words = (text: string): string[] =>
      text.split("\n").map((line) => line.replaceAll("\\", "")).filter((line) => line !== "" && !/^(?:-+|```.*)$/.test(line));
    const skill = (await getText(service, url, MARKDOWN)).replace(/^---[^]*?---\n/, "");
    const instructions = await getText(service, "/agent-instructions.txt", PLAIN);
    expect(words(skill).map((line) => line.replace(/^#+ /, ""))).toEqual(words(instructions));
  }); // prettier-ignore

  it("O-71: escapes an owner's words in Markdown, and quotes them in YAML", async () => {
    const site = { name: '<b> "It\'s" `x` *y* [z](/z) \\ _w_: #1', description: "- a: b" };
    const out = await releaseOf({ site });
    const [{ url, description } = fail()] = (JSON.parse(readFileSync(path.join(out, SKILLS), "utf8")) as SkillsIndex).skills;
    const text = readFileSync(path.join(out, url), "utf8");
    const [, front = "", body = ""] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(text) ?? [];
    expect(parseYaml(front)).toMatchObject({ name: "b-it-s-x-y-z-z-w-1", description });
    expect(description).toContain(site.name);
    const heading = /<h1>(.*)<\/h1>/.exec(new MarkdownIt().render(body))?.[1] ?? "";
    expect(textOf(heading)).toBe(`${site.name}: operating rules for agents`);
    expect(await verifyRelease(fileSystem, out)).toEqual([]);
  }); // prettier-ignore

  it("O-71: keeps the limit of a description, whatever an owner says", async () => {
    const domains = Array.from({ length: 300 }, (_none, i) => ({ ...concept(`D-${i}`, [expression("en", `word ${i}`)]), domain: `domain-${i}-${"x".repeat(40)}` }));
    const out = await releaseOf({ site: { description: "Words, ".repeat(57).trim() }, registry: { concepts: domains } });
    const { skills } = JSON.parse(readFileSync(path.join(out, SKILLS), "utf8")) as SkillsIndex;
    expect(skills[0]?.description.length).toBeLessThanOrEqual(1024);
    expect(metaOf(cardIn(out))["service-semantics/vocabulary"].description).toMatch(/domains: domain-0-x+, domain-1-x+, 298 more\)\.$/);
  }); // prettier-ignore
});

function fail(): never {
  throw new Error("There is no skill");
}
