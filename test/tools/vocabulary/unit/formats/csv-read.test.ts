import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../../../generator/effects/file-system.ts";
import { readCsv } from "../../../../../generator/tools/vocabulary/formats/csv-read.ts";
import { SourceError } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

type Text = string | Uint8Array;

const read = (text: Text, options?: Parameters<typeof readCsv>[2]) =>
  readCsv(memoryEffects({ "in/a.csv": text }), ["in/a.csv"], options);

/** What the concepts of a file come to, in short. */
async function short(...texts: string[]) {
  const names = texts.map((_, i) => `${i}.csv`);
  const files = Object.fromEntries(texts.map((text, i) => [`${i}.csv`, text]));
  const { concepts, faults } = await readCsv(memoryEffects(files), names);
  const labels = concepts.map(({ code = "", sourceId, expressions }) =>
    [code, sourceId ?? "", ...expressions.map(({ tag, text, type }) => `${tag}:${text}:${type.slice(0, 4)}`)].join(" "),
  );
  return { labels, rules: faults.map(({ rule, line }) => `${line} ${rule}`) };
}

async function messageOf(text: Text): Promise<string> {
  const error = await read(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SourceError);
  const { message } = error as SourceError;
  expect(message).not.toContain("\n");
  return message;
}

describe("a file that people made", () => {
  it("needs a concept, a language and an expression a row", async () => {
    const { labels, rules } = await short(
      "sourceId,language,expression\nurn:1,en,refund\nurn:1,pt-BR,reembolso\nurn:2,en,invoice\n",
    );
    expect(labels).toEqual([" urn:1 en:refund:pref pt-BR:reembolso:pref", " urn:2 en:invoice:pref"]);
    expect(rules).toEqual([]);
    const { concepts } = await read("code,language,expression\nA,en,refund");
    expect(concepts).toEqual([
      {
        file: "a.csv",
        line: 2,
        code: "A",
        sourceId: null,
        notations: [],
        definitions: [],
        scopeNotes: [],
        expressions: [{ tag: "en", text: "refund", type: "preferred", place: { file: "a.csv", line: 2 } }],
        hiddenLabels: [],
      },
    ]);
  });

  it("has the columns of the concept on any of its rows, in any order", async () => {
    const { concepts, faults } = await readCsv(fileSystem, [
      path.resolve(import.meta.dirname, "fixtures/csv-people.csv"),
    ]);
    expect(faults).toEqual([]);
    expect(concepts).toMatchObject([
      {
        file: "csv-people.csv",
        line: 2,
        sourceId: "https://example.org/refund",
        name: "Refund",
        domain: "support",
        definitions: [{ tag: "", text: "Money that goes back,\nas the customer asked" }],
        provenance: {
          source: "Our list",
          license: "CC0-1.0",
          sourceId: "https://example.org/refund",
          reviewedBy: null,
          reviewedAt: "2026-11-21",
        },
        expressions: [
          { tag: "en", text: "refund", type: "preferred", equivalenceStrength: 1, reviewStatus: "reviewed" },
          { tag: "en", text: 'a "refund"', type: "alternate", equivalenceStrength: 0.8 },
          { tag: "zh-Hant-TW", parted: { language: "zh-Hant", locale: "zh-Hant-TW" }, text: "退款" },
        ],
      },
      { sourceId: "https://example.org/invoice", provenance: undefined, expressions: [{ text: "invoice" }] },
    ]);
  });

  it("has the first expression of a tag as the preferred one where there is no column of types", async () => {
    const head = "code,language,expression";
    const rows = "A,en,one\nA,en,two\nA,de,drei\n";
    expect((await short(`${head}\n${rows}`)).labels).toEqual(["A  en:one:pref en:two:alte de:drei:pref"]);
    expect((await short(`${head},type\n${rows.replaceAll("\n", ",\n")}`)).labels).toEqual([
      "A  en:one:alte en:two:alte de:drei:alte",
    ]);
    // Over several files, too.
    expect((await short(`${head},type\nA,en,one,preferred`, `${head}\nA,en,two\nA,fr,trois`)).labels).toEqual([
      "A  en:one:pref en:two:alte fr:trois:pref",
    ]);
  });

  it("knows a concept by its code, else by what its source calls it", async () => {
    const head = "code,sourceId,language,expression";
    const of = async (...rows: string[]) => (await short([head, ...rows].join("\n"))).labels;
    expect(await of("A,u,en,x", ",u,de,y", "A,,fr,z")).toEqual(["A u en:x:pref de:y:pref fr:z:pref"]);
    expect(await of(",u,en,x", "A,u,de,y", "A,,fr,z")).toEqual(["A u en:x:pref de:y:pref fr:z:pref"]);
    expect(await of("A,u,en,x", "B,u,en,y")).toEqual(["A u en:x:pref", "B u en:y:pref"]);
    expect(await of("A,u,en,x", "B,,en,y", "A,,en,z")).toEqual(["A u en:x:pref en:z:alte", "B  en:y:pref"]);
    expect(await of("__proto__,constructor,en,x", "toString,,en,y")).toEqual([
      "__proto__ constructor en:x:pref",
      "toString  en:y:pref",
    ]);
  });

  it("can name a concept without an expression, and leave rows empty", async () => {
    const { concepts, leftOut, faults } = await read(
      "code,name,language,expression\nA,Name of A,,\n,,,\n\nB,,en,b\n\n",
    );
    expect(concepts.map(({ code, name, expressions }) => [code, name, expressions.length])).toEqual([
      ["A", "Name of A", 0],
      ["B", undefined, 1],
    ]);
    expect([leftOut, faults]).toEqual([{ "empty rows": 1 }, []]);
  });

  it("keeps the languages that are asked for, and says what it left out", async () => {
    const text = "entry,code,language,locale,expression\n,A,en,,x\n,A,zh,zh-TW,y\n,A,zh_CN,,z\nhidden,A,de,,h\n";
    const { concepts, leftOut } = await read(text, { languages: ["zh"] });
    expect(concepts[0]?.expressions.map(({ text: label }) => label)).toEqual(["y", "z"]);
    expect(leftOut).toEqual({ "expressions in other languages": 1, "hidden labels in other languages": 1 });
  });

  it("says how far it is", async () => {
    const seen: number[] = [];
    await read("code,language,expression\nA,en,x\nA,en,y\n", { progress: (rows) => seen.push(rows) });
    expect(seen).toEqual([1, 2]);
  });
});

describe("a fault of a row", () => {
  it("names line, concept and column, and leaves the row out", async () => {
    const head = "entry,code,language,expression,type,equivalenceStrength,reviewStatus,reviewedAt,retiredIn,details";
    const wrong: Record<string, string> = {
      'Column entry: "Expression" is none of expression, concept, hidden, rendering, retired, mapped, registry, vocabulary':
        "Expression,A,en,x,,,,,,",
      'Column type: "Preferred" is none of preferred, alternate, abbreviation, symbol': ",A,en,x,Preferred,,,,,",
      'Column equivalenceStrength: "0,5" is not a number from 0 to 1': ',A,en,x,,"0,5",,,,',
      'Column equivalenceStrength: "1.01" is not a number from 0 to 1': ",A,en,x,,1.01,,,,",
      'Column equivalenceStrength: "-0.5" is not a number from 0 to 1': ",A,en,x,,-0.5,,,,",
      'Column equivalenceStrength: "0x1" is not a number from 0 to 1': ",A,en,x,,0x1,,,,",
      'Column reviewStatus: "approved" is none of draft, in_review, reviewed, rejected, retired':
        ",A,en,x,,,approved,,,",
      'Column reviewedAt: "21.11.2026" is not a date such as 2026-11-21': ",A,en,x,,,,21.11.2026,,",
      'Column retiredIn: "1.0" is not a version such as 2026.11.1': "retired,A,,,,,,,1.0,",
      'Column details: "{" is not JSON': ",A,en,x,,,,,,{",
      'Column details: "{\\"locale\\":null,\\"locale\\":null}" is not JSON':
        ',A,en,x,,,,,,"{""locale"":null,""locale"":null}"',
      'Column details: "[]" does not have its shape: it must be an object': ",A,en,x,,,,,,[]",
      'Column details: "{\\"a\\":1}" does not have its shape: it has the unknown property "a"':
        'concept,A,,,,,,,,"{""a"":1}"',
      "Column details is empty, and this row needs it": "registry,,,,,,,,,",
      "The row does not say which concept it is about": ",,en,x,,,,,,",
    };
    for (const [text, row] of Object.entries(wrong)) {
      const { concepts, faults, registry } = await read(`${head}\n,A,en,kept,,,,,,\n${row}\n`);
      expect(faults).toMatchObject([{ file: "a.csv", line: 3, text }]);
      expect(faults[0]?.outcome, row).toBe("left out");
      expect(faults[0]?.remedy).toMatch(/^[A-Z].*[^.]$/);
      expect(registry).toBeUndefined();
      expect(concepts.flatMap(({ expressions }) => expressions.map((one) => one.text))).toEqual(["kept"]);
    }
  });

  it("is reported for each row that has it, and for no row that is right", async () => {
    const right = '"{""provenance"":null}"';
    const details = [right, "{", "{", right, ""].map((cell, i) => `A,en,x${i},${cell}\n`);
    const { concepts, faults } = await read(`code,language,expression,details\n${details.join("")}`);
    expect(faults.map(({ line }) => line)).toEqual([3, 4]);
    const kept = concepts.flatMap(({ expressions }) => expressions.map(({ text, provenance }) => [text, provenance]));
    expect(kept).toEqual([["x0", null], ["x3", null], ["x4", undefined]]); // prettier-ignore
  });

  it("is reported for every wrong cell of a row", async () => {
    const { faults } = await read("code,language,expression,type,reviewStatus\nA,en,x,a,b\n");
    expect(faults.map(({ rule, concept, language }) => [rule, concept, language])).toEqual([
      ["csv-cell", "A", "en"],
      ["csv-cell", "A", "en"],
    ]);
  });

  it("is reported with the line an editor shows, also after line ends in quotes", async () => {
    const text = 'code,language,expression,type\r\nA,en,"1\n2\r\n3",symbol\r\n\r\nA,en,x,wrong\r\n';
    expect((await short(text)).rules).toEqual(["6 csv-cell"]);
  });

  it("keeps the first value of a column of a concept, and says once that another row differs", async () => {
    const { concepts, faults } = await read("code,name,language,expression\nA,,en,x\nA,a,en,y\nA,b,en,z\nA,c,en,w\n");
    expect(concepts).toMatchObject([{ name: "a", expressions: [{}, {}, {}, {}] }]);
    expect(faults).toEqual([
      {
        rule: "csv-column-disagrees",
        file: "a.csv",
        line: 4,
        concept: "A",
        language: null,
        text: 'Column name: another row of the concept says "a", which is kept',
        remedy: "Write the same on every row of a concept, or write it once",
        outcome: "kept",
      },
    ]);
  });

  it("reports a formula, and keeps it", async () => {
    const { concepts, faults } = await read("code,language,expression\nA,en,=1+1\nA,en,'=1+1\nA,en,-ing\nA,en,'tis\n");
    expect(concepts[0]?.expressions.map(({ text }) => text)).toEqual(["=1+1", "=1+1", "-ing", "'tis"]);
    expect(faults.map(({ rule, line, outcome }) => [rule, line, outcome])).toEqual([
      ["csv-formula", 2, "kept"],
      ["csv-formula", 4, "kept"],
    ]);
    expect(faults[0]?.text).toContain("it is kept as it is");
  });

  it("reports a cell that may hold several expressions, unless it is reviewed, and reads it as one", async () => {
    const cells = ["refund|repayment", "refund; repayment", "re;fund", "|x|", "a/b, c", ";-)"];
    const rows = cells.map((cell) => `A,en,"${cell}",\n`).join("");
    const { concepts, faults } = await read(`code,language,expression,reviewStatus\n${rows}A,en,a|b,reviewed\n`);
    expect(concepts[0]?.expressions.map(({ text }) => text)).toEqual([...cells, "a|b"]);
    const told = { rule: "csv-cell-several", outcome: "kept", text: '"refund|repayment" is taken as one expression' };
    expect(faults).toMatchObject([told, { line: 3 }, { line: 4 }]);
  });

  it("reports an id with a space around it, which is read as another concept than the one without", async () => {
    const { concepts, faults } = await read("sourceId,language,expression\nx:1,en,one\nx:1 ,de,eins\n");
    expect(concepts.map(({ sourceId }) => sourceId)).toEqual(["x:1", "x:1 "]);
    expect(faults).toMatchObject([{ rule: "csv-id-spaces", line: 3, outcome: "kept" }]);
  });

  it("tells of cells that a row has no use for, and of a provenance that is a part of one", async () => {
    const { concepts, faults } = await read("entry,code,source,language,expression,replacedBy\n,A,Ours,en,x,B\n");
    expect(concepts[0]?.provenance).toBeUndefined();
    expect(faults).toMatchObject([
      {
        rule: "csv-cell-unused",
        text: "A row of expression does not use replacedBy, so any content there is ignored",
      },
      { rule: "csv-provenance", concept: "A", line: 2, outcome: "kept" },
    ]);
  });
});

describe("a file that is not what it seems", () => {
  const head = "code,language,expression\n";
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

  it("is refused in one line that says where", async () => {
    const cases: [Text, RegExp][] = [
      ["", /^a\.csv:1: the file is empty\. Begin it with a line/],
      ["\uFEFF", /^a\.csv:1: the file is empty/],
      ["\n\n", /^a\.csv:1: the file is empty/],
      [
        "id;Name;en;pt-BR\n",
        /^a\.csv:1: "en", "pt-BR" are not columns, unless .*\. Name each .*: --language-columns en,pt-BR$/,
      ],
      [
        "Concept,Definiton,,Term,CODE,Code\n",
        /^a\.csv:1: column 3 has no name; "Concept", "Definiton" \(did you mean definition\?\), "Term" are not columns; "CODE", "Code" are the same column; there is no column expression\. /,
      ],
      ["sourceId,language,expression,\n", /^a\.csv:1: column 4 has no name\. Take it out, or give it one$/],
      ["sourceId,prefLabel@en\n", /^a\.csv:1: "prefLabel@en" is not a column; there is no column expression\. Rename or take out what is none of entry, code, /], // prettier-ignore
      ["A,en,refund\n", /^a\.csv:1: "A", "refund" are not columns; .* of entry, code, sourceId, .*, details\. /],
      ["code,code,expression\n", /^a\.csv:1: "code", "code" are the same column\. Keep one of them$/],
      ["sourceId,ID,expression\n", /^a\.csv:1: "sourceId", "ID" are the same column/],
      ["language,expression\n", /^a\.csv:1: there is no column that says which concept/],
      ["code,language\n", /^a\.csv:1: there is no column expression/],
      ["sep=;\ncode;language;expression\n", /^a\.csv:1: the first line does not name columns\. Take it out$/],
      [
        "# Words, and more\ncode,language,expression\n",
        /^a\.csv:1: the first line does not name columns\. Take it out$/,
      ],
      ["code,language,expression\rA,en,x\r", /^a\.csv:1: the lines end with CR only/],
      // Before, these two were told that a column has a wrong name.
      ["code,language,expression\r", /^a\.csv:1: the lines end with CR only/],
      ["\ncode,language,expression\rA,en,x\r", /^a\.csv:2: the lines end with CR only/],
      // Before, this one blamed the quote that closes a field.
      ['code,language,expression\rA,en,"x, y"\r', /^a\.csv:1: the lines end with CR only/],
      [`${head}A,en\n`, /^a\.csv:2: the row that begins here has 2 fields, and the header has 3/],
      [`${head}A,en,x\nA,en,x,y\n`, /^a\.csv:3: the row that begins here has 4 fields/],
      [`${head}A,en,"x\ny"\nA\n`, /^a\.csv:4: the row that begins here has 1 field, /],
      [`\n\r\n${head}\nA,en,"x\n\ny"\n\n\nA\n`, /^a\.csv:10: the row that begins here has 1 field, /],
      [`\n${head}\nA,en,x\n\n"A\n\n`, /^a\.csv:6: the row that begins here has a quote that is not closed/],
      [`\nA,en,x\n`, /^a\.csv:2: "A", "x" are not columns/],
      [`${head}""\n`, /^a\.csv:2: the row that begins here has 1 field, /],
      [`${head}A,en,"x"y\n`, /^a\.csv:2: the row that begins here has text after the quote/],
      [`${head}A,en,5" pipe\n`, /^a\.csv:2: the row that begins here has a quote within a field/],
      [`${head}A,en,x\nA,en,"x\nA,en,y\n`, /^a\.csv:3: the row that begins here has a quote that is not closed/],
      [`${head}A,en,"x`, /^a\.csv:2: .* is not closed/],
      [
        bytes(head, "A,en,x\nA,en,a", [0], "b\n"),
        /^a\.csv:3: The line has a NUL, as UTF-16 does\. Save the file as UTF-8$/,
      ],
      [Buffer.from(`\uFEFF${head}A,en,x\n`, "utf16le"), /^a\.csv:1: The file is UTF-16/],
      [bytes(head, "A,en,x\nA,de,Gr", [0xfc, 0x6e]), /^a\.csv:3: The line is not UTF-8\. Save the file as UTF-8$/],
      [bytes(head, "A,en,", [0xed, 0xa0, 0x80], "\n"), /^a\.csv:2: The line is not UTF-8/],
      [bytes(head, "A,en,", [0xe2, 0x82]), /^a\.csv:2: The file ends in the middle of a character/],
    ];
    for (const [text, message] of cases) expect(await messageOf(text), String(text)).toMatch(message);
  });

  it("is refused early where a field has no end, however large the file is", async () => {
    let read1MiB = 0;
    const chunks = function* (): Generator<Uint8Array> {
      yield Buffer.from(`${head}A,en,"`);
      for (; read1MiB < 1024; read1MiB++) yield Buffer.alloc(1 << 20, "語a,\n");
    };
    const effects = { ...memoryEffects({ "/a/b.csv": "" }), chunks };
    await expect(readCsv(effects, ["/a/b.csv"])).rejects.toThrow(
      /^b\.csv:2: the row that begins here is longer than 16 MiB/,
    );
    expect(read1MiB).toBeLessThan(40);
  });

  it.each([
    [";", 'sourceId;name;en;de;pt-BR\nx:1;One;"one; 1";eins;\nx:2;Two;two;;dois\nx:1;;I;;\n'],
    [",", "id,name,pt-BR,de,en\nx:1,One,,eins,one; 1\nx:2,Two,dois,,two\nx:1,,,,I\n"],
    [",", "id,name,PT-br,DE,EN\nx:1,One,,eins,one; 1\nx:2,Two,dois,,two\nx:1,,,,I\n"],
    ["\t", "name\tid\ten\tde\tpt-BR\nOne\tx:1\tone; 1\teins\t\nTwo\tx:2\ttwo\t\tdois\n\tx:1\tI\t\t\n"],
  ])("has a column for each language where that is said, with %j", async (delimiter, text) => {
    const { concepts, faults } = await read(text, {
      delimiter,
      languageColumns: ["en", text.includes("DE") ? "DE" : "de", "pt-BR"],
    });
    expect(faults).toMatchObject([{ rule: "csv-cell-several", text: '"one; 1" is taken as one expression' }]);
    expect(
      concepts.map(({ sourceId, name, expressions }) => [
        sourceId,
        name,
        expressions.map(({ tag, type, text: said }) => `${tag} ${type} ${said}`),
      ]),
    ).toEqual([
      ["x:1", "One", ["en preferred one; 1", "de preferred eins", "en alternate I"]],
      ["x:2", "Two", ["en preferred two", "pt-BR preferred dois"]],
    ]);
  });

  it.each([
    ["id,en\n", 'a.csv:1: there is no column de, only "id", "en". Name those of the file by --language-columns'],
    ["sep=,\nid,en,de\n", "a.csv:1: the first line does not name columns. Take it out"],
    ["id,e\u00A0n,\n", 'a.csv:1: there is no column en, only "id", "e\\u{A0}n", ""; there is no column de, only'],
    ["id,en,de,\n", "a.csv:1: column 4 has no name. Take it out, or give it one"],
    [
      "key,en,de\n",
      'a.csv:1: "key" is not a column; there is no column that says which concept a row is about. Rename or take out what is none of code, ',
    ],
    ["id,en,de,en\n", "a.csv:1: there are two columns en. Keep one of them; more rows of the same id hold the rest"],
    ["id,En,de,EN\n", "a.csv:1: there are two columns En. Keep one of them"],
    ["id,en,de,expression\n", 'a.csv:1: "expression" is not a column. Rename or take out'],
    ["en,de\n", "a.csv:1: there is no column that says which concept"],
  ])("is refused where it is not the wide table that was said: %j", async (text, message) => {
    await expect(read(text, { languageColumns: ["en", "de"] })).rejects.toThrow(message);
  });

  it.each([
    [",", "sourceId,language,expression\n"],
    [";", 'SourceID; Language ;EXPRESSION\u00A0;"a, b, c, d"\n'.replace(';"a, b, c, d"', "")],
    ["\t", "\uFEFFID\tlanguage\texpression\r\n"],
    ["|", "\n\nid|LANGUAGE|Expression\n"],
  ])(
    "has the separator %j and the columns that its header tells, however they are written",
    async (separator, header) => {
      const told: string[] = [];
      const onSeparator = (_file: string, one: string): void => void told.push(one);
      const { concepts } = await read(`${header}${["x:1", "en", "one, two"].join(separator)}\n`.replace(/one, two$/m, separator === "," ? '"one, two"' : "one, two"), { onSeparator }); // prettier-ignore
      expect(told).toEqual([separator]);
      expect(concepts).toMatchObject([{ sourceId: "x:1", expressions: [{ tag: "en", text: "one, two" }] }]);
    },
  );

  it("is judged by its first line alone: a separator in a cell below says nothing", async () => {
    await expect(read("sourceId\nx;y;z\n")).rejects.toThrow("there is no column expression");
    expect((await read('"sourceId";"language";"a,b,c,d,e"\n', { languageColumns: ["en"] }).catch(String)) as unknown).toContain('only "sourceId", "language", "a,b,c,d,e"'); // prettier-ignore
    await expect(read("code;language;expression\n", { delimiter: "," })).rejects.toThrow(
      'the header is split by ";", and not by ",". Leave --delimiter out, or say --delimiter ";"',
    );
  });

  it("is spoken of in its own words, also where a column is one language", async () => {
    const long = await read("Code,ID,Language,Expression,REVIEWSTATUS\n,,en,x,\nA,y,en,x,ok\n");
    expect(long.faults.map(({ text, remedy }) => `${text}. ${remedy}`)).toEqual([
      "The row does not say which concept it is about. Fill in Code or ID, the same on every row of a concept",
      expect.stringContaining('Column REVIEWSTATUS: "ok" is none of') as string,
    ]);
    const wide = await read("ID;Typ;EN\n1;;\n".replace("Typ", "TYPE").replace("1;;", "1;alternate;"), { languageColumns: ["en"] }); // prettier-ignore
    expect(wide.faults.map(({ text, remedy }) => `${text}. ${remedy}`)).toEqual([
      "A row of concept does not use TYPE, so any content there is ignored. Empty these cells, or give the row an expression",
    ]);
  });

  it("is judged alike however it comes in pieces", async () => {
    const whole = readFileSync(path.resolve(import.meta.dirname, "fixtures/csv-people.csv"));
    const expected = await read(whole);
    for (const size of [1, 2, 3, 7, 64]) {
      const chunks = function* (): Generator<Uint8Array> {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      };
      expect(await readCsv({ ...memoryEffects({ "in/a.csv": "" }), chunks }, ["in/a.csv"])).toEqual(expected);
    }
  });
});
