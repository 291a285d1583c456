import { describe, expect, it } from "vitest";
import { isConceptCode } from "../../../../runtime/contract/code.ts";
import { isNotModified } from "../../../../runtime/http/conditional.ts";
import { sha256 } from "../../../../runtime/http/digest.ts";
import { hexToBase64, toHex } from "../../../../runtime/text/bytes.ts";
import { isFormContentType, isJsonContentType } from "../../../../runtime/http/media-type.ts";
import { parseOrigin } from "../../../../runtime/http/origin.ts";
import { parseManifest } from "../../../../runtime/release/manifest.ts";

/**
 * Milliseconds of the processor, so that other work on the machine does not count. Quadratic work
 * takes minutes of them.
 */
function milliseconds(work: () => void): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1000;
}

describe("a ConceptCode", () => {
  it("O-02: is ASCII, upper case, at most 64 characters, and needs no percent-encoding", () => {
    for (const code of ["A", "A1", "C-7K3Q9F", "A.B_C-D", `A${"1".repeat(63)}`]) {
      expect([code, isConceptCode(code), encodeURIComponent(code)]).toEqual([code, true, code]);
    }
    for (const code of [
      "",
      "a",
      "1A",
      "-A",
      "A-",
      "A--B",
      "A b",
      "A/B",
      "Ä",
      "A\n",
      "A%",
      `A${"1".repeat(64)}`,
      "A-b",
    ]) {
      expect([code, isConceptCode(code)]).toEqual([code, false]);
    }
  });
});

describe("If-None-Match", () => {
  const tag = '"abc"';
  // T stands for the tag.
  const cells = (line: string): string[] => line.split(" | ").map((field) => field.replaceAll("T", tag));

  it("matches by weak comparison, in lists, with commas inside quotes and empty elements, and by *", () => {
    const matching =
      `T | W/T |  T  | "x", T | T, "x" | T, | "x",W/T,"y" | , ,T,, | "a,b", T | "a,b" ,T | ",", T | * |  *  | "", T | ` +
      `W/"x",\tT | "\u00e9", T | ${'"x",'.repeat(2000)}T | "${"a,".repeat(4000)}", T | T${" ,".repeat(4000)}`;
    for (const field of cells(matching)) expect([field, isNotModified(field, tag)]).toEqual([field, true]);
    expect(isNotModified('"a,b"', '"a,b"')).toBe(true);
  });

  it("ignores what does not match or is malformed", () => {
    const ignored =
      `T x | x T | "x" T | w/T | W/ T | W T | T;q=1 | "T | T" | *, T | T, * | ** | *, * | "*" | "x" | "x", "y" | , | W/ | ` +
      `" | "" | 'T' | "x, T | T, junk | T, "unclosed | {T} | junk | abc | "abd" | "abc | abc" | "AB C" | ${'"" '.repeat(2000)}T`;
    for (const field of [undefined, "", ...cells(ignored)])
      expect([field, isNotModified(field, tag)]).toEqual([field, false]);
  });

  it("takes time in proportion to the field, not more", () => {
    const fields = [",", " ", '"a" ', '"a", ', '", "'].flatMap((unit) => [
      unit.repeat(100_000),
      `"a",${unit.repeat(100_000)}x`,
    ]);
    expect(milliseconds(() => fields.forEach((field) => isNotModified(field, tag)))).toBeLessThan(5_000);
  });
});

describe("Content-Type of a request", () => {
  it("O-29: is JSON in any case, with no charset or UTF-8", () => {
    for (const field of [
      "application/json",
      "APPLICATION/json",
      "application/json;",
      "application/json ; charset=UTF-8",
      'application/json;charset="utf-8"',
      String.raw`application/json;charset="ut\f\-8"`,
      "application/json; profile=x; charset=utf-8",
    ]) {
      expect([field, isJsonContentType(field)]).toEqual([field, true]);
    }
    for (const field of [
      undefined,
      "",
      "json",
      "application/json; charset=utf-16",
      "application/json; charset=",
      'application/json; charset="latin1"',
      String.raw`application/json; charset="utf\\-8"`,
      "application/json5",
      "text/json",
      "application/json, application/json",
      "application/json charset=utf-8",
      "application/json; charset=utf-8; charset=latin1",
    ]) {
      expect([field, isJsonContentType(field)]).toEqual([field, false]);
    }
  });
});

it("judges the Content-Type of a form as that of JSON", () => {
  const form = "application/x-www-form-urlencoded";
  for (const field of [form, ` ${form.toUpperCase()} ;charset="UTF-8"`]) expect(isFormContentType(field)).toBe(true);
  for (const field of [undefined, "application/json", `${form}; charset=latin1`, `${form}, ${form}`, `${form}\u00a0`])
    expect(isFormContentType(field)).toBe(false);
});

describe("a hostile Content-Type", () => {
  it("takes time in proportion to the field, not more", () => {
    const units = ["; ", ";", ";a=b", ' ; a="\\""', ";\t", "; ;"];
    const fields = units.flatMap((unit) => [
      `application/json${unit.repeat(100_000)}`,
      `application/json${unit.repeat(100_000)}x`,
    ]);
    expect(milliseconds(() => fields.forEach((field) => isJsonContentType(field)))).toBeLessThan(5_000);
  });
});

describe("digests", () => {
  it("are spelled as RFC 9530 Appendix B spells its first example", () => {
    expect(hexToBase64(sha256(Buffer.from('{"hello": "world"}\n')))).toBe(
      "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
    );
    for (let length = 0; length < 40; length++) {
      const bytes = Buffer.from(sha256(Buffer.from([length])) + "00ff".repeat(5), "hex").subarray(0, length);
      expect([toHex(bytes), hexToBase64(toHex(bytes))]).toEqual([bytes.toString("hex"), bytes.toString("base64")]);
    }
  });
});

describe("an origin", () => {
  it("is absolute http(s), with nothing after the port", () => {
    for (const [text, origin] of [
      ["https://example.org", "https://example.org"],
      ["https://example.org/", "https://example.org"],
      ["HTTP://Example.ORG:80", "http://example.org"],
      ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
      ["http://[::1]:3000", "http://[::1]:3000"],
    ] as const)
      expect(parseOrigin(text)).toBe(origin);
    for (const text of [
      "",
      "example.org",
      "//example.org",
      "ftp://example.org",
      "https://",
      "https://a/b",
      "https://a?",
      "https://a#",
      "https://u@a",
      "https://u:p@a",
      "https://a b",
      " https://a",
      "https://a:99999",
      "https://a\\b",
      "javascript:alert(1)",
      "null",
    ]) {
      expect([text, parseOrigin(text)]).toEqual([text, undefined]);
    }
  });
});

describe("a manifest", () => {
  it("cannot name a file outside its folder", () => {
    const manifest = (path: string): unknown => ({
      schema: "service-semantics.manifest.v1", productVersion: "v22", packageVersion: "v22-wip", classification: "wip", origin: "https://a",
      registry: { name: "a", registryVersion: "2026.11.1", contentSha256: "0".repeat(64) }, inputsSha256: "0".repeat(64),
      files: [{ path, bytes: 1, sha256: "0".repeat(64) }],
    }); // prettier-ignore
    for (const path of ["a", "a/b.json", ".well-known/x", "a/..b"])
      expect([path, parseManifest(manifest(path)).ok]).toEqual([path, true]);
    for (const path of ["", "/a", "../a", "a/../b", "a/..", ".", "a/./b", "a//b", "a\\b", "a\0b", ".."]) {
      expect([path, parseManifest(manifest(path)).ok]).toEqual([path, false]);
    }
  });
});
