/** Conditional requests over a socket: If-None-Match and If-Match, 304 and 412 (RFC 9110 §13). */
import { describe, expect, it } from "vitest";
import { NOT_MODIFIED_FIELDS } from "../../../runtime/http/representation.ts";

import {
  HTML_TYPE,
  JSON_TYPE,
  MARKDOWN_TYPE,
  ask,
  cells,
  expectRefusal,
  fieldsOf,
  get,
  header,
  machine,
  representations,
  service,
  words,
  useService,
} from "../../support/representations.ts";

useService();

describe("If-None-Match", () => {
  // T stands for the entity tag of the representation.
  // Every other spelling: test/unit/runtime/http/fields.test.ts.
  const matching = cells('T | W/T | "x",W/T,"y" | , ,T,, | *');
  const ignored = cells('T x | w/T | *, T | "x" | "x, T | \'T\'');
  const spell = (field: string, tag: string): string => field.replaceAll("T", tag);

  it.each(machine)(
    "G30 G34: lists the tag, in weak form or not, or is *: 304 with an empty body; anything else is ignored: 200: $target as $accept",
    async (asked) => {
      const plain = await get(asked);
      const tag = header(plain, "etag");
      for (const field of matching) {
        const reply = await get(asked, { "if-none-match": spell(field, tag) });
        expect([asked.target, field, reply.status, reply.body.length]).toEqual([asked.target, field, 304, 0]);
      }
      for (const field of ignored) {
        const reply = await get(asked, { "if-none-match": spell(field, tag) });
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
      }
    },
  );

  it("G34: the unquoted digest, and a tag with one digit changed, are other tags", async () => {
    const hex = header(await service.send("GET", "/answers.json"), "x-content-sha256");
    const changed = hex.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const field of [hex, `"${changed}"`, `"${hex.toUpperCase()}"`, `"${hex}`, `${hex}"`, `"${hex.slice(1)}"`]) {
      const reply = await service.send("GET", "/answers.json", { headers: { "if-none-match": field } });
      expect([field, reply.status]).toEqual([field, 200]);
    }
  });

  it("G34: several field lines are one list (RFC 9110 §5.3)", async () => {
    const { headers, body } = await ask("/answers.json");
    const tag = String(headers.etag);
    const line = (value: string): string => `If-None-Match: ${value}`;
    for (const [values, status] of [
      [['"x"', tag], 304],
      [[`W/${tag}`, '"y"'], 304],
      [['"x"', "", '"a,b"', tag], 304],
      [['"x"', '"y"'], 200],
      [["junk", tag], 200],
      [['"open', `${tag}"`], 200],
    ] as const) {
      const reply = await ask("/answers.json", values.map(line));
      expect([values, reply.status]).toEqual([values, status]);
      expect(reply.body.equals(status === 200 ? body : Buffer.alloc(0))).toBe(true);
    }
  });

  it("G31 G32: 304 has exactly the fields that NOT_MODIFIED_FIELDS keeps of the 200, with their values, and Date", async () => {
    // T-02, O-55: the contract's four, those of RFC 9110 §15.4.5, and those that every reply has.
    expect([...NOT_MODIFIED_FIELDS].toSorted()).toEqual(
      words(
        "Access-Control-Allow-Origin Access-Control-Expose-Headers Cache-Control Content-Location ETag Link Repr-Digest",
        "Vary X-Content-SHA256 X-Content-Type-Options X-Service-Semantics-Deployment-Identity",
      ),
    );
    for (const { target, accept } of machine) {
      const ok = await ask(target, [`Accept: ${accept}`]);
      const tag = `If-None-Match: ${ok.headers.etag}`;
      const cached = await ask(target, [`Accept: ${accept}`, tag]);
      expect([target, ok.status, cached.status]).toEqual([target, 200, 304]);
      // Nothing follows the fields, and none is there that would announce something.
      expect(cached.body.length).toBe(0);
      const kept = ok.names.filter((name) => NOT_MODIFIED_FIELDS.has(name));
      expect(kept).toEqual(expect.arrayContaining(["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256"]));
      expect(kept).toContain("Cache-Control");
      expect(cached.names.toSorted()).toEqual([...kept, "Connection", "Date"].toSorted());
      for (const name of kept) {
        expect(cached.headers[name.toLowerCase()]).toBe(ok.headers[name.toLowerCase()]);
      }
      const alive = await service.send("GET", target, { headers: { accept, "if-none-match": "*" } });
      expect(Object.keys(alive.headers).toSorted()).toEqual(
        [...kept, "Connection", "Date", "Keep-Alive"].map((name) => name.toLowerCase()).toSorted(),
      );
    }
  });

  it.each(["/answers", "/api-reference"])(
    "G33: matches the selected representation only: the tag of another one gets 200: %s",
    async (target) => {
      const accepts = [JSON_TYPE, MARKDOWN_TYPE];
      const tags = await Promise.all(accepts.map(async (accept) => header(await get({ target, accept }), "etag")));
      const page = header(await get({ target, accept: HTML_TYPE }), "etag");
      for (const [i, accept] of accepts.entries()) {
        for (const [j, tag] of [...tags, page].entries()) {
          const { status } = await get({ target, accept }, { "if-none-match": tag });
          expect([target, accept, j, status]).toEqual([target, accept, j, i === j ? 304 : 200]);
        }
      }
    },
  );

  it.each(representations)(
    "G36 G40: changes nothing about 406 (RFC 9110 §13.2.1): $target as $accept",
    async ({ target }) => {
      const tag = header(await service.send("GET", target), "etag");
      const asked = { target, accept: "image/png" };
      const plain = await get(asked);
      for (const field of ["*", tag]) {
        const reply = await get(asked, { "if-none-match": field });
        expect([target, reply.status, reply.body.equals(plain.body)]).toEqual([target, 406, true]);
        expect(fieldsOf(reply)).toEqual(fieldsOf(plain));
      }
    },
  );
});

describe("If-Match", () => {
  it.each(machine)(
    "lists the tag, or is *: 200; anything else, the weak form too: 412, not stored (RFC 9110 §13.1.1): $target as $accept",
    async (asked) => {
      const plain = await get(asked);
      const tag = header(plain, "etag");
      for (const field of [tag, "*", `"x", ${tag}`, `W/"x",${tag},`, `W/${tag}, ${tag}`]) {
        const reply = await get(asked, { "if-match": field });
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 200]);
        expect(reply.body.equals(plain.body)).toBe(true);
      }
      for (const field of ['"x"', `W/${tag}`, tag.slice(1, -1), `${tag} junk`, "", '"a,b"', `"x", W/${tag}`]) {
        const [reply, head] = [
          await get(asked, { "if-match": field }),
          await get(asked, { "if-match": field }, "HEAD"),
        ];
        expect([asked.target, field, reply.status]).toEqual([asked.target, field, 412]);
        expectRefusal(reply, "precondition_failed");
        expect([head.status, head.body.length, fieldsOf(head)]).toEqual([412, 0, fieldsOf(reply)]);
      }
    },
  );

  it("comes before If-None-Match and after 406 and 404 (RFC 9110 §13.2)", async () => {
    const tag = header(await service.send("GET", "/answers.json"), "etag");
    for (const [target, accept, match, noneMatch, status] of [
      ["/answers", JSON_TYPE, tag, tag, 304],
      ["/answers", JSON_TYPE, "*", "*", 304],
      ["/answers", JSON_TYPE, tag, '"x"', 200],
      ["/answers", JSON_TYPE, '"x"', tag, 412],
      ["/answers", MARKDOWN_TYPE, tag, tag, 412],
      ["/answers", HTML_TYPE, tag, "*", 412],
      ["/answers", HTML_TYPE, "*", "*", 200],
      ["/answers", "image/png", '"x"', "*", 406],
      ["/none", "*/*", '"x"', "*", 404],
      ["/api/v1/concepts/NONE", "*/*", '"x"', "*", 404],
      ["/concepts/NONE", "*/*", '"x"', "*", 404],
    ] as const) {
      const reply = await get({ target, accept }, { "if-match": match, "if-none-match": noneMatch });
      expect([target, accept, match, reply.status]).toEqual([target, accept, match, status]);
    }
  });
});
