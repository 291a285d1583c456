/**
 * The gate between docs/contract.md and everything that cites it: each statement is cited by the
 * title of a test, each ruling and tension is cited somewhere, and whatever is cited, an id or a
 * section, is defined there once.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const CONTRACT = "docs/contract.md";
const contract = readFileSync(path.join(root, CONTRACT), "utf8");

const ROW = /^\| <a id="(?<anchor>[^"]+)"><\/a>(?<id>\S+) \| .+ \|$/gm;
const ID = /\b(?:[A-GMV]\d\d|[OT]-\d\d)\b/g;
const RANGE = /\b(?<letter>[A-GMV]|[OT]-)(?<from>\d\d) to \k<letter>(?<to>\d\d)\b/g;
const TITLE = /(?:\b(?:it|describe)|\))\(\s*(["`])(?<title>(?:(?!\1).)*)\1/gs;
const SECTIONS =
  /\bcontract §(?<list>[\d.]+\d|\d)(?: rules? (?<first>\d)(?: to (?<last>\d))?)?(?<more>(?:, §[\d.]*\d)*)/gi;

const FOLDERS = ["runtime", "generator", "test", "bench", "content", "registry", "decisions", "docs"];
/** Everything that may cite the contract, by path. A whole string such as "V22" is test data. */
const texts = new Map(
  FOLDERS.flatMap((folder) => filesBelow(folder))
    .concat("README.md", "CONTRIBUTING.md")
    .filter((file) => /\.(?:ts|mts|js|mjs|py|sh|awk|ps1|md|njk)$/.test(file))
    .filter((file) => file !== CONTRACT && !file.startsWith("test/golden/"))
    .map((file) => [file, readFileSync(path.join(root, file), "utf8").replaceAll(/"[A-Z]\d\d"/g, "")]),
);

function filesBelow(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return names.map((name) => `${folder}/${name}`);
}

/** The ids that a text names, those inside `O-03 to O-05` included. */
function idsIn(text: string): string[] {
  const between = [...text.matchAll(RANGE)].flatMap(({ groups: { letter, from, to } = {} }) =>
    Array.from(
      { length: Number(to) - Number(from) },
      (_, n) => `${letter}${String(Number(from) + n).padStart(2, "0")}`,
    ),
  );
  return [...(text.match(ID) ?? []), ...between];
}

/** The sections that a text names, such as `4.5` and, for `contract §4.5 rule 5`, `4.5 rule 5`. */
function sectionsIn(text: string): string[] {
  return [...text.matchAll(SECTIONS)].flatMap(({ groups = {} }) => {
    const { list = "", first, last, more = "" } = groups;
    const rules = [first, last].filter((rule) => rule !== undefined).map((rule) => `${list} rule ${rule}`);
    return [list, ...rules, ...[...more.matchAll(/§([\d.]*\d)/g)].map(([, other = ""]) => other)];
  });
}

/** The sections of the contract and their numbered rules. */
function definedSections(): Set<string> {
  const found = new Set<string>();
  let section = "";
  for (const line of contract.split("\n")) {
    const [, heading] = /^##+ (\d(?:\.\d)?)\b/.exec(line) ?? [];
    if (heading !== undefined) found.add((section = heading));
    const [, rule] = /^(\d)\. /.exec(line) ?? [];
    if (rule !== undefined) found.add(`${section} rule ${rule}`);
  }
  return found;
}

const rows = [...contract.matchAll(ROW)].map(({ groups }) => groups ?? {});
const defined = rows.map(({ id = "" }) => id);
const isStatement = (id: string): boolean => !id.includes("-");

/** `file: what` for each citation that is not defined. */
function unknown(citationsIn: (text: string) => string[], known: ReadonlySet<string>): string[] {
  return [...texts].flatMap(([file, text]) =>
    [...new Set(citationsIn(text))].filter((what) => !known.has(what)).map((what) => `${file}: ${what}`),
  );
}

describe("the contract", () => {
  it("defines every id in one row, under its own anchor", () => {
    expect(defined.length).toBeGreaterThan(300);
    expect(defined.filter((id, at) => defined.indexOf(id) !== at)).toEqual([]);
    expect(rows.filter(({ anchor, id }) => anchor !== id)).toEqual([]);
    expect(contract.match(/^\| .*<a id=/gm)).toHaveLength(rows.length);
  });

  it("refers within itself only to ids that it defines", () => {
    expect(idsIn(contract).filter((id) => !defined.includes(id))).toEqual([]);
  });

  it("has each statement cited by the title of a test", () => {
    const titles = [...texts]
      .filter(([file]) => /^test\/.*\.(?:test|external|browser|conformance)\.ts$/.test(file))
      .flatMap(([, text]) => [...text.matchAll(TITLE)].map(({ groups }) => groups?.["title"] ?? ""));
    const cited = new Set(titles.flatMap((title) => title.match(ID) ?? []));
    expect(defined.filter((id) => isStatement(id) && !cited.has(id))).toEqual([]);
  });

  it("has each ruling and each tension cited somewhere", () => {
    const cited = new Set([...texts.values()].flatMap(idsIn));
    expect(defined.filter((id) => !isStatement(id) && !cited.has(id))).toEqual([]);
  });
});

describe("what cites the contract", () => {
  it("names only ids that are defined", () => {
    expect(unknown(idsIn, new Set(defined))).toEqual([]);
  });

  it("names only sections and rules that there are", () => {
    expect(unknown(sectionsIn, definedSections())).toEqual([]);
  });
});
