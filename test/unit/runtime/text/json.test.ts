import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../runtime/text/json.ts";

const read = (text: string): unknown => parseJson(Buffer.from(text));

describe("strict JSON", () => {
  it("reads what JSON.parse reads", () => {
    for (const text of [
      '{"a":[1,{"a":2},{"a":3}],"b":{"a":"}{,:\\""}}',
      "[]",
      '"x"',
      "null",
      '{"":0}',
      '{"\\"a":1,"a":2}',
      ' {"a" : {"b":1} , "b":1}',
      '["a","a"]',
      '{"a":"\\ud83d\\ude00"}',
      String.raw`{"a\\\\":"\\\"","a":"\\\\","\"":"\\\\\"a\":","a\\\"":1}`,
    ]) {
      expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    }
  });

  it("O-27: refuses a duplicate name at any depth, also when it is escaped", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":2,"\\u0061":3}',
      '[{"x":{"y":1,"y":2}}]',
      '{"a":{"a":1},"a":2}',
      '{"a":[{}],"a":2}',
      '{"\\u0000":1,"\\u0000":2}',
      String.raw`{"a":"\\\\","a":1}`,
      String.raw`{"\\\"":"\\\"","\\\"":1}`,
    ]) {
      expect([text, read(text)]).toEqual([text, { ok: false, refusal: "duplicate_name" }]);
    }
  });

  it("O-29: refuses a byte order mark and bytes that are no UTF-8", () => {
    for (const bytes of [
      [0xef, 0xbb, 0xbf, 0x31],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
      [],
    ]) {
      expect(parseJson(Uint8Array.from(bytes))).toEqual({ ok: false, refusal: "not_json" });
    }
  });

  it("survives deep nesting without a crash", () => {
    const deep = "[".repeat(8000) + "]".repeat(8000);
    expect(parseJson(Buffer.from(deep)).ok).toBe(true);
    expect(parseJson(Buffer.from("[".repeat(16_000)))).toEqual({ ok: false, refusal: "not_json" });
  });
});
