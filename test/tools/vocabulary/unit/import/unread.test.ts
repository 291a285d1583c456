import { describe, expect, it } from "vitest";
import type { EditableSource } from "../../../../../generator/registry/read.ts";
import { readCsv } from "../../../../../generator/tools/vocabulary/formats/csv-read.ts";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { ownTerm } from "../../../../../generator/skos/terms.ts";
import { readSource } from "../../../../../generator/tools/vocabulary/import/read-source.ts";
import { EMPTY, planImport, REVIEWED } from "../../../../support/import.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const HEAD = "code,sourceId,source,license,reviewedAt,language,expression,equivalenceStrength\n";
const LION = ",lion,Zoo,CC0-1.0,2026-11-21,en,lion,1\n";
const CAT = ",lion,Zoo,CC0-1.0,2026-11-21,en,big cat,0.8\n";
const TIGER = ",tiger,Zoo,CC0-1.0,2026-11-21,en,tiger,1\n";

async function imported(rows: string, before: Parameters<typeof planImport>[1] = EMPTY, head = HEAD) {
  const source = await readCsv(memoryEffects({ "in/a.csv": head + rows }), ["in/a.csv"]);
  const { after, findings } = planImport(source, before, REVIEWED);
  return { after, told: findings.map(({ rule, outcome, line }) => `${rule} ${outcome} ${line}`) };
}

describe("a row that cannot be read", () => {
  const first = async (): Promise<EditableSource> => (await imported(LION + CAT + TIGER)).after;

  it("stops an import that would take its concept for gone, by whichever of its names the row has", async () => {
    const before = await first();
    const [code = ""] = before.concepts.flatMap(({ record }) =>
      record.provenance?.sourceId === "tiger" ? record.code : [],
    );
    for (const name of [",tiger", `${code},`, `${code},tiger`]) {
      const { told } = await imported(`${LION}${CAT}${name},Zoo,CC0-1.0,21.11.2026,en,tiger,1\n`, before);
      expect(told, name).toContain("csv-cell refused 4");
    }
  });

  it("stops one that would take an expression of its language for gone", async () => {
    const comma = CAT.replace("0.8", '"0,8"').replace(",en,", ",EN,");
    expect((await imported(LION + comma + TIGER, await first())).told).toContain("csv-cell refused 3");
  });

  it("stops one that takes for gone what has its label, where it names no concept", async () => {
    const before = await first();
    const bare = (row: string): string => row.replace(/^,[a-z]+,/, ",,");
    for (const rows of [LION + bare(CAT) + TIGER, LION + CAT + bare(TIGER)])
      expect((await imported(rows, before)).told.join()).toContain("csv-row-without-concept refused");
    const other = bare(CAT).replace("en,big cat", "de,Raubkatze");
    expect((await imported(LION + other + TIGER, before)).told).toContain("csv-row-without-concept left out 3");
    expect((await imported(LION + CAT + TIGER + bare(CAT), before)).told).toContain(
      "csv-row-without-concept left out 5",
    );
  });

  it("is left out where nothing is lost by it", async () => {
    const lost = ["lion", "new"].map((id) => `,${id},Zoo,CC0-1.0,2026-11-21,de,Neues,"0,8"\n`).join("");
    const { told } = await imported(LION + CAT + TIGER + lost, await first());
    expect(told).toEqual(expect.arrayContaining(["csv-cell left out 5", "csv-cell left out 6"]));
    expect(told.join()).not.toContain("refused");
  });

  it("stops one that would take for gone what it says of its concept, such as a licence", async () => {
    const of = (day: string): string =>
      `,lion,Zoo,CC0-1.0,${day},,,\n,lion,,,,en,lion,1\n,tiger,Zoo,CC0-1.0,,,,\n,tiger,,,,en,tiger,1\n`;
    const before = (await imported(of("2026-11-21"))).after;
    const { told } = await imported(of("21.11.2026"), before);
    expect(told).toContain("csv-cell refused 2");
    // Where it changes nothing, or the concept is new, nothing is lost.
    const twice = await imported(`${of("2026-11-21")},lion,,,21.11.2026,,,\n`, before);
    expect([twice.told[0], twice.after]).toEqual(["csv-cell left out 6", before]);
    expect((await imported(of("21.11.2026"))).told).toContain("csv-cell left out 2");
  });

  it.each(["registry", "vocabulary"])("stops one into what has its concepts, where it is of %s", async (entry) => {
    const [rows, head] = [`,,${LION}${entry},2026,,,,,,,,\n`, `entry,details,${HEAD}`];
    const { told, after } = await imported(rows, EMPTY, head);
    expect(told).toContain("csv-cell left out 3");
    expect((await imported(rows, after, head)).told).toContain("csv-cell refused 3");
    expect((await imported(rows, (await imported(TIGER)).after, head)).told).toContain("csv-cell left out 3");
  });

  it("stops none for what was never read, where its concept has got a label", async () => {
    const rows = ",lion,Zoo,CC0-1.0,2026-11-21,en,lion,1\n,lion,,,21.11.2026,,,\n";
    const before = (await imported(rows)).after;
    const { told, after } = await imported(`${rows},lion,,,,de,Löwe,1\n`, before);
    expect(told).toContain("csv-cell left out 3");
    expect(told.join()).not.toContain("refused");
    expect(after.concepts[0]?.record.expressions).toHaveLength(2);
  });
});

it("what is no record in the place of that of a registry stops an import into what has its concepts", async () => {
  const text = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://e.org/s> a skos:ConceptScheme ; <${ownTerm("registry")}> "{}" .
<http://e.org/lion> a skos:Concept ; skos:prefLabel "lion"@en .`;
  const source = await readSkos(memoryEffects({ "a.ttl": text }), ["a.ttl"]);
  const first = planImport(source, EMPTY, REVIEWED);
  for (const [plan, outcome] of [
    [first, "left out"],
    [planImport(source, first.after, REVIEWED), "refused"],
  ] as const)
    expect(plan.findings).toContainEqual(expect.objectContaining({ rule: "export-registry", outcome }));
});

describe("what a file cannot say as it did", () => {
  const HEADS = {
    ttl: "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix e: <http://e.org/> .\n",
    tbx: '<tbx type="TBX-Core"><text><body>',
    csv: "sourceId,language,expression,equivalenceStrength\n",
  };
  const FIRST = {
    ttl: 'e:lion a skos:Concept ; skos:prefLabel "lion"@en ; skos:altLabel "cat"@en .\ne:tiger a skos:Concept ; skos:prefLabel "tiger"@en .\n',
    tbx: ["lion", "tiger"]
      .map(
        (id) =>
          `<conceptEntry id="${id}"><langSec xml:lang="en"><termSec><term>${id}</term></termSec></langSec></conceptEntry>`,
      )
      .join(""),
    csv: "lion,,lion,1\nlion,,cat,0.8\ntiger,,tiger,1\n",
  };
  const ENDS = { ttl: "", tbx: "</body></text></tbx>", csv: "" };

  /** The rules that stop the import of the first file after this replacement of words. */
  async function stopped(format: keyof typeof FIRST, those: string, these: string): Promise<string[]> {
    const first = FIRST[format];
    let before: Parameters<typeof planImport>[1] = EMPTY;
    let told: string[] = [];
    for (const body of [first, first.replace(those, these)]) {
      const effects = memoryEffects({ [`a.${format}`]: HEADS[format] + body + ENDS[format] });
      const files = { format: format === "ttl" ? "skos" : format, from: [`a.${format}`], languages: [], language: "en" } as const; // prettier-ignore
      const read = await readSource(effects, files, () => undefined);
      if (!read.ok) throw new Error(read.message);
      const { after, findings } = planImport(read.source, before, { ...REVIEWED, untagged: "en" });
      before = after;
      told = findings.flatMap(({ rule, outcome }) => (outcome === "refused" ? rule : []));
    }
    return told;
  }

  it.each<[keyof typeof FIRST, string, ...[these: string, rule: string]]>([
    ["ttl", "e:tiger a", "[] a", "concept-without-iri"],
    ["ttl", "e:tiger a", "<tiger> a", "concept-without-iri"],
    ["ttl", "e:tiger a skos:Concept ;", "e:tiger", "concept-without-type"],
    ["ttl", '"cat"@en', "e:cat", "label-not-text"],
    ["tbx", ' id="tiger"', "", "tbx-entry-without-id"],
    ["tbx", ' id="tiger"', ' id="lion"', "tbx-entry-twice"],
    ["csv", "tiger,,", ",,", "csv-row-without-concept"],
    ["csv", "0.8", '"0,8"', "csv-cell"],
  ])("stops an import for which it would be gone: %s with %s as %s", async (format, those, ...[these, rule]) => {
    expect(await stopped(format, those, these)).toEqual([rule]);
  });

  it.each([
    ["ttl", 'e:tiger a skos:Concept ; skos:prefLabel "tiger"@en', '[] a skos:Concept ; skos:prefLabel "panther"@en'],
    ["ttl", "e:tiger a skos:Concept ;", "e:tiger <http://www.w3.org/2002/07/owl#deprecated> true ;"],
    ["ttl", 'skos:altLabel "cat"@en', "skos:broader [] ; skos:exactMatch []"],
    ["csv", "tiger,,tiger", ",,panther"],
  ] as const)("is left out where what is gone is another thing: %s with %s as %s", async (format, those, these) => {
    expect(await stopped(format, those, these)).toEqual([]);
  });
});
