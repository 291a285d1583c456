import { describe, expect, it } from "vitest";
import { readSource } from "../../../../../generator/tools/vocabulary/import/read-source.ts";
import type { ImportSettings } from "../../../../../generator/tools/vocabulary/import/settings.ts";
import { EMPTY, planImport, REVIEWED } from "../../../../support/import.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const CSV = (tag: string): string => `sourceId,language,expression\nlion,${tag},lion\nlion,fr,lion\n`;
const TBX = `<tbx type="TBX-Core"><text><body><conceptEntry id="lion">
<langSec><termSec><term>lion</term></termSec></langSec>
<langSec xml:lang="fr"><termSec><term>lion</term></termSec></langSec>
</conceptEntry></body></text></tbx>`;

/** The expressions after the same file was imported whole, and then for one language. */
async function twice(format: "csv" | "tbx", text: string, asked: Pick<ImportSettings, "untagged" | "languages">) {
  let before: Parameters<typeof planImport>[1] = EMPTY;
  for (const languages of [[], asked.languages]) {
    const files = { format, from: ["a"], languages, language: asked.untagged };
    const read = await readSource(memoryEffects({ a: text }), files, () => undefined);
    if (!read.ok) throw new Error(read.message);
    const settings = { ...REVIEWED, repairs: new Set(["tags"] as const), untagged: asked.untagged, languages };
    before = planImport(read.source, before, settings).after;
  }
  return before.concepts.flatMap(({ record }) =>
    record.expressions.map(({ language, reviewStatus }) => `${language} ${reviewStatus}`),
  );
}

describe("an import of one language again", () => {
  it.each([
    ["csv", CSV("")],
    ["tbx", TBX],
  ] as const)("finds the texts of %s that have no tag, where all of these are in it", async (format, text) => {
    const expected = ["en reviewed", "fr reviewed"];
    expect((await twice(format, text, { untagged: "en", languages: ["en"] })).sort()).toEqual(expected);
    expect((await twice(format, text, { untagged: "en", languages: ["fr"] })).sort()).toEqual(expected);
  });

  it("finds texts under a tag that it repairs", async () => {
    const after = await twice("csv", CSV("iw"), { untagged: undefined, languages: ["he"] });
    expect(after.sort()).toEqual(["fr reviewed", "he reviewed"]);
  });

  it("leaves a concept that has no label in it, where the file is of that language alone", async () => {
    const [both, french] = [
      `${CSV("en")}tiger,en,tiger\ntigre,fr,tigre\n`,
      "sourceId,language,expression\nlion,fr,lion\n",
    ];
    const read = (text: string) =>
      readSource(memoryEffects({ a: text }), { format: "csv", from: ["a"], languages: [], language: undefined }, () => undefined); // prettier-ignore
    const [whole, part] = [await read(both), await read(french)];
    if (!whole.ok || !part.ok) throw new Error("Not read");
    const before = planImport(whole.source, EMPTY, REVIEWED).after;
    const { after } = planImport(part.source, before, { ...REVIEWED, languages: ["fr"] });
    expect(after.retired.map(({ name }) => name)).toEqual(["tigre"]);
    expect(after.concepts.map(({ record }) => record.name).sort()).toEqual(["lion", "tiger"]);
    const other = part.source.concepts.map((concept) => ({ ...concept, sourceId: "owl" }));
    const counts = planImport({ ...part.source, concepts: other }, before, { ...REVIEWED, languages: ["de"] }).counts;
    expect(counts).toMatchObject({ gone: 3, found: 0 });
  });
});
