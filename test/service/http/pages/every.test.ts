/** What every page has, in each of its states. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../../../support/release.ts";
import { type Reply, type Service } from "../../../support/service.ts";
import { parseHtml, elements, textOf, attribute, withId, withAttribute } from "../../../support/page.ts";
import { pageServices, BROWSER } from "../../../support/pages.ts";

const at = pageServices();

/** Every page, each in each of its states, with its status. */
const everyPage: readonly (readonly [target: string, from: () => Service, status: number])[] = [
  ...states(
    () => at.service,
    "/ /mcp-guide /integration-studio /coverage /answers /api-reference /api-reference/resolve /api-reference/agents /concepts /concepts?page=1 /concepts?q=name /concepts?q=zzzz",
    "/concepts/N-QUOTES /concepts/N-RTL /concepts/N-NEAR /concepts/N-LONG /resolve /resolve?expression=taxi",
    "/resolve?expression=taxi&language=de /resolve?expression=many /resolve?expression= /resolve?expression=none",
    "/resolve?expression=a&language=en_US /concepts/NONE /concepts/%3Cscript%3E /NONE /%3Cscript%3E",
  ),
  ...states(
    () => at.none,
    "/ /mcp-guide /integration-studio /coverage /answers /api-reference /api-reference/resolve /api-reference/agents /concepts /resolve?expression=a /concepts/NONE",
  ),
  ...states(() => at.many, "/ /concepts /concepts?page=2 /concepts?q=name"),
  ...states(
    () => at.hostile,
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
      // Besides the script of every page: concepts have a data block, these one of their own.
      const isOfConcepts = /^\/concepts(?:$|[/?])/.test(target) && reply.status === 200;
      const hasOwn = /^\/(?:answers|api-reference|integration-studio|mcp-guide)/.test(target);
      const scripts = isOfConcepts || hasOwn ? ["script", "script"] : ["script"];
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
      const reply = await at.service.send("GET", target, BROWSER);
      const page = reply.headers["content-type"]?.startsWith("text/html") === true ? parseHtml(reply) : undefined;
      const ids = new Set(elements(page).flatMap((element) => attribute(element, "id") ?? []));
      known.set(target, reply.status === 200 ? ids : undefined);
      return known.get(target);
    };
    const dead = new Set<string>();
    for (const [target, from, status] of everyPage) {
      if (from() !== at.service) continue;
      const page = await at.visit(target, at.service, status);
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
