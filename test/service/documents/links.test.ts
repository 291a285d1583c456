/**
 * Every link that this service publishes leads somewhere: a crawl over HTTP from the places where
 * readers begin, through JSON, linksets, Markdown, HTML, text and the sitemap, with the media type
 * that the link declares.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { schemaNames } from "../../../runtime/contract/policy.ts";
import { DOCUMENTS, PAGES, POST_ONLY, publishedConcepts, RECIPES, starterRegistry } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { idsOf, markdownLinks, tagsOf } from "../../support/markup.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Reply, type Service, serviceFor } from "../../support/service.ts";

interface Link {
  /** Path and query below the origin. */
  readonly target: string;
  readonly fragment: string | undefined;
  /** The media type that the link says its target has. */
  readonly type: string | undefined;
  /** What the link's reader accepts where it declares no type. */
  readonly accept: string;
  /** Where it stands. */
  readonly from: string;
}

const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

/** Where readers begin, and what they accept: what is well known, or is linked from outside. */
const TEXTS = ["/llms.txt", "/robots.txt", "/sitemap.xml", "/.well-known/security.txt", "/agent-instructions.txt"];
const SEEDS: readonly (readonly [target: string, accept: string])[] = [
  ...PAGES.map((target) => [target, BROWSER] as const),
  ...["/answers", "/api-reference"].map((target) => [target, "text/markdown"] as const),
  ...[...TEXTS, "/answers.md", "/api-reference.md", "/openapi.json"].map((target) => [target, "*/*"] as const),
  ...DOCUMENTS.map(({ path }) => [path, "*/*"] as const),
  ...schemaNames.map((name) => [`/schemas/${name}.v1.json`, "*/*"] as const),
];

/** How many concepts are followed, of all that are linked. */
const SAMPLE = 20;

function makeLink(
  url: string,
  { base, type, ...rest }: { base: string; type?: string | undefined; accept: string; from: string },
): Link[] {
  const { origin, pathname, search, hash } = new URL(url, ORIGIN + base);
  if (origin !== ORIGIN) return [];
  const fragment = hash === "" ? undefined : decodeURIComponent(hash.slice(1));
  return [{ target: pathname + search, fragment, type, ...rest }];
}

/**
 * Addresses of this service in plain text; a full stop or comma behind one belongs to the sentence.
 */
function addressesIn(text: string): string[] {
  const found = text.match(/https:\/\/registry\.example[^\s"'<>()`\\{}|]*/g) ?? [];
  return found.map((url) => url.replace(/[.,;:!?]+$/, ""));
}

/** Links in JSON: `href`, `contentLocation`, any address in any text, and Markdown. */
function* linksOfJson(value: unknown, base: string, from = base): Generator<Link, void> {
  if (typeof value === "string") {
    for (const url of addressesIn(value)) yield* makeLink(url, { base, accept: "*/*", from });
    for (const url of markdownLinks(value)) yield* makeLink(url, { base, accept: BROWSER, from });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const { href, contentLocation, type, mediaType } = value as Record<string, unknown>;
  const [url, declared] = typeof href === "string" ? [href, type] : [contentLocation, mediaType];
  if (typeof url === "string" && typeof declared === "string") {
    yield* makeLink(url, { base, type: declared, accept: declared, from });
  }
  for (const inner of Object.values(value)) {
    if (inner !== url || typeof declared !== "string") yield* linksOfJson(inner, base, from);
  }
}

function linksOfHtml(page: string, base: string): Link[] {
  return tagsOf(page).flatMap(({ name, attributes }) => {
    const declared = name === "link" ? attributes.get("type") : undefined;
    const accept = declared ?? (name === "a" || name === "form" ? BROWSER : "*/*");
    return ["href", "src", "action"].flatMap((attribute) => {
      const url = attributes.get(attribute);
      return url === undefined ? [] : makeLink(url, { base, type: declared, accept, from: `${base} (HTML)` });
    });
  });
}

/** Links in a kit's files; these are read elsewhere, so each needs an absolute address. */
async function linksOfKit(zip: Buffer, base: string): Promise<Link[]> {
  return (await readZip(zip)).flatMap(({ name, bytes }) => {
    const from = `${base}!${name}`;
    const text = bytes.toString();
    if (name.endsWith(".json")) return [...linksOfJson(JSON.parse(text), base, from)];
    const urls = [...addressesIn(text), ...(name.endsWith(".md") ? markdownLinks(text) : [])];
    return urls.flatMap((url) => makeLink(new URL(url).href, { base, accept: "*/*", from }));
  });
}

async function linksOf(reply: Reply, base: string): Promise<Link[]> {
  const type = reply.headers["content-type"] ?? "";
  if (type === "application/zip") return linksOfKit(reply.body, base);
  const text = reply.body.toString();
  if (/json(?:;|$)/.test(type) && !type.includes("ndjson")) return [...linksOfJson(JSON.parse(text), base)];
  if (type.startsWith("text/html")) return linksOfHtml(text, base);
  const urls = [...addressesIn(text), ...(type.startsWith("text/markdown") ? markdownLinks(text) : [])];
  return urls.flatMap((url) => makeLink(url, { base, accept: "*/*", from: base }));
}

interface Crawl {
  readonly links: readonly Link[];
  /** Replies by target and Accept. */
  readonly replies: ReadonlyMap<string, Reply>;
  readonly skipped: ReadonlySet<string>;
}

const keyOf = (target: string, accept: string): string => `${target} ${accept}`;
const acceptOf = ({ fragment, type, accept }: Link): string => type ?? (fragment === undefined ? accept : BROWSER);

/** Follows everything from the seeds; of concepts, the first some of each kind of address. */
async function crawl(service: Service): Promise<Crawl> {
  const links: Link[] = [];
  const replies = new Map<string, Reply>();
  const followed = new Map(["/concepts/", "/api/v1/concepts/"].map((prefix) => [prefix, new Set<string>()]));
  const skipped = new Set<string>();
  const queue = SEEDS.map(([target, accept]): Link => ({
    target,
    fragment: undefined,
    type: undefined,
    accept,
    from: "seed",
  }));
  for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
    links.push(link);
    const { target } = link;
    const key = keyOf(target, acceptOf(link));
    if (replies.has(key)) continue;
    const [prefix = ""] = /^(?:\/api\/v1)?\/concepts\//.exec(target) ?? [];
    const kind = followed.get(prefix);
    if (kind !== undefined && !kind.has(target)) {
      if (kind.size >= SAMPLE) {
        skipped.add(target);
        continue;
      }
      kind.add(target);
    }
    const reply = await service.send("GET", target, { headers: { accept: acceptOf(link) } });
    replies.set(key, reply);
    if (reply.status === 200) queue.push(...(await linksOf(reply, target)));
  }
  return { links, replies, skipped };
}

const starter = serviceFor(starterRegistry);
const odd = serviceFor(() => checkedRegistry(nasty));
let crawled: Crawl;
beforeAll(async () => {
  crawled = await crawl(starter);
});

const placesIn = new Map<Reply, ReadonlySet<string>>();

/** The ids of a page, read once. */
function placesOf(reply: Reply): ReadonlySet<string> {
  const places = placesIn.get(reply) ?? new Set(idsOf(reply.body.toString()));
  placesIn.set(reply, places);
  return places;
}

const essence = (type = ""): string => type.split(";")[0] ?? type;

/** What is wrong with a link: nothing, or a line that says it. */
function faultOf({ replies, skipped }: Crawl, link: Link): string[] {
  const { target, fragment, type, from } = link;
  if (skipped.has(target)) return [];
  const reply = replies.get(keyOf(target, acceptOf(link)));
  const what = `${from} -> ${target}${fragment === undefined ? "" : `#${fragment}`}`;
  if (reply === undefined) return [`${what}: not followed`];
  if (POST_ONLY.includes(target)) return reply.status === 405 ? [] : [`${what}: ${reply.status} instead of 405`];
  if (reply.status !== 200) return [`${what}: ${reply.status}`];
  const answered = reply.headers["content-type"];
  const declared = type?.includes(";") === true ? answered : essence(answered);
  if (type !== undefined && declared !== type) return [`${what}: ${answered} instead of ${type}`];
  if (fragment !== undefined && !placesOf(reply).has(fragment)) return [`${what}: no such place`];
  return [];
}

describe("every link", () => {
  it("F06 F08 G14 O-59: leads to something that is there, of the media type that is declared, at a place that exists", () => {
    const faults = new Set(crawled.links.flatMap((link) => faultOf(crawled, link)));
    expect([...faults]).toEqual([]);
  });

  it("is followed: more than 1500 of them, to more than 250 targets, in every form of document", () => {
    const { links, replies } = crawled;
    const targets = new Set(links.map(({ target }) => target));
    expect(links.length).toBeGreaterThan(1500);
    expect(targets.size).toBeGreaterThan(250);
    expect(links.filter(({ fragment }) => fragment !== undefined).length).toBeGreaterThan(200);
    expect(links.filter(({ type }) => type !== undefined).length).toBeGreaterThan(60);
    const types = new Set([...replies.values()].map(({ headers }) => essence(headers["content-type"])));
    expect([...types].map((type) => type.replace("application/javascript", "text/javascript")).sort()).toEqual([
      "application/ai-catalog+json",
      "application/json",
      "application/ld+json",
      "application/linkset+json",
      "application/mcp-server-card+json",
      "application/x-ndjson",
      "application/xml",
      "application/zip",
      "image/svg+xml",
      "text/css",
      "text/html",
      "text/javascript",
      "text/markdown",
      "text/plain",
      "text/turtle",
    ]);
    // Each way of reading has found links of its own.
    for (const from of [
      "/llms.txt",
      "/sitemap.xml",
      "/robots.txt",
      "/answers.md",
      "/api-reference.md",
      "/answers (HTML)",
      "/.well-known/api-catalog",
      "/.well-known/security.txt",
      "/agent-instructions.txt",
      "/agent-tool.json",
      "/openapi.json",
      "/api/v1/integration-readiness",
      "/api/v1/integration-studio",
      ...RECIPES.flatMap((id) =>
        ["README.md", "instructions.txt", "manifest.json", "python/handoff.py"].map(
          (file) => `/api/v1/integration-studio/kit/${id}.zip!service-semantics-${id}/${file}`,
        ),
      ),
    ]) {
      expect([from, links.some((link) => link.from === from)]).toEqual([from, true]);
    }
  });

  it("to a kit and a report exists for each recipe, and for no other", () => {
    const linked = (prefix: string): string[] =>
      [
        ...new Set(
          crawled.links.flatMap(({ target }) => (target.startsWith(prefix) ? [target.slice(prefix.length)] : [])),
        ),
      ].sort();
    expect(linked("/api/v1/integration-readiness/report/")).toEqual(RECIPES.toSorted());
    expect(linked("/api/v1/integration-studio/kit/")).toEqual(RECIPES.map((id) => `${id}.zip`).sort());
  });

  it("to a concept is to one that is published, and every published concept is linked", async () => {
    const codes = (await publishedConcepts(starter)).map(({ code }) => code);
    for (const prefix of ["/concepts/", "/api/v1/concepts/"]) {
      const linked = new Set(
        crawled.links.flatMap(({ target }) => (target.startsWith(prefix) ? [target.slice(prefix.length)] : [])),
      );
      expect([...linked].sort()).toEqual(codes.toSorted());
    }
    expect(crawled.skipped.size).toBeGreaterThan(codes.length);
  });

  it("leads somewhere under a nasty registry too, where names and examples need escaping", async () => {
    const other = await crawl(odd);
    expect(new Set(other.links.flatMap((link) => faultOf(other, link)))).toEqual(new Set());
    const examples = other.links.filter(({ target }) => target.startsWith("/resolve?"));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    const pages = examples.map((link) => other.replies.get(keyOf(link.target, acceptOf(link)))?.body.toString() ?? "");
    expect(pages.some((page) => page.includes('class="outcome resolved"'))).toBe(true);
  });
});
