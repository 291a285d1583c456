import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countCodePoints, keyOf } from "../../../../runtime/text/expression.ts";

const UNICODE_DATA = "/usr/share/unicode/NormalizationTest.txt.bz2";

/** A field of NormalizationTest.txt: code points in hex. */
function decode(field: string): string {
  return String.fromCodePoint(...field.split(" ").map((code) => Number.parseInt(code, 16)));
}

describe("the comparison key", () => {
  it("O-03: is one for canonically equivalent texts, for every character that has a decomposition", () => {
    let decomposed = 0;
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const nfd = character.normalize("NFD");
      if (keyOf(nfd) !== keyOf(character)) expect.unreachable(`U+${code.toString(16)}`);
      if (nfd !== character) decomposed++;
    }
    expect(decomposed).toBeGreaterThan(13_000);
  });

  it.skipIf(!existsSync(UNICODE_DATA))(
    "O-03: agrees with Unicode's NormalizationTest.txt (Debian: unicode-data)",
    () => {
      const lines = execFileSync("bzcat", [UNICODE_DATA], { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
      const rows = lines
        .filter((line) => /^[0-9A-F]/.test(line))
        .map((line) => line.split(";").slice(0, 5).map(decode));
      expect(rows.length).toBeGreaterThan(18_000);
      for (const [source = "", nfc = "", nfd = "", nfkc = "", nfkd = ""] of rows) {
        expect([keyOf(source), keyOf(nfc), keyOf(nfd)]).toEqual([nfc, nfc, nfc]);
        expect([keyOf(nfkc), keyOf(nfkd)]).toEqual([nfkc, nfkc]);
      }
    },
  );

  it("O-03: keeps compatibility forms, case and spaces apart", () => {
    for (const [a, b] of [
      ["ﬁ", "fi"],
      ["²", "2"],
      ["Ａ", "A"],
      ["ſ", "s"],
      ["a", "A"],
      ["ß", "ss"],
      ["a b", "a  b"],
      ["é", "e"],
      ["Ⅳ", "IV"],
    ] as const) {
      expect(keyOf(a)).not.toBe(keyOf(b));
    }
  });
});

describe("length", () => {
  it("B14: counts code points, as the language's own iterator does", () => {
    for (const text of [
      "",
      "a",
      "é",
      "e\u0301",
      "😀",
      "a😀b",
      "👩‍💻",
      "\ud83d",
      "\ude00\ud83d",
      "\ud83d\ud83d\ude00",
      "語".repeat(7),
    ]) {
      expect(countCodePoints(text)).toBe(Array.from(text).length);
    }
  });
});
