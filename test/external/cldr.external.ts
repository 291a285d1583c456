/**
 * Names and symbols of CLDR in many languages, as a CSV that somebody could have made of them,
 * brought in and resolved: what differs by case alone stays apart, and what several things are
 * called abstains. CLDR is Unicode's (Unicode-3.0); its npm packages are downloaded when this runs,
 * and skipped where they cannot be had.
 */
import { groupBy } from "../../runtime/text/group-by.ts";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, requestsFor } from "../support/ask.ts";
import { serve, type Served } from "../support/command.ts";
import { type Measured, must } from "../support/measured.ts";
import { install } from "../support/npx.ts";
import { type Answer, resolveMany } from "../support/resolve-many.ts";
import { ambiguousTexts, isFit, type Label, publish, type Thesaurus } from "../support/thesaurus.ts";

const PACKAGES = ["cldr-localenames-full@48.2.0", "cldr-units-full@48.2.0", "cldr-numbers-full@48.2.0"];
const LOCALES =
  "am ar bg cs da de de-AT el en en-GB es es-MX fa fi fr fr-CA he hi hu it ja ko nl pl pt pt-PT ru sr sr-Latn sv th tr uk vi zh zh-Hant";

const folder = mkdtempSync(path.join(tmpdir(), "cldr-"));
const isHere = await install(PACKAGES, folder);

type Json = { readonly [name: string]: Json | string | undefined };

interface Row extends Label {
  readonly domain: string;
  readonly type: "preferred" | "alternate" | "abbreviation" | "symbol";
}

/** The object behind the names, in a file of a package; empty where a locale has no such file. */
function dataOf(pack: string, locale: string, { file, under }: { file: string; under: readonly string[] }): Json {
  const name = path.join(folder, "node_modules", pack, "main", locale, file);
  if (!existsSync(name)) return {};
  let value: Json | string | undefined = JSON.parse(readFileSync(name, "utf8")) as Json;
  for (const key of ["main", locale, ...under]) value = typeof value === "object" ? value[key] : undefined;
  return typeof value === "object" ? value : {};
}

function* rowsOf(locale: string): Generator<Row> {
  const row = (concept: string, text: string, type: Row["type"]): Row => {
    const kind = type === "preferred" ? "preferred" : "alternate";
    return { concept, domain: concept.split(":")[1] ?? "", kind, tag: locale, text, type };
  };
  for (const [kind, one] of [
    ["territories", "territory"],
    ["languages", "language"],
  ] as const) {
    // prettier-ignore
    const names = dataOf("cldr-localenames-full", locale, { file: `${kind}.json`, under: ["localeDisplayNames", kind] });
    for (const [code, name] of Object.entries(names)) {
      const [plain = "", variant] = code.split(/-alt-|-menu-/);
      if (typeof name !== "string" || code.includes("-menu-")) continue;
      const type = variant === undefined ? "preferred" : variant === "short" ? "abbreviation" : "alternate";
      yield row(`cldr:${one}:${plain}`, name, type);
    }
  }
  for (const [width, type] of [
    ["long", "preferred"],
    ["short", "abbreviation"],
    ["narrow", "symbol"],
  ] as const) {
    // prettier-ignore
    const units = dataOf("cldr-units-full", locale, { file: "units.json", under: ["units", width] });
    for (const [unit, names] of Object.entries(units)) {
      const name = typeof names === "object" ? names["displayName"] : undefined;
      if (typeof name === "string" && unit.includes("-")) yield row(`cldr:unit:${unit}`, name, type);
    }
  }
  const currencies = dataOf("cldr-numbers-full", locale, { file: "currencies.json", under: ["numbers", "currencies"] });
  for (const [code, names] of Object.entries(currencies)) {
    if (typeof names !== "object") continue;
    for (const [name, type] of [
      ["displayName", "preferred"],
      ["symbol", "symbol"],
      ["symbol-alt-narrow", "symbol"],
    ] as const) {
      // prettier-ignore
      const text = names[name];
      if (typeof text === "string") yield row(`cldr:currency:${code}`, text, type);
    }
  }
}

/** Each text once per concept and tag, preferred first; preferred names of other locales stay. */
function allRows(): Row[] {
  const rows = new Map<string, Row>();
  for (const locale of LOCALES.split(" ")) {
    for (const row of rowsOf(locale)) {
      const key = JSON.stringify([row.concept, row.tag, row.text.normalize("NFC")]);
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  return [...rows.values()];
}

function csvOf(rows: readonly Row[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map(({ concept, domain, tag, text, type }) => {
    // registry/README.md: a leading apostrophe keeps spreadsheets from running a cell, and is no
    // part of the text.
    const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return [concept, domain, `What CLDR calls ${concept}.`, tag, safe, type].map(cell).join(",");
  });
  return ["sourceId,domain,definition,language,expression,type", ...lines, ""].join("\r\n");
}

afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!isHere)("names of CLDR, brought in as CSV", () => {
  let thesaurus: Thesaurus;
  let codes: ReadonlyMap<string, string>;
  let imported: Measured;
  let served: Served;
  beforeAll(async () => {
    const rows = allRows();
    const file = path.join(folder, "cldr.csv");
    writeFileSync(file, csvOf(rows));
    thesaurus = {
      concepts: new Set(rows.map(({ concept }) => concept)),
      deprecated: new Set(),
      replacedBy: new Map(),
      labels: rows,
    };
    const into = path.join(folder, "registry");
    const vouched = ["--review-as", "reviewed", "--license", "Unicode-3.0", "--source", "CLDR 48.2"];
    imported = await must(["import", "--format", "csv", "--from", file, "--into", into, ...vouched]);
    const map = readFileSync(path.join(into, "code-map.ndjson"), "utf8").trim().split("\n");
    codes = new Map(
      map.map((line) => {
        const { sourceId, code } = JSON.parse(line) as { readonly sourceId: string; readonly code: string };
        return [sourceId, code];
      }),
    );
    const dist = path.join(folder, "dist");
    await must(["build", "--registry", into, "--out", dist]);
    served = await serve("lib/runtime/main.js", ["--out", dist], {});
  }, 600_000);
  afterAll(async () => {
    served.child.kill("SIGTERM");
    await served.exit;
  });

  async function answerOf(expression: string, language?: string): Promise<Answer | undefined> {
    const [answer] = await resolveMany(served.port, [
      language === undefined ? { expression } : { expression, language },
    ]);
    return answer;
  }

  it("has every concept and name, and says how many", () => {
    const published = publish(thesaurus);
    expect(imported.stdout).toContain(`concepts: ${thesaurus.concepts.size} new`);
    const unsure = thesaurus.labels.filter((label) => isFit(label) === undefined).length;
    const [, reviewed] = /: ([0-9]+) reviewed, /.exec(imported.stdout) ?? [];
    expect(Number(reviewed)).toBeGreaterThanOrEqual(published.fit);
    expect(Number(reviewed)).toBeLessThanOrEqual(published.fit + unsure);
    const { within, across } = ambiguousTexts(thesaurus);
    expect(imported.stdout).toMatch(new RegExp(`ambiguous-within-language +kept +${within}\\b`));
    expect(imported.stdout).toMatch(new RegExp(`ambiguous-across-languages +kept +${across}\\b`));
  });

  it("answers every name, with its language and without, over a socket", async () => {
    const published = publish(thesaurus);
    const requests = requestsFor(thesaurus.labels, LOCALES.split(" "));
    const { differences, ...numbers } = await ask(served.port, { published, codes }, requests);
    console.log(
      `CLDR: ${thesaurus.concepts.size} concepts, ${thesaurus.labels.length} names; import ${imported.seconds.toFixed(1)} s, ` +
        `${imported.megabytes ?? "?"} MB; ${numbers.requests} requests in ${numbers.seconds.toFixed(1)} s: ` +
        `${numbers.resolved} resolve, ${numbers.ambiguous} ambiguous, ${numbers.unsure} not judged`,
    );
    expect(differences).toEqual([]);
    expect(numbers.unsure).toBeLessThan(numbers.requests / 50);
  });

  it("keeps apart what differs by case alone", async () => {
    const [mega, milli] = [codes.get("cldr:unit:power-megawatt"), codes.get("cldr:unit:power-milliwatt")];
    expect(mega).not.toBe(milli);
    for (const language of ["en", "de", "fr", "es", "pl", "sv", "de-AT"]) {
      expect([language, (await answerOf("MW", language))?.code]).toEqual([language, mega]);
      expect([language, (await answerOf("mW", language))?.code]).toEqual([language, milli]);
      expect([language, (await answerOf("mw", language))?.reason]).toEqual([language, "no_reviewed_exact_match"]);
    }
    expect((await answerOf("Megawatt", "de"))?.code).toBe(mega);
    expect((await answerOf("Milliwatt", "de"))?.code).toBe(milli);
    // All such pairs that CLDR has, in whatever language.
    const byFold = groupBy(thesaurus.labels, ({ tag, text }) => `${tag} ${text.normalize("NFC").toLowerCase()}`);
    const pairs = [...byFold.values()].filter((labels) => new Set(labels.map(({ concept }) => concept)).size > 1);
    const apart = pairs.filter((labels) => new Set(labels.map(({ text }) => text)).size > 1);
    expect(apart.length).toBeGreaterThan(20);
    const { differences } = await ask(
      served.port,
      { published: publish(thesaurus), codes },
      requestsFor(apart.flat(), ["en"]),
    );
    expect(differences).toEqual([]);
  });

  it("abstains for what several things are called, and names them", async () => {
    const dollars = thesaurus.labels.filter(({ tag, text }) => tag === "en" && text === "$");
    const meant = [...new Set(dollars.map(({ concept }) => codes.get(concept) ?? ""))].sort();
    expect(meant.length).toBeGreaterThan(10);
    const answer = await answerOf("$", "en");
    expect([answer?.code, answer?.reason, answer?.candidates]).toEqual([
      undefined,
      "ambiguous_expression",
      meant.slice(0, 10),
    ]);
    for (const [text, language, ...concepts] of CLASHES) {
      const clash = await answerOf(text, language);
      const candidates = concepts.map((concept) => codes.get(`cldr:${concept}`) ?? concept).sort();
      expect([text, language, clash?.code, clash?.candidates]).toEqual([text, language, undefined, candidates]);
    }
  });
});

/** A text, its language, and what it stands for in it. */
const CLASHES: readonly (readonly [text: string, language: string, ...concepts: string[]])[] = [
  ["Karat", "de", "unit:concentr-karat", "unit:mass-carat"],
  ["Fidschi", "de", "territory:FJ", "language:fj"],
  ["Tuvalu", "en", "territory:TV", "language:tvl"],
  ["kn", "en", "unit:speed-knot", "currency:HRK"],
  ["分", "ja", "unit:angle-arc-minute", "unit:duration-minute", "unit:mass-fun"],
  ["カタール", "ja", "territory:QA", "unit:concentr-katal"],
];
