/** Releases without a fault, of any registry and for any origin: verify finds none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { starterRegistry } from "../../support/documents.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildInto, starterContent } from "../../support/build.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";

async function faultsOf(registry: CheckedRegistry, origin = ORIGIN): Promise<string[]> {
  return verifyRelease(fileSystem, await buildRelease(registry, origin));
}

describe("a release as it was built has no fault", () => {
  it.each<[string, () => CheckedRegistry]>([
    ["the starter registry", starterRegistry],
    ["a registry made to be nasty", () => checkedRegistry(nasty)],
    ["the empty registry", () => checkedRegistry(empty)],
  ])("of %s", async (_what, registry) => expect(await faultsOf(registry())).toEqual([]));

  it.each(["http://localhost", "http://127.0.0.1:8080", "https://registry.example:8443", "http://[::1]:8080", "https://[2001:db8::1]", "https://xn--bcher-kva.example", "http://a"])(
    "for the origin %s",
    async (origin) => expect(await faultsOf(checkedRegistry(nasty), origin)).toEqual([]),
  ); // prettier-ignore

  it("of a registry that speaks of addresses, markup and everything that verify looks for", async () => {
    const texts = ["https://other.example", "https://other.example/mcp", "http://a.b/c?d=e#f", "urn:x://y", "<script>alert(1)</script>", "](https://x.example)", "/mcp", `${ORIGIN}/none`, ORIGIN, "ftp://x.example.", '"$ref":"#/components/schemas/None"', "SHA256SUMS", "</main>", "&lt;"]; // prettier-ignore
    const concepts = texts.map((text, i) =>
      concept(`ADDRESS-${i}`, [expression("en", text), expression("de", `${text} de`)], {
        name: `Of ${text}`,
        definition: `It is ${text} and no more.`,
      }),
    );
    const registry = { name: "Names https://named.example & <b>" };
    expect(await faultsOf(checkedRegistry({ concepts, registry }))).toEqual([]);
  });

  it("of prose with everything that Markdown has", async () => {
    const prose = [
      "A [reference link][ref], an entity &copy; &nbsp; &#x41;, ~~struck~~, *em*phasis, `code <b>` and **bold**.",
      "Auto <https://example.org/x?a=1&b=2>, hard break\\\nhere. Escaped \\*stars\\*, a footnote[^1]. <b>no html</b>",
      "1. one\n2. two\n\n   ```md\n   [x](/answers) ](\n   ```",
      "| a | b |\n|---|---|\n| 1 | **2** |",
      "Setext\n------\n\n> quoted\n\n    indented <code>",
      '[ref]: /answers "Title"',
    ].join("\n\n");
    const { answers, sections, guide, ...rest } = starterContent();
    const more = <T extends { readonly markdown: string }>(text: T): T => ({
      ...text,
      markdown: `${text.markdown}\n\n${prose}`,
    });
    const content = { ...rest, answers: answers.map(more), sections: sections.map(more), guide: more(guide) };
    const dist = path.join(mkdtempSync(path.join(tmpdir(), "prose-")), "dist");
    await buildInto(dist, checkedRegistry(nasty), { content });
    expect(await verifyRelease(fileSystem, dist)).toEqual([]);
    rmSync(path.dirname(dist), { recursive: true });
  });

  it("of twenty registries made by chance", async () => {
    let seed = 1;
    const next = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    const letters = ["a", "B", "é", "e\u0301", "語", "😀", " b", '"', "\\", "<", "/"];
    for (let round = 0; round < 20; round++) {
      const concepts = Array.from({ length: next(40) }, (_none, i) => {
        const seen = new Set<string>();
        const expressions = Array.from({ length: 1 + next(5) }, () => {
          const text =
            `x${Array.from({ length: 1 + next(3) }, () => letters[next(letters.length)]).join("")}y`.normalize("NFC");
          return expression(["en", "de", "fr"][next(3)] ?? "en", text, {
            equivalenceStrength: [1, 1, 0.5][next(3)] ?? 1,
          });
        }).filter(({ language, expression: text }) => {
          const key = `${language} ${text.normalize("NFC")}`;
          return !seen.has(key) && seen.add(key);
        });
        return concept(`R-${i}`, expressions, { domain: ["one", "two"][next(2)] ?? "one" });
      });
      expect([round, await faultsOf(checkedRegistry({ concepts }))]).toEqual([round, []]);
    }
  }, 120_000);
});
