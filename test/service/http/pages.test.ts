/** The pages for people: parsed, not searched, so that nothing of a registry or a request can pass for markup. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConceptDetail, ConceptList } from "../../../runtime/contract/concept.ts";
import { ErrorEnvelope, type ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { empty, LONGEST, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression, type RegistryFiles } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Reply, type Service, startService } from "../../support/service.ts";

const INJECTION =
  `"><script nonce type="module">alert(1)</script><img src=x onerror='alert(1)'> &amp; ` +
  `<main id="main"></title></template><!-- {{ 1 + 1 }} ]]>`;

/** A registry that says this wherever it may say anything. */
function saying(text: string): RegistryFiles {
  const source = { source: text, license: "CC0-1.0", sourceId: text, reviewedBy: text, reviewedAt: "2026-11-21" };
  const provenance = { ...source, exactMatch: [text, `javascript:${text}`, `https://x.example/${text}`] };
  const own = { ...source, source: `${text} of its own` };
  const spoken = concept(
    "S-ALL",
    [
      expression("en", `first ${text}`, { provenance: own }),
      expression("de", `near ${text}`, { equivalenceStrength: 0.5 }),
      expression("en", `shared ${text}`),
    ],
    {
      name: text,
      definition: text,
      provenance,
      renderings: [{ type: "text", descriptor: text, unicodeSequence: text, confidence: 0.5 }],
      notations: [{ notation: text }],
      notes: { scopeNote: [{ text: `note ${text}` }, { language: "de", text: `Notiz ${text}` }] },
      related: ["S-OTHER"],
    },
  );
  const other = concept("S-OTHER", [expression("en", `shared ${text}`)], { name: text, definition: text });
  return { concepts: [spoken, other], registry: { name: text } };
}

/** 250 concepts: two full pages of the list and a half. */
const long: RegistryFiles = {
  concepts: Array.from({ length: 250 }, (_none, i) => {
    const code = `L-${String(i).padStart(3, "0")}`;
    return concept(code, [expression("en", `number ${i}`)]);
  }),
};

let service: Service;
let none: Service;
let many: Service;
let hostile: Service;
let harmless: Service;
beforeAll(async () => {
  // One after the other: while one is built, the start of another would wait too long.
  const start = (files: RegistryFiles) => startService(checkedRegistry(files));
  service = await start(nasty);
  none = await start(empty);
  many = await start(long);
  hostile = await start(saying(INJECTION));
  harmless = await start(saying("harmless"));
});
afterAll(async () => {
  const all = [service, none, many, hostile, harmless];
  await Promise.all(all.map((each) => each.close()));
});

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

const VOID = new Set(["meta", "link", "img", "input", "br", "hr"]);
/** Elements that end an open `p` (HTML §13.1.2.4), which would then not be where the text says. */
const NOT_IN_P =
  /^(?:article|aside|blockquote|div|dl|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;
const TOKEN = /<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>|([^<>]+)/gy;
const REFERENCES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#96": "`",
  "#92": "\\",
};

/** Reads a page more strictly than HTML asks for: every tag closed in order, every < > & that is text escaped. */
function parseHtml({ body }: Reply): Element {
  const doctype = "<!DOCTYPE html>\n";
  const text = body.toString("utf8");
  expect(text.slice(0, doctype.length)).toBe(doctype);
  const root: Element = { name: "", attributes: new Map(), children: [] };
  const open = [root];
  TOKEN.lastIndex = doctype.length;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [found, close, name, attributes = "", content] = TOKEN.exec(text) ?? [];
    const parent = open.at(-1);
    if (found === undefined || parent === undefined) throw new Error(`Not markup: ${text.slice(at, at + 80)}`);
    if (content !== undefined) parent.children.push(unescape(content));
    else if (close !== undefined) {
      if (open.pop()?.name !== close) throw new Error(`Closed out of order: ${text.slice(at - 80, at + 20)}`);
    } else {
      const element = { name: name ?? "", attributes: parseAttributes(attributes), children: [] };
      if (NOT_IN_P.test(element.name) && open.some((outer) => outer.name === "p"))
        throw new Error(`Ends a paragraph: ${text.slice(at - 80, at + 20)}`);
      parent.children.push(element);
      if (!VOID.has(element.name)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`Never closed: ${open.at(-1)?.name}`);
  const [page, ...others] = root.children.filter((child) => typeof child !== "string");
  if (page === undefined || others.length > 0) throw new Error("Not one element");
  return page;
}

function parseAttributes(text: string): Map<string, string> {
  const pairs = [...text.matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)].map(
    ([, name = "", value = ""]) => [name, unescape(value)] as const,
  );
  const attributes = new Map(pairs);
  if (attributes.size !== pairs.length) throw new Error(`Given twice:${text}`);
  return attributes;
}

function unescape(text: string): string {
  return text.replaceAll(/&(?:([a-z0-9#]+);)?/g, (found, name: string | undefined) => {
    const character = REFERENCES[name ?? ""];
    if (character === undefined) throw new Error(`Not a character reference: ${found}`);
    return character;
  });
}

function elements(within: Element | undefined, name?: string): Element[] {
  const inside =
    within === undefined
      ? []
      : (insides.get(within) ??
        within.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...elements(child)])));
  if (within !== undefined) insides.set(within, inside);
  return name === undefined ? inside : inside.filter((element) => element.name === name);
}

/** What was found before. */
const insides = new WeakMap<Element, Element[]>();

/** The text of an element with white space as it is shown. */
function textOf(element: Element | undefined): string {
  return rawTextOf(element).replaceAll(/\s+/g, " ").trim();
}

function rawTextOf(element: Element | undefined): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : rawTextOf(child))).join("");
}

const attribute = (element: Element | undefined, name: string): string | undefined => element?.attributes.get(name);
const withId = (page: Element, id: string): Element | undefined =>
  elements(page).find((element) => attribute(element, "id") === id);
const withAttribute = (page: Element | undefined, name: string): Element[] =>
  elements(page).filter(({ attributes }) => attributes.has(name));

/** As a browser asks. */
const BROWSER = { headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } };

async function visit(target: string, from = service, status = 200): Promise<Element> {
  const reply = await from.send("GET", target, BROWSER);
  expect(reply.status, target).toBe(status);
  expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
  return parseHtml(reply);
}

/** `/path?name=value&…`, encoded as a form does it. */
function query(path: string, parameters: Record<string, string>): string {
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}

/** Every page, each in each of its states, with its status. */
const everyPage: readonly (readonly [target: string, from: () => Service, status: number])[] = [
  ...states(
    () => service,
    "/ /mcp-guide /integration-studio /coverage /answers /api-reference /api-reference/resolve /api-reference/agents /concepts /concepts?page=1 /concepts?q=name /concepts?q=zzzz",
    "/concepts/N-QUOTES /concepts/N-RTL /concepts/N-NEAR /concepts/N-LONG /resolve /resolve?expression=taxi",
    "/resolve?expression=taxi&language=de /resolve?expression=many /resolve?expression= /resolve?expression=none",
    "/resolve?expression=a&language=en_US /concepts/NONE /concepts/%3Cscript%3E",
  ),
  ...states(
    () => none,
    "/ /mcp-guide /integration-studio /coverage /answers /api-reference /api-reference/resolve /api-reference/agents /concepts /resolve?expression=a /concepts/NONE",
  ),
  ...states(() => many, "/ /concepts /concepts?page=2 /concepts?q=name"),
  ...states(
    () => hostile,
    "/ /mcp-guide /integration-studio /coverage /answers /api-reference /api-reference/resolve /api-reference/agents /concepts /concepts/S-ALL /concepts/NONE",
  ),
];

function states(from: () => Service, ...lines: string[]): (readonly [string, () => Service, number])[] {
  const targets = lines.flatMap((line) => line.split(" "));
  return targets.map((target) => [target, from, /NONE|%3C/.test(target) ? 404 : 200] as const);
}

/** What a browser gets first of each. */
const replies = new Map<string, Promise<Reply>>();
function firstReply(target: string, from: Service): Promise<Reply> {
  const key = `${from.port} ${target}`;
  const reply = replies.get(key) ?? from.send("GET", target, BROWSER);
  replies.set(key, reply);
  return reply;
}

describe("every page", () => {
  it.each(everyPage)(
    "G42 O-44 O-48: is private and not stored, sends no referrer, and links to the catalog: %j %j %j",
    async (target, from, status) => {
      const reply = await firstReply(target, from());
      expect([target, reply.status]).toEqual([target, status]);
      expect(reply.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        link: `<${ORIGIN}/.well-known/api-catalog>; rel="api-catalog"`,
      });
      expect(reply.headers).not.toHaveProperty("set-cookie");
    },
  );

  it("O-44 G42: has a nonce of its own, in its policy and in exactly its scripts and its style sheet", async () => {
    const seen = new Set<string>();
    for (const [target, from] of everyPage) {
      const reply = await from().send("GET", target, BROWSER);
      const policy = String(reply.headers["content-security-policy"]);
      const [, nonce = ""] = /script-src 'nonce-([A-Za-z0-9+/]{22,}={0,2})'/.exec(policy) ?? [];
      seen.add(nonce);
      expect(policy.split("; ").toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
      ]);
      const page = parseHtml(reply);
      const marked = withAttribute(page, "nonce");
      // The studio has a script of its own beside the one of every page.
      const scripts = target === "/integration-studio" ? ["script", "script"] : ["script"];
      expect(marked.map((element) => [element.name, attribute(element, "nonce")])).toEqual(
        ["link", ...scripts].map((name) => [name, nonce]),
      );
      expect(elements(page, "script")).toEqual(marked.slice(1));
      const names = elements(page).flatMap(({ name, attributes }) => [name, ...attributes.keys()]);
      const odd = /^(?:style|iframe|object|embed|base|svg|math|use|image|foreignobject|animate|srcset|srcdoc|on.*)$/;
      expect(names.filter((name) => odd.test(name))).toEqual([]);
    }
    expect(seen.size).toBe(everyPage.length);
  });

  it.each(everyPage)(
    "G26 G27 G28: carries digests of the very bytes sent and its own address, or none of them where a query made it or nothing is there: %j %j %j",
    async (target, from, status) => {
      const { headers, body } = await firstReply(target, from());
      const digest = createHash("sha256").update(body);
      const [hex, base64] = [digest.copy().digest("hex"), digest.digest("base64")];
      const { etag, "repr-digest": repr, "x-content-sha256": plain, "content-location": location } = headers;
      expect([target, etag, repr, plain, location]).toEqual(
        status === 200 && !target.includes("?")
          ? [target, `"${hex}"`, `sha-256=:${base64}:`, hex, ORIGIN + target]
          : [target, undefined, undefined, undefined, undefined],
      );
      expect(headers["content-length"]).toBe(String(body.length));
    },
  );

  it("G42: never answers 304, and answers HEAD with the fields of GET and no body (T-01, O-60)", async () => {
    const changing = ["date", "etag", "repr-digest", "x-content-sha256", "content-security-policy"];
    for (const [target, from, status] of everyPage) {
      const got = await from().send("GET", target, BROWSER);
      for (const field of ["*", String(got.headers.etag)]) {
        const headers = { accept: "text/html", "if-none-match": field };
        expect([target, (await from().send("GET", target, { headers })).status]).toEqual([target, status]);
      }
      const head = await from().send("HEAD", target, BROWSER);
      expect([target, head.status, head.body.length]).toEqual([target, status, 0]);
      expect(Object.keys(head.headers)).toEqual(Object.keys(got.headers));
      for (const [name, value] of Object.entries(got.headers)) {
        if (!changing.includes(name)) expect(head.headers[name], `${target} ${name}`).toEqual(value);
      }
    }
  });

  it.each(everyPage)(
    "is one document: a language, a title, one main with one h1, unique ids, labels and references that exist: %j %j %j",
    async (target, from) => {
      const page = parseHtml(await firstReply(target, from()));
      expect([page.name, attribute(page, "lang")]).toEqual(["html", "en"]);
      const [head] = elements(page, "head");
      expect(elements(head, "title").map((title) => textOf(title).length > 10)).toEqual([true]);
      expect(elements(page, "main").map((main) => elements(main, "h1").length)).toEqual([1]);
      expect(elements(page, "h1").map((heading) => textOf(heading).length > 0)).toEqual([true]);
      const ids = withAttribute(page, "id").map((element) => attribute(element, "id"));
      expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
      for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
        for (const element of withAttribute(page, name)) expect(ids).toContain(attribute(element, name));
      }
      const labelled = elements(page, "label").map((label) => attribute(label, "for"));
      // By its id, or by standing in its label.
      const inLabel = elements(page, "label").flatMap((label) => elements(label, "input"));
      for (const input of elements(page, "input"))
        if (!inLabel.includes(input)) expect(labelled).toContain(attribute(input, "id"));
      for (const image of elements(page, "img")) expect(attribute(image, "alt")).toBeDefined();
      const levels = elements(elements(page, "main")[0]).flatMap(({ name }) =>
        /^h[1-6]$/.test(name) ? [Number(name[1])] : [],
      );
      for (const [i, level] of levels.entries()) expect(level, target).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1);
    },
  );

  it("leads only to places that are there, down to the fragment", async () => {
    const known = new Map<string, ReadonlySet<string> | undefined>();
    /** Ids of what is at an address; undefined where nothing is. */
    const look = async (target: string): Promise<ReadonlySet<string> | undefined> => {
      if (known.has(target)) return known.get(target);
      const reply = await service.send("GET", target, BROWSER);
      const page = reply.headers["content-type"]?.startsWith("text/html") === true ? parseHtml(reply) : undefined;
      const ids = new Set(elements(page).flatMap((element) => attribute(element, "id") ?? []));
      known.set(target, reply.status === 200 ? ids : undefined);
      return known.get(target);
    };
    const dead = new Set<string>();
    for (const [target, from, status] of everyPage) {
      if (from() !== service) continue;
      const page = await visit(target, service, status);
      const addresses = [...elements(page, "a"), ...elements(page, "link")].map((link) => attribute(link, "href"));
      const actions = elements(page, "form").map((form) => attribute(form, "action"));
      for (const address of [...addresses, ...actions]) {
        const { origin, pathname, search, hash, href } = new URL(address ?? "", ORIGIN + target);
        if (origin !== ORIGIN || address === "#main") continue;
        const ids = await look(pathname + search);
        if (ids === undefined || (hash !== "" && !ids.has(hash.slice(1)))) dead.add(href);
      }
      expect(withId(page, "main")).toBeDefined();
      expect(elements(page, "form").map((form) => attribute(form, "method") ?? "get")).not.toContain("post");
    }
    expect([...dead].toSorted()).toEqual([]);
    expect(known.size).toBeGreaterThan(30);
  });
});

/** Names and attribute names of all elements: what text can never change. */
/** The parts of a code that are marked follow from its text: an answer that resolves has other ones than one that abstains. */
function skeleton(element: Element): string {
  return JSON.stringify(partsOf(element));
}

function partsOf(element: Element): unknown {
  const isMark = (child: Element): boolean => /^hl-[cks]$/.test(attribute(child, "class") ?? "");
  const inside = element.children.flatMap((child) =>
    typeof child === "string" || isMark(child) ? [] : [partsOf(child)],
  );
  return [element.name, [...element.attributes.keys()].toSorted(), inside];
}

describe("hostile text", () => {
  it("in every field of a registry makes no element and no attribute on any page", async () => {
    const targets =
      "/ /concepts /concepts/S-ALL /concepts/S-OTHER /concepts?q=alert /answers /api-reference /mcp-guide /resolve " +
      "/resolve?expression=x /concepts/NONE";
    for (const target of targets.split(" ")) {
      const status = target.endsWith("NONE") ? 404 : 200;
      const harmlessTarget = target.replace("alert", "harmless");
      const [evil, plain] = await Promise.all([
        visit(target, hostile, status),
        visit(harmlessTarget, harmless, status),
      ]);
      expect(skeleton(evil), target).toEqual(skeleton(plain));
    }
  });

  it("of a registry is shown as it is: name, definition, expressions, renderings, provenance", async () => {
    const page = await visit("/concepts/S-ALL", hostile);
    const main = elements(page, "main")[0];
    const shown = INJECTION.replaceAll(/\s+/g, " ").trim();
    expect(textOf(elements(page, "h1")[0])).toBe(shown);
    expect(textOf(elements(page, "title")[0]).startsWith(`${shown} · `)).toBe(true);
    expect(elements(main, "bdi").map(rawTextOf).toSorted()).toEqual(
      ["first", "near", "shared"].map((word) => `${word} ${INJECTION}`),
    );
    // Heading, definition, notation, three expressions, a source of its own with two more texts, rendering, provenance
    // with three, a relation, three matches, two notes.
    expect(rawTextOf(main).split(INJECTION).length - 1).toBeGreaterThanOrEqual(17);
    const away = elements(main, "a").flatMap(({ attributes }) => attributes.get("href") ?? []);
    expect(away.filter((href) => !href.startsWith("/"))).toEqual([`https://x.example/${INJECTION}`]);
    expect(textOf(elements(await visit("/", hostile), "footer")[0])).toContain(shown);
  });

  const texts = [
    `<script>alert(1)</script> | "><img src=x onerror=alert(1)> | '><svg onload=alert(1)> | </title><script>`,
    `</main></body></html><!-- | &lt;b&gt; &amp; &#39; | $\{1}{{1}}<%= 1 %> | " autofocus onfocus="alert(1) | \`\\`,
    `javascript:alert(1) | \u202e<b>\u0000\u0001 | <script nonce type=module> | <link nonce rel="stylesheet">`,
  ].flatMap((line) => line.split(" | "));

  it("as a filter makes no element on /concepts, and stands in its field as it was typed", async () => {
    const plain = await visit("/concepts?q=zzzz");
    for (const text of texts) {
      const page = await visit(query("/concepts", { q: text }));
      expect(skeleton(page), text).toEqual(skeleton(plain));
      expect(attribute(withId(page, "q"), "value")).toBe(text);
      expect(textOf(elements(page, "title")[0])).toBe(textOf(elements(plain, "title")[0]));
    }
  });

  it("as an expression or a language makes no element on /resolve, and stands in its field as it was typed", async () => {
    const [unknown, refused] = [
      await visit("/resolve?expression=zzzz"),
      await visit("/resolve?expression=a&language=_"),
    ];
    for (const text of texts) {
      const page = await visit(query("/resolve", { expression: text }));
      expect(skeleton(page), text).toEqual(skeleton(unknown));
      expect(attribute(withId(page, "expression"), "value")).toBe(text);
      expect(rawTextOf(withId(page, "outcome"))).toContain(text);
      const tagged = await visit(query("/resolve", { expression: text, language: text }));
      expect(skeleton(tagged), text).toEqual(skeleton(refused));
      expect(attribute(withId(tagged, "language"), "value")).toBe(text);
    }
  });

  it("as a code makes no element on the page that says that nothing is there, and is shown as it was asked for", async () => {
    const plain = await visit("/concepts/NONE", service, 404);
    for (const text of texts.filter((each) => !each.includes("\u0000"))) {
      const page = await visit(`/concepts/${encoded(text)}`, service, 404);
      expect(skeleton(page), text).toEqual(skeleton(plain));
      expect(elements(page, "bdi").map(rawTextOf)).toEqual([text]);
    }
  });

  it.each(["/", "/mcp-guide", "/answers", "/api-reference"])(
    "in a request never reaches the prerendered pages: %s",
    async (target) => {
      const plain = await visit(target);
      const headers = { accept: "text/html", host: "'&b;.example", cookie: "<b>", "user-agent": "<b>", referer: "<b>" };
      const reply = await service.send("GET", `${target}?q=%3Cb%3E&expression=<b>`, { headers });
      const nonce = /nonce="[^"]*"/g;
      const text = (await service.send("GET", target, BROWSER)).body.toString();
      expect(reply.body.toString().replaceAll(nonce, "")).toBe(text.replaceAll(nonce, ""));
      expect(skeleton(parseHtml(reply))).toEqual(skeleton(plain));
    },
  );
});

/** Codes of the concepts that a list page shows, in its order. */
function listed(page: Element): string[] {
  const main = elements(page, "main")[0];
  return elements(main, "li").flatMap((item) => {
    const [code] = elements(item, "code");
    return code === undefined ? [] : [textOf(code)];
  });
}

async function listCodes(from: Service, filter = ""): Promise<string[]> {
  const { data } = expectSchema(ConceptList, (await from.send("GET", `/api/v1/concepts${filter}`)).json());
  return data.map(({ code }) => code);
}

describe("/concepts", () => {
  it("lists every concept by name, with its definition and a link to it", async () => {
    const page = await visit("/concepts");
    const list = expectSchema(ConceptList, (await service.send("GET", "/api/v1/concepts")).json());
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
        await visit(query("/concepts", { q: text })),
        await listCodes(service, query("", { q: text })),
      ];
      expect([text, listed(page).toSorted()]).toEqual([text, codes]);
      expect(attribute(withId(page, "q"), "value")).toBe(text);
    },
  );

  it.each(["q=a&q=b", "q=%ZZ", "q=%FF", `q=${"a".repeat(201)}`])(
    "O-13: refuses a filter as the API does: %s",
    async (target) => {
      const [page, api] = await Promise.all(
        ["/concepts", "/api/v1/concepts"].map((path) => service.send("GET", `${path}?${target}`, BROWSER)),
      );
      expect(page?.status).toBe(400);
      expect(expectSchema(ErrorEnvelope, page?.json())).toEqual(api?.json());
    },
  );

  it("is cut into pages of a hundred, which together list every concept once", async () => {
    const codes = await listCodes(many);
    expect(codes.length).toBe(250);
    const shown = await Promise.all([1, 2, 3].map(async (page) => listed(await visit(`/concepts?page=${page}`, many))));
    expect(shown).toEqual([codes.slice(0, 100), codes.slice(100, 200), codes.slice(200)]);
    expect(listed(await visit("/concepts", many))).toEqual(shown[0]);
  });

  it("links each of its pages to the others, and says which one it is", async () => {
    for (const [page, links, title] of [
      [1, ["1", "2", "3", "2"], /^Concepts ·/],
      [2, ["1", "1", "2", "3", "3"], /^Concepts, page 2 of 3 ·/],
      [3, ["2", "1", "2", "3"], /^Concepts, page 3 of 3 ·/],
    ] as const) {
      const root = await visit(`/concepts?page=${page}`, many);
      const nav = elements(elements(root, "main")[0], "nav").at(-1);
      expect(elements(nav, "a").map((link) => attribute(link, "href"))).toEqual(
        links.map((to) => `/concepts?page=${to}`),
      );
      const current = elements(nav, "a").filter((link) => attribute(link, "aria-current") === "page");
      expect(current.map((link) => attribute(link, "href"))).toEqual([`/concepts?page=${page}`]);
      expect(textOf(elements(root, "title")[0])).toMatch(title);
    }
    const navs = elements(elements(await visit("/concepts"), "main")[0], "nav");
    expect(navs.map((nav) => attribute(nav, "aria-label"))).toEqual(["Concepts by first letter"]);
  });

  it("shows the nearest page for a number that is none", async () => {
    const codes = await listCodes(many);
    const starts = {
      0: ",0,-1,-999,abc,NaN,-Infinity,0.9,1.9,%00,1;2,1&page=2,%ZZ,%D9%A1,2.9,2.0,02,0x2,1e99,Infinity",
      100: "2,2&x=3",
    };
    const last = { 200: "3,4,1000,9007199254740993" };
    const rows = Object.entries({ ...starts, ...last }).flatMap(([start, numbers]) =>
      numbers.split(",").map((number) => [number, Number(start)] as const),
    );
    for (const [number, start] of rows) {
      const page = await visit(`/concepts?page=${number}`, many);
      expect([number, listed(page)]).toEqual([number, codes.slice(start, start + 100)]);
    }
  });

  it("cuts the matches of a filter into pages too, and says how many there are", async () => {
    const codes = await listCodes(many);
    const page = await visit("/concepts?q=definition&page=2", many);
    expect(listed(page)).toEqual(codes.slice(100, 200));
    const main = elements(page, "main")[0];
    expect(textOf(main)).toMatch(/\b250 concepts matched, by name\./);
    const links = elements(elements(main, "nav").at(-1), "a").map((link) => attribute(link, "href"));
    expect(links).toContain("/concepts?q=definition&page=3");
    const some = await visit("/concepts?q=L-01", many);
    expect(listed(some)).toEqual(codes.filter((code) => code.startsWith("L-01")));
    expect(textOf(elements(some, "main")[0])).toContain("10 concepts matched");
  });

  it.each(["/concepts", "/concepts?page=2", "/concepts?q=a"])(
    "says that nothing is published, and lists nothing, where the registry is empty: %s",
    async (target) => {
      const page = await visit(target, none);
      expect(listed(page)).toEqual([]);
      expect(textOf(elements(page, "main")[0])).toMatch(/No concept (?:is published|has every one)/);
    },
  );
});

describe("/concepts/{code}", () => {
  it("shows every expression of every concept in its language and direction, exactly", async () => {
    for (const code of await listCodes(service)) {
      const detail = (await service.send("GET", `/api/v1/concepts/${code}`)).json() as ConceptDetail;
      const page = await visit(`/concepts/${code}`);
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
    const shown = elements(elements(await visit(`/concepts/${code}`), "main")[0], "bdi").map((element) => [
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
    expect(items(await visit("/concepts/N-EXACT")).toSorted()).toEqual(["both near: true", "shared: false"]);
    expect(items(await visit("/concepts/N-TAXI"))).toEqual(["taxi: false", "taxi: false", "taxi: false"]);
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
      const reply = await service.send("GET", `/concepts/${path}`, BROWSER);
      expect([path, reply.status, reply.headers.location]).toEqual([path, 404, undefined]);
      const page = parseHtml(reply);
      expect(elements(page, "bdi").map(rawTextOf)).toEqual([code]);
      expect(textOf(elements(page, "h1")[0])).toBe("No published concept has this code");
      const links = elements(elements(page, "main")[0], "a").map((link) => attribute(link, "href"));
      const successor = code === "N-RETIRED" ? ["/concepts/N-MONEY"] : [];
      expect(new Set(links)).toEqual(new Set(["/", "/concepts", ...successor]));
    }
    expect(textOf(elements(await visit("/concepts/%4E-TAXI"), "h1")[0])).toBe("Name of N-TAXI");
  });

  it("O-16: says of a retired code when it was retired and what the registry names as successor", async () => {
    const page = await visit("/concepts/N-RETIRED", service, 404);
    const main = textOf(elements(page, "main")[0]);
    expect(elements(page, "a").map(({ attributes }) => attributes.get("href"))).toContain("/concepts/N-MONEY");
    expect(main).toContain("Retired in 2026.10.1.");
    expect(main).toContain("The registry names N-MONEY as its successor.");
    expect(textOf(elements(await visit("/concepts/NONE", service, 404), "main")[0])).not.toContain("Retired in");
  });

  it("says what all expressions come from once, and of each only what differs", async () => {
    const notes = (page: Element): number =>
      elements(elements(page, "main")[0], "li").filter((item) => textOf(item).includes("CC0-1.0")).length;
    expect(notes(await visit("/concepts/N-TAXI"))).toBe(0);
    expect(notes(await visit("/concepts/S-ALL", hostile))).toBe(1);
  });

  it.each([
    ["N-TAXI", "This is the code of"],
    ["taxi", "This is an exact expression: resolve it"],
    ["zzzz", ""],
  ])("says of the filter %s: %s", async (text, said) => {
    const main = textOf(elements(await visit(`/concepts?q=${text}`), "main")[0]);
    expect(["This is the code of", "This is an exact expression"].some((one) => main.includes(one))).toBe(said !== "");
    expect(main).toContain(said);
  });
});

describe("the home page", () => {
  it("says that it is not ready, in words and by the constant, only where nothing can resolve", async () => {
    const [ready, notReady] = [await visit("/"), await visit("/", none)].map((page) =>
      textOf(elements(page, "main")[0]),
    );
    expect(notReady).toContain("Not ready.");
    expect(notReady).toContain("not_ready_empty_registry");
    expect(ready).not.toMatch(/not.ready/i);
    expect(notReady).toMatch(/\b0 concepts 0 reviewed exact expressions\b/);
  });

  it("counts what the status counts, and asks with an example that resolves", async () => {
    const page = await visit("/");
    const { data } = (await service.send("GET", "/api/v1/status")).json() as {
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
    expect(copied(await visit(example ?? "")).length).toBe(1);
    expect(copied(await visit(mistyped ?? ""))).toEqual([]);
    // Nothing can be asked of an empty registry, and a hostile example stays an address.
    expect(
      elements(await visit("/", none), "a")
        .map((link) => attribute(link, "href"))
        .join(),
    ).not.toContain("/resolve?");
    for (const link of elements(await visit("/", hostile), "a")) {
      if (attribute(link, "href")?.startsWith("/resolve?") !== true) continue;
      // The unknown one is ours.
      if (attribute(link, "data-expression") === "an expression nobody has reviewed") continue;
      const shown = await visit(attribute(link, "href") ?? "", hostile);
      expect(attribute(withId(shown, "expression"), "value")).toContain(INJECTION);
    }
  });
});

/** The codes that a page offers for use. */
function copied(page: Element): string[] {
  return withAttribute(withId(page, "outcome"), "data-copy").map(textOf);
}

describe("/resolve", () => {
  it.each(["/resolve", "/resolve?", "/resolve?x=1", "/resolve?language=de"])(
    "has an empty form and no outcome when nothing is asked: %s",
    async (target) => {
      const page = await visit(target);
      expect(attribute(withId(page, "expression"), "value")).toBe("");
      expect(textOf(withId(page, "outcome"))).toBe("");
    },
  );

  it("shows what the API answers for every expression, with and without its language", async () => {
    const codes = await listCodes(service);
    const all = await Promise.all(codes.map((code) => service.send("GET", `/api/v1/concepts/${code}`)));
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
      const { data } = (await service.resolve(request)).json() as ResolveEnvelope;
      const page = await visit(query("/resolve", request));
      const outcome = withId(page, "outcome");
      expect([request, copied(page)]).toEqual([request, data.concept === null ? [] : [data.concept.code]]);
      expect(attribute(withId(page, "expression"), "value")).toBe(request.expression);
      expect(attribute(withId(page, "language"), "value")).toBe("language" in request ? request.language : "");
      expect(elements(outcome, "bdi").map(rawTextOf)).toEqual([request.expression]);
      if (data.concept === null) {
        expect(textOf(outcome)).toContain("No code is assigned");
        expect(textOf(outcome)).toContain(data.reason ?? "");
        const candidates = elements(outcome, "a").map((link) => attribute(link, "href"));
        expect(candidates).toEqual(data.candidates.map(({ code }) => `/concepts/${code}`));
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
    const outcome = async (target: string, from = service): Promise<string> =>
      textOf(withId(await visit(`/resolve?expression=${target}`, from), "outcome"));
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
    expect(await outcome("a", none)).toMatch(/^Abstained No code is assigned .*registry_empty/);
  });

  it("refuses what the API refuses, with its sentence, and assigns no code", async () => {
    for (const request of [
      { expression: "" },
      { expression: "a".repeat(1001) },
      { expression: "taxi", language: "en_US" },
      { expression: "taxi", language: "x".repeat(36) },
    ]) {
      const { error } = expectSchema(ErrorEnvelope, (await service.resolve(request)).json());
      const page = await visit(query("/resolve", request));
      const outcome = withId(page, "outcome");
      expect(textOf(outcome)).toMatch(/^Refused /);
      expect(textOf(outcome)).toContain(`${error.message}. No code is assigned.`);
      expect(copied(page)).toEqual([]);
      expect(attribute(withId(page, "expression"), "value")).toBe(request.expression);
    }
  });

  it("never answers a question that was not asked: an expression or language that cannot be read is refused", async () => {
    for (const target of ["expression=%ZZ", "expression=%FF", "expression=taxi&expression=bank"]) {
      const page = await visit(`/resolve?${target}`);
      expect(textOf(withId(page, "outcome")), target).toMatch(/^Refused /);
    }
    for (const target of ["language=%ZZ", "language=%FF", "language=fr&language=xx", "language=xx&language=fr"]) {
      const page = await visit(`/resolve?expression=taxi&${target}`);
      expect([target, copied(page)]).toEqual([target, []]);
    }
  });

  it("takes a blank language, as the form sends it, for none", async () => {
    expect(copied(await visit("/resolve?expression=taxi&language="))).toEqual(["N-TAXI"]);
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
      const page = await visit(`/resolve?expression=${target}`);
      expect([target, attribute(withId(page, "expression"), "value"), copied(page)]).toEqual([target, text, codes]);
    },
  );
});

describe("after all of this", () => {
  it("no page has caused a fault", () => {
    expect([service, none, many, hostile, harmless].flatMap(({ faults }) => faults)).toEqual([]);
  });
});
