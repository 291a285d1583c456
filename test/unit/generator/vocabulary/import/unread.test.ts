import { describe, expect, it } from "vitest";
import type { EditableSource } from "../../../../../generator/vocabulary/edit/edit.ts";
import { readCsv } from "../../../../../generator/vocabulary/formats/csv-read.ts";
import { EMPTY, planImport, REVIEWED } from "../../../../support/import.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

const HEAD = "code,sourceId,source,license,reviewedAt,language,expression,equivalenceStrength\n";
const LION = ",lion,Zoo,CC0-1.0,2026-11-21,en,lion,1\n";
const CAT = ",lion,Zoo,CC0-1.0,2026-11-21,en,big cat,0.8\n";
const TIGER = ",tiger,Zoo,CC0-1.0,2026-11-21,en,tiger,1\n";

async function imported(rows: string, before: Parameters<typeof planImport>[1] = EMPTY) {
  const source = await readCsv(memoryEffects({ "in/a.csv": HEAD + rows }), ["in/a.csv"]);
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

  it("stops one that takes anything for gone which it may be of, where it names no concept", async () => {
    const before = await first();
    const bare = (row: string): string => row.replace(/^,[a-z]+,/, ",,");
    for (const rows of [LION + bare(CAT) + TIGER, LION + CAT + bare(TIGER)])
      expect((await imported(rows, before)).told.join()).toContain("csv-row-without-concept refused");
    const other = bare(CAT).replace(",en,", ",de,");
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
});
