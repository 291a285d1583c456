/** The comparison key against Unicode's test of normalization. Needs bzcat and unicode-data. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../runtime/text/expression.ts";

const DATA = "/usr/share/unicode/NormalizationTest.txt.bz2";
const isHere = existsSync(DATA) && spawnSync("bzcat", ["--help"]).status === 0;
if (!isHere)
  console.warn(`Skipped, ${DATA} or bzcat is not here. Install them with \`apt-get install unicode-data bzip2\`.`);

/** A field of NormalizationTest.txt: code points in hex. */
const decode = (field: string): string =>
  String.fromCodePoint(...field.split(" ").map((code) => Number.parseInt(code, 16)));

describe("the comparison key", () => {
  it.skipIf(!isHere)("O-03: agrees with Unicode's NormalizationTest.txt", () => {
    const lines = execFileSync("bzcat", [DATA], { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
    const rows = lines.filter((line) => /^[0-9A-F]/.test(line)).map((line) => line.split(";").slice(0, 5).map(decode));
    expect(rows.length).toBeGreaterThan(18_000);
    for (const [source = "", nfc = "", nfd = "", nfkc = "", nfkd = ""] of rows) {
      expect([keyOf(source), keyOf(nfc), keyOf(nfd)]).toEqual([nfc, nfc, nfc]);
      expect([keyOf(nfkc), keyOf(nfkd)]).toEqual([nfkc, nfkc]);
    }
  });
}); // prettier-ignore
