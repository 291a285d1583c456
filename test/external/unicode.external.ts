/**
 * The comparison key, and the sequences that an expression may have, against Unicode's own files.
 * Needs bzcat and unicode-data.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkExpressionText } from "../../generator/registry/check-text.ts";
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

/** Sequences of Egyptian that Unicode 15.1 took back. */
const WITHDRAWN = ["\u{13092}\uFE00", "\u{130A9}\uFE01", "\u{1333B}\uFE00", "\u{13403}\uFE00"];
const KEYCAP = /^[0-9#*][\uFE0E\uFE0F]$/u;

describe("an expression", () => {
  it
    .skipIf(!isHere)
    .each([
      "StandardizedVariants.txt",
      "emoji/emoji-variation-sequences.txt",
      "emoji/emoji-zwj-sequences.txt",
      "emoji/emoji-sequences.txt",
    ])("may have every sequence of %s", (file) => {
    const lines = readFileSync(`/usr/share/unicode/${file}`, "utf8").split("\n");
    const rows = lines.filter((line) => /^[0-9A-F]/.test(line)).map((line) => line.split(";")[0]?.trim() ?? "");
    // Ranges are of single emoji.
    const sequences = rows.filter((row) => !row.includes("..")).map(decode);
    expect(sequences.length).toBeGreaterThan(500);
    const refused = sequences.filter((one) => checkExpressionText(one).length > 0 && !KEYCAP.test(one));
    expect(refused.filter((one) => !WITHDRAWN.includes(one))).toEqual([]);
  });
});
