import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { checkLanguageTag, repairLanguageTag } from "../../../../generator/registry/check-language.ts";
import { checkTag } from "../../../../generator/tools/vocabulary/import/text.ts";

const registry = createRequire(import.meta.url)("language-subtag-registry/data/json/registry.json") as readonly {
  readonly Type: string;
  readonly Subtag?: string;
  readonly Tag?: string;
  readonly "Preferred-Value"?: string;
}[];

/** Every tag and subtag that IANA lists with a better one, as whole tags. */
const replaced = registry.flatMap((entry): [string, string][] => {
  const { Type: type, Subtag: subtag = "", Tag: tag, "Preferred-Value": better } = entry;
  if (better === undefined || type === "extlang") return [];
  if (tag !== undefined) return [[tag, better]];
  if (type === "language") return [[subtag, better]];
  return [[`ja-${type === "variant" ? "Latn-" : ""}${subtag}`, `ja-${type === "variant" ? "Latn-" : ""}${better}`]];
});

describe("a language tag", () => {
  it("is replaced by its Preferred-Value, as every one that IANA lists (RFC 5646 §4.5)", () => {
    expect(replaced.length).toBeGreaterThan(150);
    for (const [tag, better] of replaced)
      for (const written of [tag, tag.toUpperCase(), tag.replaceAll("-", "_")])
        expect([written, repairLanguageTag(written)]).toEqual([written, better]);
    for (const [tag, better] of replaced)
      expect(checkLanguageTag(tag)).toMatchObject([{ rule: "language-not-canonical", remedy: `Write "${better}"` }]);
  });

  it.each(["i-default", "i-mingo", "cel-gaulish", "i-enochian", "zh-min"])(
    "stays where it is grandfathered and nothing replaces it: %s",
    (tag) => {
      expect(repairLanguageTag(tag)).toBe(tag);
      expect(checkLanguageTag(tag)).toMatchObject([{ rule: "language-not-registered" }]);
    },
  );

  it.each(["zh-min-nan-TW", "fr-yue", "zh-min-TW", "sgn-ase-yue"])(
    "has no extended language of another one, and is not made one (RFC 5646 §2.2.2): %s",
    (tag) => {
      expect(repairLanguageTag(tag)).toBe(tag);
      expect(checkLanguageTag(tag)).toMatchObject([{ rule: "language-not-valid" }]);
    },
  );

  it("is refused where its language has a shorter code, which alone is registered (RFC 5646 §2.2.1)", () => {
    expect(checkLanguageTag("deu-AT")[0]?.remedy).toContain("a language with a code of two letters has only that one");
  });

  it("is read by an import in any case; one that a file splits is returned as it is, and can be repaired", () => {
    expect(checkTag("PT-br", new Set())).toEqual({
      value: { language: "pt", locale: "pt-BR" },
      repaired: [],
      faults: [],
    });
    const parted = { language: "pt", locale: "pt-br" };
    expect(checkTag("", new Set(), parted)).toMatchObject({
      value: parted,
      faults: [{ rule: "language-not-canonical", repairedBy: "tags" }],
    });
    expect(checkTag("", new Set(["tags"]), parted)).toMatchObject({
      value: { language: "pt", locale: "pt-BR" },
      repaired: [{ rule: "language-not-canonical" }],
      faults: [],
    });
  });
});
