/** Releases without a fault, of any registry and for any origin: verify finds none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { compileIndex } from "../../../generator/index/compile.ts";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import { checkRegistry } from "../../../generator/verify/audit/registry.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { starterRegistry } from "../../support/documents.ts";
import { random } from "../../support/random.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { type BuildOptions, buildInto, starterContent } from "../../support/build.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";

async function faultsOf(registry: CheckedRegistry, options: BuildOptions = {}): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "whole-"));
  try {
    await buildInto(path.join(folder, "dist"), registry, options);
    return await verifyRelease(fileSystem, path.join(folder, "dist"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Everything that verify looks for, as texts of concepts. */
const TEXTS = ["https://other.example", "https://other.example/mcp", "http://a.b/c?d=e#f", "urn:x://y", "<script>alert(1)</script>", "](https://x.example)", "/mcp", `${ORIGIN}/none`, ORIGIN, "ftp://x.example.", '"$ref":"#/components/schemas/None"', "SHA256SUMS", "</main>", "&lt;"]; // prettier-ignore

const speaking: CheckedRegistry = checkedRegistry({
  registry: { name: "Names https://named.example & <b>" },
  concepts: TEXTS.map((text, i) =>
    concept(`ADDRESS-${i}`, [expression("en", text), expression("de", `${text} de`)], { name: `Of ${text}`, definition: `It is ${text} and no more.` }),
  ),
}); // prettier-ignore

/** What is drawn for an example is the first. */
const ADDRESSES = ["https://other.example/x", "ftp://\u00C5.example/y", `${ORIGIN}/nothing`, `See ${ORIGIN}/concepts/GONE`]; // prettier-ignore
const addresses: CheckedRegistry = checkedRegistry({
  concepts: ["T-A", "T-B"].map((code) => concept(code, ADDRESSES.map((text) => expression("en", text)), { provenance: { source: "s", license: "CC0-1.0", sourceId: code, reviewedBy: null, reviewedAt: null } })),
  retired: [{ code: "T-OLD", retiredIn: "2026.10.1", replacedBy: "T-A", name: "https://name.example", reason: `${ORIGIN}/why and https://reason.example/` }],
  history: [{ registryVersion: "2026.10.1", contentSha256: "0".repeat(64), reassigned: [{ expression: "https://old.example", language: null, from: "T-B", to: "T-A" }], acknowledgement: "https://ticket.example/1" }],
}); // prettier-ignore

/** Its name and identifiers are at the host of the service; any concept can be the example. */
const atHome: CheckedRegistry = checkedRegistry({
  registry: { name: `Words of ${ORIGIN}/zoo` },
  concepts: ["H-A", "H-B"].map((code) => concept(code, [expression("en", `${ORIGIN}/word/${code}`), expression("de", `Wort ${code}`)], { name: `Of ${ORIGIN}/name`, definition: `See ${ORIGIN}/${code}.`, provenance: { source: `${ORIGIN}/dump.ttl`, license: "CC0-1.0", sourceId: `${ORIGIN}/id/${code}#it`, reviewedBy: null, reviewedAt: null, exactMatch: [`${ORIGIN}/other?id=${code}`] } })),
}); // prettier-ignore

const ambiguous = checkedRegistry({
  concepts: ([["A", 1], ["B", 1], ["C", 0.5]] as const).map(([code, equivalenceStrength]) => concept(code, [expression("en", "t", { equivalenceStrength })])),
}); // prettier-ignore

const MARKDOWN = [
  "A [reference link][ref], an entity &copy; &nbsp; &#x41;, ~~struck~~, *em*phasis, `code <b>` and **bold**.",
  "Auto <https://example.org/x?a=1&b=2>, hard break\\\nhere. Escaped \\*stars\\*, a footnote[^1]. <b>no html</b>",
  "1. one\n2. two\n\n   ```md\n   [x](/answers) ](\n   ```",
  "| a | b |\n|---|---|\n| 1 | **2** |",
  "Setext\n------\n\n> quoted\n\n    indented <code>",
  '[ref]: /answers "Title"',
].join("\n\n");

describe("a release as it was built has no fault", () => {
  it.each<[string, () => CheckedRegistry]>([
    ["the starter registry", starterRegistry],
    ["a registry made to be nasty", () => checkedRegistry(nasty)],
    ["the empty registry", () => checkedRegistry(empty)],
  ])("of %s", async (_what, registry) => {
    expect(await verifyRelease(fileSystem, await buildRelease(registry()))).toEqual([]);
  });

  it.each<[string, () => CheckedRegistry]>([
    ["a registry that speaks of addresses, markup and everything that verify looks for", () => speaking],
    [
      "a registry whose retired codes, reasons and acknowledgements are addresses too, and whose sources have none",
      () => addresses,
    ],
    ["a registry whose name and identifiers are at the host of the service", () => atHome],
  ])("of %s", async (_what, registry) => expect(await faultsOf(registry())).toEqual([]));

  it("C08: of a registry with an entry below strength 1 next to two of strength 1, for an origin that is short", async () => {
    expect(await faultsOf(ambiguous, { origin: "http://a" })).toEqual([]);
  });

  it("of prose with everything that Markdown has, for an origin with signs", async () => {
    const { answers, sections, guide, ...rest } = starterContent();
    const more = <T extends { readonly markdown: string }>(text: T, i: number): T => ({
      ...text,
      markdown: `${text.markdown}\n\n${MARKDOWN.replace("Setext", `Setext ${i}`)}`,
    });
    const content = { ...rest, answers: answers.map(more), sections: sections.map(more), guide: more(guide, 0) };
    expect(await faultsOf(ambiguous, { content, origin: "http://[::1]:8080" })).toEqual([]);
  });
});

describe("an index as it was compiled has no fault", () => {
  const next = random(1);
  const letters = ["a", "B", "é", "e\u0301", "語", "😀", " b", '"', "\\", "<", "/"];

  function byChance(): CheckedRegistry {
    const concepts = Array.from({ length: next(40) }, (_none, i) => {
      const texts = Array.from({ length: 1 + next(5) }, () => {
        const inner = Array.from({ length: 1 + next(3) }, () => letters[next(letters.length)]).join("");
        return [["en", "de", "fr"][next(3)] ?? "en", `x${inner}y`.normalize("NFC")] as const;
      });
      const distinct = new Map(texts.map((one) => [one.join(" "), one]));
      const expressions = [...distinct.values()].map(([language, text]) =>
        expression(language, text, { equivalenceStrength: [1, 1, 0.5][next(3)] ?? 1 }),
      );
      return concept(`R-${i}`, expressions, { domain: ["one", "two"][next(2)] ?? "one" });
    });
    return checkedRegistry({ concepts });
  }

  it.each(Array.from({ length: 8 }, (_none, i) => [i, byChance()] as const))("of registry %i made by chance", (_i, registry) => {
    const source = memorySource(Buffer.concat([...compileIndex({ registry, origin: ORIGIN })]));
    const { registryVersion, contentSha256, name } = registry;
    const manifest = { origin: ORIGIN, registry: { name, registryVersion, contentSha256 } } as Parameters<typeof checkRegistry>[1];
    const { faults, facts } = checkRegistry(openIndex(source), manifest, fileSystem);
    expect([faults, facts?.publishedConcepts]).toEqual([[], registry.concepts.length]);
  }); // prettier-ignore
});
