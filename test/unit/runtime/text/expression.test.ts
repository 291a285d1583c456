import { describe, expect, it } from "vitest";
import { countCodePoints, keyOf } from "../../../../runtime/text/expression.ts";

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
