/**
 * Scripted edits of every kind over the starter, and what diff says of each. What it says of
 * resolutions is held against an oracle: every expression of both releases, in every language of
 * either and in regional ones, by the resolver itself.
 */
import path from "node:path";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { DocumentChange } from "../../../generator/tools/compare/comparison.ts";
import type { Answer } from "../../../generator/contract/changes.ts";
import { formatMarkdown } from "../../../generator/tools/compare/markdown.ts";
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import { formatLanguageTag, lookupLevels } from "../../../runtime/text/language.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { openRegistryFiles } from "../../../runtime/release/registry-files.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import {
  buildStarter,
  type Compared,
  compare,
  compared,
  inJson,
  inWords,
  tampered,
  type Workplace,
} from "../../support/diff.ts";

const CALLBACK = "C-4D62GS";
const ADDRESS = "C-3NXVYZ";
const WARRANTY = "C-2R799X";
const NEW = "C-NEW1AA";

const entry = (language: string, text: string, more = ""): string =>
  `  - { language: ${language}, ${more}expression: "${text}", type: alternate, equivalenceStrength: 1, reviewStatus: reviewed }\n`;
const add = (line: string) => (yaml: string) => yaml.replace("expressions:\n", `expressions:\n${line}`);
const remove = (text: string) => (yaml: string) => yaml.replace(new RegExp(`^ .*"${text}".*\n`, "m"), "");
const strength = (text: string, from: number, to: number) => (yaml: string) =>
  yaml.replace(new RegExp(`("${text}".*equivalenceStrength: )${from}`), `$1${to}`);

const newConcept = (expressions: string): string =>
  `code: ${NEW}\nname: "Brand new"\ndefinition: "Something that was not there."\ndomain: support\nprovenance: null\nexpressions:\n${expressions}renderings: []\n`;

/** Every edit of a registry at once. */
function everyEdit({ concept, file, add: create, remove: retire }: Workplace): void {
  concept(CALLBACK, (yaml) => yaml.replace(/^name: .*$/m, 'name: "Callback wish"'));
  concept(CALLBACK, remove("Bitte um Rückruf"));
  concept(CALLBACK, add(entry("de", "Rückrufersuchen")));
  concept(WARRANTY, remove("Garantieantrag"));
  concept(CALLBACK, add(entry("de", "Garantieantrag")));
  concept(CALLBACK, add(entry("de", "Garantieanspruch")));
  concept(WARRANTY, strength("Gewährleistungsanspruch", 0.7, 1));
  concept(WARRANTY, strength("warranty claim", 1, 0.8));
  concept(WARRANTY, remove("garantiärende"));
  concept(WARRANTY, add(entry("de", "Rückrufwunsch", "locale: de-AT, ")));
  concept(WARRANTY, (yaml) => yaml.replace("A customer's demand", "The demand of a customer"));
  create(
    `registry/concepts/support/${NEW}.yaml`,
    newConcept(entry("en", "brand new thing") + entry("de", "Adressänderungsantrag")),
  );
  retire(ADDRESS);
  file("registry/retired.yaml", (text) =>
    text.replace(/\[\]\s*$/, `- { code: ${ADDRESS}, retiredIn: 2026.11.1, replacedBy: ${NEW}, reason: replaced }\n`),
  );
}

function opened(dist: string): { index: RegistryIndex; close(): void } {
  return openRegistryFiles(dist);
}

/** Expressions and their tags as the published bundle has them. */
function tagsOf(index: RegistryIndex): Map<string, Set<string>> {
  const tags = new Map<string, Set<string>>();
  const bundle = new TextDecoder().decode(index.read(index.sections.bundle));
  for (const line of bundle.split("\n").filter((text) => text !== "")) {
    for (const { expression, language, locale } of (JSON.parse(line) as ConceptDetail).expressions) {
      const known = tags.get(keyOf(expression)) ?? new Set();
      tags.set(keyOf(expression), known.add((locale ?? language).toLowerCase()));
    }
  }
  return tags;
}

function answer(index: RegistryIndex, expression: string, language: string | undefined): Answer {
  const resolution = resolve(index, expression, language);
  if (resolution.status === "abstained") return { reason: resolution.reason };
  return {
    code: (
      JSON.parse(new TextDecoder().decode(index.read(index.concept(resolution.conceptId).detail))) as ConceptDetail
    ).code,
  };
}

/** Every request that two indexes answer otherwise, as `expression|language` with both answers. */
function bruteForce(a: RegistryIndex, b: RegistryIndex): { told: Map<string, Answer[]>; untold: Answer[][] } {
  const [inA, inB] = [tagsOf(a), tagsOf(b)];
  const languages = new Set([...a.meta.languages, ...b.meta.languages]);
  const requested = [...languages].flatMap((tag) => [tag, tag.includes("-") ? `${tag}-x-own` : `${tag}-AT`]);
  requested.push("de-CH-1996", "de-AT-u-co-phonebk", "tlh");
  const told = new Map<string, Answer[]>();
  const untold: Answer[][] = [];
  for (const expression of new Set([...inA.keys(), ...inB.keys()])) {
    const tags = new Set([...(inA.get(expression) ?? []), ...(inB.get(expression) ?? [])]);
    for (const language of [undefined, ...requested]) {
      const answers = [answer(a, expression, language), answer(b, expression, language)];
      if (JSON.stringify(answers[0]) === JSON.stringify(answers[1])) continue;
      const level = language === undefined ? "" : lookupLevels(language).find((tag) => tags.has(tag));
      if (level === undefined) untold.push(answers);
      else {
        const key = `${expression}|${level === "" ? "" : formatLanguageTag(level)}`;
        expect(told.get(key) ?? answers, key).toEqual(answers);
        told.set(key, answers);
      }
    }
  }
  return { told, untold };
}

function document({ documents }: Compared, name: string): DocumentChange | undefined {
  return documents.find((one) => one.path === name);
}

describe("diff over the starter", () => {
  let base: string;
  beforeAll(async () => {
    base = await buildStarter();
  });

  describe("with every edit of the registry at once", () => {
    let comparison: Compared;
    let found: Compared;
    let edited: string;
    beforeAll(async () => {
      edited = await buildStarter(everyEdit);
      comparison = await compare(base, edited);
      found = inJson(comparison);
    });

    it("says which expressions were reassigned", () => {
      expect(found).toMatchObject({ verdict: "reassigned", meaningful: true, warnings: [], schema: "service-semantics.diff.v1" });
      const reassigned = found.resolutions.filter(({ kind }) => kind === "reassigned");
      expect(reassigned.map(({ expression, language, before, after }) => [expression, language, before, after])).toEqual([
        ["Adressänderungsantrag", null, { code: ADDRESS }, { code: NEW }],
        ["Adressänderungsantrag", "de", { code: ADDRESS }, { code: NEW }],
        ["Garantieantrag", null, { code: WARRANTY }, { code: CALLBACK }],
        ["Garantieantrag", "de", { code: WARRANTY }, { code: CALLBACK }],
        ["Rückrufwunsch", "de-AT", { code: CALLBACK }, { code: WARRANTY }],
      ]);
    }); // prettier-ignore

    it.each([
      ["Bitte um Rückruf", "now_abstains", null, CALLBACK, "no_reviewed_exact_match"],
      ["Bitte um Rückruf", "now_abstains", "de", CALLBACK, "no_reviewed_exact_match"],
      ["Rückrufwunsch", "now_abstains", null, CALLBACK, "ambiguous_expression"],
      ["Garantieanspruch", "now_abstains", "de", WARRANTY, "ambiguous_expression"],
      ["warranty claim", "now_abstains", "en", WARRANTY, "equivalence_not_exact"],
      ["Rückrufersuchen", "now_resolves", "de", "no_reviewed_exact_match", CALLBACK],
      ["Gewährleistungsanspruch", "now_resolves", "de", "equivalence_not_exact", WARRANTY],
      ["garantiärende", "reason_changed", "sv", "equivalence_not_exact", "no_reviewed_exact_match"],
    ] as const)("says of %s: %s in %s, from %s to %s", (...[expression, kind, language, before, after]) => {
      const answerOf = (text: string): Answer => text.startsWith("C-") ? { code: text } : { reason: text };
      const change = { kind, expression, language, before: answerOf(before), after: answerOf(after) };
      expect(found.resolutions).toContainEqual(change);
    }); // prettier-ignore

    it("agrees with the resolver about every expression in every language", () => {
      const [a, b] = [opened(base), opened(edited)];
      try {
        const { told, untold } = bruteForce(a.index, b.index);
        expect(
          Object.fromEntries(
            found.resolutions.map(({ expression, language, before, after }) => [
              `${expression}|${language ?? ""}`,
              [before, after],
            ]),
          ),
        ).toEqual(Object.fromEntries(told));
        expect(found.resolutions.length).toBe(told.size);
        expect(told.size).toBeGreaterThan(20);
        // Languages of which neither release has the expression: both abstain.
        expect(untold.length).toBeGreaterThan(0);
        for (const answers of untold) expect(answers.every((one) => "reason" in one)).toBe(true);
      } finally {
        a.close();
        b.close();
      }
    });

    it("lists concepts added, retired and changed, with pointers into their details", () => {
      expect(found.concepts.map(({ code, change }) => [code, change])).toEqual([
        [WARRANTY, "changed"],
        [ADDRESS, "retired"],
        [CALLBACK, "changed"],
        [NEW, "added"],
      ]);
      const [warranty, , callback] = found.concepts;
      expect(callback?.name).toBe("Callback wish");
      expect(callback?.changes).toContainEqual({
        pointer: "/name",
        kind: "changed",
        before: expect.any(String) as string,
        after: "Callback wish",
      });
      expect(
        callback?.changes
          .filter(({ kind }) => kind === "added")
          .map(({ after }) => (after as { expression: string }).expression)
          .sort(),
      ).toEqual(["Garantieanspruch", "Garantieantrag", "Rückrufersuchen"]);
      expect(callback?.changes.filter(({ kind }) => kind === "removed").map(({ of }) => of)).toEqual([
        "de Bitte um Rückruf",
      ]);
      expect(callback?.changes.length).toBe(5);
      expect(warranty?.changes).toContainEqual({
        pointer: expect.stringMatching(/^\/expressions\/\d+\/equivalenceStrength$/) as string, kind: "changed", of: "de Gewährleistungsanspruch", before: 0.7, after: 1,
      }); // prettier-ignore
      expect(warranty?.changes.find(({ pointer }) => pointer === "/definition")).toBeDefined();
    });

    it("tells the counts once, and of documents that list concepts or quote counts only that they follow", () => {
      const counts = found.facts.filter(({ file }) => file === "registry.index").map(({ pointer }) => pointer);
      expect(counts).toContain("/reviewedExactExpressions");
      expect(document(found, "api/v1/status")).toMatchObject({ only: "concepts", changes: [] });
      expect(document(found, "api/v1/status")?.follows).toBeGreaterThan(0);
      for (const name of ["registry.index", "registry.blocks", "registry.root"])
        expect([name, document(found, name)?.only]).toEqual([name, "derived"]);
      const lists = [
        "bundle.ndjson",
        "coverage.json",
        "names.json",
        "names/de.json",
        "concepts.ttl",
        "concepts.jsonld",
      ];
      for (const name of [
        ...lists.map((list) => `registry/${list}`),
        "coverage.html",
        "sitemap.xml",
        "agent-tool.json",
      ])
        expect([name, document(found, name)?.only]).toEqual([name, "concepts"]);
      // What people decided is told.
      expect(document(found, "registry/retired.json")?.changes?.map(({ pointer, kind }) => [pointer, kind])).toEqual(
        expect.arrayContaining([["/retired/0", "added"]]),
      );
      expect(found.facts).toContainEqual({
        file: "manifest.json",
        pointer: "/registry/contentSha256",
        kind: "changed",
        before: expect.any(String) as string,
        after: expect.any(String) as string,
      });
      expect(JSON.stringify(found.documents)).not.toMatch(/"(?:before|after)":"[0-9a-f]{64}"/);
    });

    it("gives the same again, and the mirror image the other way", async () => {
      expect(await compare(base, edited)).toEqual(comparison);
      const back = await compared(edited, base);
      expect(back.verdict).toBe("reassigned");
      const flip = (change: { expression: string; language: string | null; before: Answer; after: Answer }): string =>
        JSON.stringify([change.expression, change.language, change.after, change.before]);
      const straight = found.resolutions.map(({ expression, language, before, after }) =>
        JSON.stringify([expression, language, before, after]),
      );
      expect(back.resolutions.map(flip).sort()).toEqual(straight.sort());
    });

    it("says it in words, what matters most first", () => {
      const text = inWords(comparison);
      expect(text).toMatch(
        /REASSIGNED[^\n]*: 5\n[\s\S]*Resolved before and abstain now: [\s\S]*Abstained before and resolve now: [\s\S]*Concepts retired: 1\n[\s\S]*Concepts added: 1\n[\s\S]*Concepts changed: 2\n[\s\S]*Documents changed: [\s\S]*Facts changed: [\s\S]*5 resolutions were reassigned/,
      );
      expect(text).toContain(`  "Rückrufwunsch" (de-AT): ${CALLBACK} → ${WARRANTY}\n`);
      expect(text).toMatch(/… and \d+ more \(--json lists all\)/);
    });
  });

  it("says in one line what only follows from a retired concept, in words, Markdown and JSON, and tells prose beside it", async () => {
    const found = await compare(
      base,
      await buildStarter(({ remove: retire, file }) => {
        retire(ADDRESS);
        file("registry/registry.yaml", (yaml) => yaml.replace(/registryVersion: .*/, "registryVersion: 2026.12.1"));
        file("registry/retired.yaml", (text) =>
          text.replace(/\[\]\s*$/, `- { code: ${ADDRESS}, retiredIn: 2026.12.1, replacedBy: null, reason: gone }\n`),
        );
        file("content/answers/10-what-is-it.md", (text) => text.replace("It does not guess", "It never guesses"));
      }),
    );
    const own = found.documents.filter(({ only }) => only === undefined).map(({ path: name }) => name);
    // Of four concepts, each is an example somewhere.
    const examples = own.filter((name) => /api-reference|audit-provenance/.test(name));
    expect(own.filter((name) => !examples.includes(name))).toEqual([
      "answers.html",
      "answers.json",
      "answers.md",
      "registry/retired.json",
      "search.json",
    ]);
    const following = found.documents.filter(({ only }) => only === "concepts").length;
    expect(following).toBeGreaterThan(40);
    expect(inWords(found)).toContain(`\nFollow from the concepts, the version and their counts: ${following} (`);
    const markdown = [...formatMarkdown(found)].join("\n");
    expect(markdown).toMatch(/Concepts retired \(1\)[^]*<summary>Documents changed \(\d+\)<\/summary>/);
    expect(markdown).toContain(`follow from the concepts, the version and their counts: ${following};`);
    expect(markdown).not.toContain("publishedConcepts");
  });

  it("finds one word of prose in every document that has it, and no resolution", async () => {
    const found = await compared(
      base,
      await buildStarter(({ file }) =>
        file("content/answers/10-what-is-it.md", (text) => text.replace("It does not guess", "It never guesses")),
      ),
    );
    expect(found).toMatchObject({ verdict: "different", resolutions: [], concepts: [] });
    expect(document(found, "answers.json")?.changes).toEqual([
      {
        pointer: expect.stringMatching(/^\/answers\/\d+\/answer$/) as string,
        kind: "changed",
        of: "what-is-it",
        before: expect.stringContaining("It does not guess") as string,
        after: expect.stringContaining("It never guesses") as string,
      },
    ]);
    expect(document(found, "answers.md")?.lines).toMatchObject({
      removed: [{ text: expect.stringContaining("It does not guess") as string }],
      added: [{ text: expect.stringContaining("It never guesses") as string }],
    });
    expect(document(found, "answers.html")?.lines).toMatchObject({ added: [{}], removed: [{}] });
    expect(document(found, "openapi.json")).toBeUndefined();
  });

  it("finds a changed asset by its name without the digest, and counts the pages that name it", async () => {
    const found = await compared(
      base,
      await buildStarter(({ file }) => file("content/assets/site.css", (text) => `${text}\nb { color: red }\n`)),
    );
    expect(found.verdict).toBe("different");
    const [own] = found.documents.filter(({ only }) => only === undefined);
    expect(own).toMatchObject({
      path: "assets/site.css",
      change: "changed",
      lines: {
        removed: [],
        added: expect.arrayContaining([{ line: expect.any(Number) as number, text: "b { color: red }" }]) as unknown,
      },
    });
    expect(found.documents.filter(({ only }) => only === undefined).length).toBe(1);
    expect(document(found, "index.html")).toMatchObject({ only: "digests", follows: 1 });
  });

  it("says of two origins that they differ, and of the rest only the names that are made of their hosts", async () => {
    const found = await compared(base, await buildStarter(undefined, "http://127.0.0.1:8080"));
    expect(found).toMatchObject({ verdict: "different", resolutions: [], concepts: [] });
    expect(found.facts.map(({ file, pointer }) => file + pointer)).toEqual(["manifest.json/origin"]);
    const others = found.documents.filter(({ only }) => only === undefined);
    expect(others.map(({ path: name }) => name)).toEqual([".well-known/ai-catalog.json", "mcp-server.json", "mcp.json", "mcp/server-card"]); // prettier-ignore
    expect(document(found, "sitemap.xml")).toEqual({
      path: "sitemap.xml",
      change: "changed",
      only: "origin",
      follows: 0,
    });
  });

  it("finds what changed between two origins and versions, and not that every concept has another of them", async () => {
    const other = await buildStarter(({ concept, file }) => {
      concept(CALLBACK, (yaml) => yaml.replace(/^name: .*$/m, 'name: "Callback wish"'));
      file("registry/registry.yaml", (yaml) => yaml.replace(/registryVersion: .*/, "registryVersion: 2026.12.1"));
    }, "https://b.example.org:8443");
    const found = await compared(base, other);
    expect(found.concepts.map(({ code, changes }) => [code, changes.map(({ pointer }) => pointer)])).toEqual([
      [CALLBACK, ["/name"]],
    ]);
    expect(found.facts.map(({ file, pointer }) => file + pointer)).toEqual([
      "manifest.json/origin",
      "manifest.json/registry/contentSha256",
      "manifest.json/registry/registryVersion",
      "registry.index/registryVersion",
    ]);
  });

  it("takes a release for the same as itself, whatever the folder", async () => {
    const found = await compared(base, tampered(base, {}));
    expect(found).toMatchObject({
      verdict: "same",
      meaningful: false,
      documents: [],
      facts: [],
      concepts: [],
      resolutions: [],
      warnings: [],
    });
    expect(inWords(await compare(base, path.dirname(base)))).toMatch(/The same: every file, byte for byte\.$/);
  });

  it("says of white space in JSON that nothing else differs", async () => {
    const status = JSON.stringify(JSON.parse(readFileSync(path.join(base, "api/v1/status"), "utf8")), null, 1);
    const spaced = tampered(base, { "api/v1/status": status }, true);
    const found = await compare(base, spaced);
    expect(found).toMatchObject({ verdict: "different", meaningful: false, warnings: [] });
    expect(document(found, "api/v1/status")).toMatchObject({ only: "bytes", changes: [] });
    expect(inWords(found)).toMatch(/Different only in bytes: nothing that has a meaning differs\.$/);
  });

  it("compares the bytes there are, and warns where the sums do not hold", async () => {
    const text = readFileSync(path.join(base, "llms.txt"), "utf8");
    const found = await compared(
      base,
      tampered(base, { "llms.txt": `${text}Obey.\n`, extra: "x", "robots.txt": null }),
    );
    expect(found).toMatchObject({
      warnings: [expect.stringMatching(/^B is not whole: npm run verify -- \S+ names each fault$/)],
    });
    expect(found.documents).toEqual([
      { path: "extra", change: "added", follows: 0 },
      {
        path: "llms.txt",
        change: "changed",
        follows: 0,
        lines: { removed: [], added: [{ line: text.split("\n").length, text: "Obey." }], reordered: false },
      },
      { path: "robots.txt", change: "removed", follows: 0 },
    ]);
    expect(inWords(await compare(tampered(base, { extra: "x" }), base))).toMatch(
      /Warning: A is not whole: npm run verify -- \S+ names each fault/,
    );
  });

  it("lists a digest where nothing is that it could follow from", async () => {
    const status = readFileSync(path.join(base, "api/v1/status"), "utf8");
    const found = await compared(
      base,
      tampered(base, { "api/v1/status": status.replace(/[0-9a-f]{64}/, "0".repeat(64)) }, true),
    );
    expect(document(found, "api/v1/status")?.changes).toEqual([
      {
        pointer: "/data/publicBundle/sha256",
        kind: "changed",
        before: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        after: "0".repeat(64),
      },
    ]);
    expect(found.meaningful).toBe(true);
  });

  it("finds what an index answers otherwise though its details say the same, and does not call an unexplained index derived", async () => {
    const index = readFileSync(path.join(base, "registry.index"));
    const at = index.lastIndexOf("A customer's message asking that money");
    expect(at).toBeGreaterThan(0);
    const other = Buffer.from(index);
    other.write("X", at);
    const found = await compared(base, tampered(base, { "registry.index": other }, true));
    expect(found.concepts.map(({ code, changes }) => [code, changes.map(({ pointer }) => pointer)])).toEqual([
      ["C-DFM7YZ", ["/resolved"]],
    ]);
    const trailer = Buffer.from(index);
    trailer.writeUInt8(trailer.readUInt8(trailer.length - 1) ^ 1, trailer.length - 1);
    const odd = await compared(base, tampered(base, { "registry.index": trailer }, true));
    expect(odd).toMatchObject({ verdict: "different", meaningful: true });
    expect(document(odd, "registry.index")).toMatchObject({ sizes: { before: index.length, after: index.length } });
  });
});
