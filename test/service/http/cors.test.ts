/**
 * Pages of other origins: they may send every field that the service reads, and read every field
 * that it writes. The requests are those of the law of hosts, with the refusals it does not have.
 * test/browser/other-origin.browser.ts asks in a browser.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { expectedAnswers, lawCases } from "../../../generator/tools/hosts/law.ts";
import type { Request } from "../../../generator/tools/hosts/request.ts";
import { requestHeaders, responseHeaders } from "../../../generator/contract/headers.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { createFetchHandler } from "../../../generator/tools/hosts/portable/fetch.ts";
import { StorageError } from "../../../runtime/registry/block-source.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { breakingOnce } from "../../support/service.ts";

/** Fetch Standard §2.2.2: CORS-safelisted response-header names. */
const SAFELISTED = "cache-control content-language content-length content-type expires last-modified pragma".split(" ");
/** Only for the browser itself. */
const OF_BROWSERS = ["content-security-policy", "referrer-policy", "x-content-type-options"];

const UNVERIFIED = {
  verified: false,
  failureCategory: "identity_document_missing_or_unsafe",
  detail: "",
} as const;

let release: Release;
let answers: { readonly request: Request; readonly fields: Readonly<Record<string, string>> }[];
beforeAll(async () => {
  release = openRelease(await buildRelease(checkedRegistry(nasty)));
  const post = (fields: Record<string, string>): Request => ({
    method: "POST",
    path: paths.resolve,
    fields,
    body: "{}",
  });
  const json = { "content-type": "application/json" };
  const expected = expectedAnswers(release, UNVERIFIED);
  const requests = [
    ...(await lawCases(release, expected)).map(({ request }) => request),
    post({ ...json, "content-encoding": "gzip" }),
    post({}),
  ];
  answers = await Promise.all(requests.map(async (request) => ({ request, fields: (await expected(request)).fields })));
  const ask = async (handler: ReturnType<typeof createFetchHandler>): Promise<void> => {
    const request = { ...post(json), body: '{"expression":"taxi"}' };
    const init = { method: "POST", headers: json, body: request.body };
    const { headers } = await handler(new Request(`https://service.example${paths.resolve}`, init));
    answers.push({ request, fields: Object.fromEntries(headers) });
  };
  const limited = createFetchHandler(release, { rate: { perSecond: 1, burst: 1, now: () => 0 } });
  await ask(limited);
  await ask(limited);
  await ask(createFetchHandler(breakingOnce(release, new StorageError("A store", "it is gone"))));
});

describe("a page of another origin", () => {
  it("O-55: may read every field of every answer but that of /mcp, where no field of CORS is sent", () => {
    const names = new Set<string>();
    for (const { request, fields } of answers) {
      const isMcp = request.path === paths.mcp;
      expect([request, fields["access-control-allow-origin"]]).toEqual([request, isMcp ? undefined : "*"]);
      if (isMcp) continue;
      const readable = [...SAFELISTED, ...(fields["access-control-expose-headers"] ?? "").toLowerCase().split(", ")];
      const own = Object.keys(fields).filter(
        (name) => !name.startsWith("access-control-") && !OF_BROWSERS.includes(name),
      );
      for (const name of own) names.add(name);
      expect([request, own.filter((name) => !readable.includes(name))]).toEqual([request, []]);
    }
    // What documents tell clients to read is among them, and was sent.
    for (const name of Object.keys(responseHeaders)) expect(names).toContain(name.toLowerCase());
  });

  it("O-55 O-60: may send every field that a public route reads, and others, but no credential", () => {
    const preflights = answers.filter(({ request }) => request.method === "OPTIONS" && request.path !== paths.mcp);
    expect(preflights.length).toBeGreaterThan(20);
    const read = Object.keys(requestHeaders).filter((name) => !name.toLowerCase().startsWith("mcp-"));
    for (const { fields } of preflights) {
      const allowed = (fields["access-control-allow-headers"] ?? "").split(", ");
      expect(allowed).toEqual(expect.arrayContaining([...read, "Range", "*"]));
      expect(allowed).not.toContain("Authorization");
    }
  });
});
