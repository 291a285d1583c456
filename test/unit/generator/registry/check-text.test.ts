import { describe, expect, it } from "vitest";
import { checkExpressionText, checkPlainText } from "../../../../generator/registry/check-text.ts";

/** Every code point but halves of pairs, the private planes and the two that are all but empty. */
function* characters(): Generator<string, void> {
  for (let code = 0; code < 0xf_0000; code++) {
    if (code === 0xd800) code = 0xe000;
    if (code === 0x4_0000) code = 0xe_0000;
    yield String.fromCodePoint(code);
  }
}

/** The number signs of Arabic, Syriac and Kaithi are visible, though their category is format. */
const NUMBER_SIGN = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
const FAULTY =
  /(?! )[\p{Cc}\p{Cf}\p{Cn}\p{Z}\u2800\uFFFC\uFFFD\u{1D159}\u{13441}\u{13442}\u{16FE4}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u;

describe("an expression's text", () => {
  it("is refused with any invisible character, and with no other", () => {
    const wrong: string[] = [];
    for (const character of characters()) {
      const text = `a${character}b`;
      const isFaulty = (FAULTY.test(character) && !NUMBER_SIGN.test(character)) || text.normalize("NFC") !== text;
      if (checkExpressionText(text).length > 0 !== isFaulty) wrong.push(character.codePointAt(0)?.toString(16) ?? "");
    }
    expect(wrong).toEqual([]);
  });

  it("is refused with a space at an end or two in a row, of every kind", () => {
    const wrong: string[] = [];
    for (const character of characters()) {
      if (!/[\p{Zs}\u2800]/u.test(character)) continue;
      for (const text of [
        `${character}a`,
        `a${character}`,
        `a${character}${character}b`,
        `a ${character}b`,
        character,
      ]) {
        if (checkExpressionText(text).length === 0) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
    expect(checkExpressionText("a b c")).toEqual([]);
    expect(checkExpressionText("x".repeat(1000))).toEqual([]);
    expect(checkExpressionText("x".repeat(1001))).toHaveLength(1);
    expect(checkExpressionText("😀".repeat(1000))).toEqual([]);
    expect(checkExpressionText("e\u0301 o")).toMatchObject([{ rule: "expression-not-nfc" }]);
  });
});

describe("any published text", () => {
  it("is refused with a control, a line break, a direction control, a noncharacter or what is not composed, and with no other", () => {
    const wrong: string[] = [];
    for (const character of characters()) {
      const text = `a${character}b`;
      const isFaulty =
        /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u.test(character) ||
        text.normalize("NFC") !== text;
      if (checkPlainText(text, "name").length > 0 !== isFaulty)
        wrong.push(character.codePointAt(0)?.toString(16) ?? "");
    }
    expect(wrong).toEqual([]);
  });
});
