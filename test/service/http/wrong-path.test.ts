/** The answer to a path that the service does not have: a page or the envelope, by Accept. */
import { describe, expect, it } from "vitest";
import { attribute, elements, parseHtml, rawTextOf, textOf } from "../../support/page.ts";
import {
  BROWSER,
  expectRefusal,
  header,
  HTML_TYPE,
  JSON_TYPE,
  service,
  useService,
} from "../../support/representations.ts";

useService();

const ask = (accept: string | undefined, target = "/guide", method = "GET") =>
  service.send(method, target, { headers: accept === undefined ? {} : { accept } });

describe("a path that the service does not have", () => {
  it.each([
    BROWSER,
    "text/html",
    "TEXT/HTML; charset=UTF-8",
    "text/*",
    "text/html, application/json;q=0.999",
    "application/json;q=0, */*;q=0.1",
    "text/*;q=0.3, */*;q=0.2",
  ])("O-60: is 404 as a page if Accept prefers HTML: %s", async (accept) => {
    for (const method of ["GET", "POST"]) {
      const reply = await ask(accept, "/guide?x=1", method);
      expect(reply.status).toBe(404);
      expect(reply.headers).toMatchObject({
        "content-type": HTML_TYPE,
        "cache-control": "private, no-store",
        vary: "Accept",
      });
      const page = parseHtml(reply);
      expect(elements(page, "bdi").map(rawTextOf)).toEqual(["/guide"]);
      expect(textOf(elements(page, "h1")[0])).toBe("There is nothing at this address");
      const links = elements(elements(page, "main")[0], "a").map((link) => attribute(link, "href"));
      expect(links).toEqual(["/", "/concepts"]);
    }
  });

  it.each([
    undefined,
    "",
    "*/*",
    JSON_TYPE,
    "application/json, text/event-stream",
    "text/html;q=0.5, application/*",
    "text/html, application/json",
    "text/html;q=0, */*",
    "text/html;q=1.5, */*;q=0.1",
    "text/html;level=1",
    // Neither of the two: the envelope says more than 406 would.
    "image/avif,image/webp",
    "text/html;q=0",
  ])("O-60: is 404 in the envelope of every refusal otherwise: %s", async (accept) => {
    const reply = await ask(accept);
    expectRefusal(reply, "not_found");
    expect(header(reply, "vary")).toBe("Accept");
  });

  it("O-60: has the fields of GET and no body for HEAD, in either form", async () => {
    for (const accept of ["text/html", JSON_TYPE]) {
      const [got, head] = [await ask(accept), await ask(accept, "/guide", "HEAD")];
      expect([head.status, head.body.length]).toEqual([404, 0]);
      expect(Object.keys(head.headers)).toEqual(Object.keys(got.headers));
      expect(head.headers["content-length"]).toBe(String(got.body.length));
    }
  });

  it.each(["/<script>alert(1)</script>", "/%3Cscript%3E", "/a&b\"c'd", "/%00%E2%80%AE", "//evil.example/x"])(
    "O-60: shows the path as it was sent, as text alone: %s",
    async (target) => {
      const page = parseHtml(await ask("text/html", target));
      expect(elements(page, "bdi").map(rawTextOf)).toEqual([target]);
      expect(elements(page, "script")).toHaveLength(1);
    },
  );
});
