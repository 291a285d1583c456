import { parse } from "bcp-47";
import { lookup } from "bcp-47-match";
import { describe, expect, it } from "vitest";
import {
  formatLanguageTag,
  isWellFormedLanguageTag,
  lookupLevels,
  parseLanguageTag,
} from "../../../../runtime/text/language.ts";

/** Tags by the grammar: every combination of some parts, and damaged forms of them. */
function* tags(): Generator<string> {
  const parts = [
    ["en", "DE", "zh", "ast", "abcd", "abcde", "qaa"],
    ["", "-yue", "-cmn-abc"],
    ["", "-Hant", "-latn"],
    ["", "-TW", "-us", "-419"],
    ["", "-1996", "-rozaj-biske", "-1a2b"],
    ["", "-u-co-phonebk", "-a-bcd-b-cde"],
    ["", "-x-private", "-X-a-b-12345678"],
  ];
  let made = [""];
  for (const choices of parts) made = made.flatMap((head) => choices.map((tail) => head + tail));
  yield* made;
  for (const tag of made.slice(0, 400)) {
    yield tag.replace("-", "_");
    yield `${tag}-`;
    yield `-${tag}`;
    yield `${tag}-a`;
    yield tag.replace("-", "--");
    yield `${tag}-abcdefghi`;
    yield `${tag}ü`;
  }
}

describe("language tags", () => {
  it("O-06: are judged as an independent parser judges them, over the whole grammar", () => {
    let count = 0;
    for (const tag of tags()) {
      const ours = parseLanguageTag(tag);
      const theirs = parse(tag);
      const wellFormed = theirs.language !== null && theirs.language !== undefined;
      count++;
      expect([tag, ours !== undefined]).toEqual([tag, wellFormed]);
      if (ours === undefined) continue;
      expect([tag, ours.language, ours.extlang, ours.script ?? null, ours.region ?? null, ours.variants]).toEqual([
        tag,
        theirs.language,
        theirs.extendedLanguageSubtags,
        theirs.script ?? null,
        theirs.region ?? null,
        theirs.variants,
      ]);
      expect(ours.extensions).toEqual(
        theirs.extensions.map(({ singleton, extensions }) => [singleton, ...extensions].join("-")),
      );
    }
    expect(count).toBeGreaterThan(4000);
  });

  it("O-06: include private use and the 26 grandfathered ones, and nothing that looks like them", () => {
    const grandfathered =
      "en-GB-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu sgn-BE-FR sgn-BE-NL sgn-CH-DE art-lojban cel-gaulish no-bok no-nyn zh-guoyu zh-hakka zh-min zh-min-nan zh-xiang".split(
        " ",
      );
    expect(grandfathered.length).toBe(26);
    for (const tag of grandfathered) expect(isWellFormedLanguageTag(tag.toUpperCase()), tag).toBe(true);
    for (const tag of ["x-a", "X-whatever-1"]) expect(isWellFormedLanguageTag(tag)).toBe(true);
    for (const tag of [
      "i-english",
      "x",
      "x-",
      "i-",
      "",
      "a",
      "en-GB-oedx",
      "en\n",
      "en\u0000",
      "*",
      "de-*",
      "i-\u212Alingon",
      "i-ha\u212A",
    ]) {
      expect(isWellFormedLanguageTag(tag), JSON.stringify(tag)).toBe(false);
    }
  });

  it("O-20: are written in the conventional case of RFC 5646 §2.1.1", () => {
    for (const tag of [
      "zh-Hant-TW",
      "sr-Latn-RS",
      "en-CA-x-ca",
      "sgn-BE-FR",
      "az-Latn-x-latn",
      "sl-rozaj-biske",
      "de-CH-1901",
      "en-US-u-co-phonebk",
      "x-ab-abcd",
    ]) {
      expect(formatLanguageTag(tag.toUpperCase())).toBe(tag);
      expect(formatLanguageTag(tag.toLowerCase())).toBe(tag);
    }
  });
});

describe("lookup", () => {
  it("O-05: finds what an independent RFC 4647 §3.4 lookup finds", () => {
    // The other implementation takes the first tag that matches any level: the longest comes first.
    const available = [
      "de",
      "de-AT",
      "de-Latn-AT",
      "zh-Hant",
      "zh-Hant-TW",
      "zh",
      "en-a-bcd",
      "en-x-y",
      "sl-rozaj",
      "pt-BR",
    ];
    available.sort((a, b) => b.length - a.length);
    let found = 0;
    for (const tag of tags()) {
      if (!isWellFormedLanguageTag(tag)) continue;
      const ours = lookupLevels(tag).find((level) => available.some((one) => one.toLowerCase() === level));
      const theirs = lookup(available, tag);
      expect([tag, ours]).toEqual([tag, theirs?.toLowerCase()]);
      if (theirs !== undefined) found++;
    }
    for (const tag of [
      "de-AT-x-a",
      "de-Latn-AT-1996",
      "zh-Hant-HK",
      "en-a-bcd-b-cde",
      "en-x-y-z",
      "sl-rozaj-biske-1994",
      "pt-PT",
    ]) {
      expect(lookupLevels(tag).find((level) => available.some((one) => one.toLowerCase() === level))).toBe(
        lookup(available, tag)?.toLowerCase(),
      );
    }
    expect(found).toBeGreaterThan(100);
  });

  it("O-05: drops a single-character subtag with its owner", () => {
    expect(lookupLevels("zh-Hant-CN-x-private1-private2")).toEqual([
      "zh-hant-cn-x-private1-private2",
      "zh-hant-cn-x-private1",
      "zh-hant-cn",
      "zh-hant",
      "zh",
    ]);
  });
});
