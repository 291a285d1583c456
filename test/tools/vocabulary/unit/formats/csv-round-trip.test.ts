import { describe, expect, it } from "vitest";
import { readCsv } from "../../../../../generator/tools/vocabulary/formats/csv-read.ts";
import { writeCsv } from "../../../../../generator/tools/vocabulary/formats/csv-write.ts";
import type { SourceConcept } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { ExportError } from "../../../../../generator/text/export-error.ts";
import { IN_MEMORY } from "../../../../../generator/scratch/spool.ts";
import { compareCodePoints } from "../../../../../generator/text/order.ts";
import { readRegistry, type RegistrySource } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord, ExpressionRecord, RetiredRecord } from "../../../../../generator/registry/record.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";
import { nasty } from "../../../../support/nasty.ts";
import { random } from "../../../../support/random.ts";
import { concept, expression, type RegistryFiles, registryFiles } from "../../../../support/registry.ts";
import { expressionOf, hiddenOf, retiredOf } from "./records.ts";

function registrySource(files: RegistryFiles): RegistrySource {
  const source = readRegistry(memoryEffects(registryFiles(files)), "registry", () => undefined);
  expect(source.findings).toEqual([]);
  return source;
}

/** A registry of these concepts without a file: for records that other rules would refuse. */
function sourceOf(...records: ConceptRecord[]): RegistrySource {
  const concepts = records.map((record) => ({ file: "concepts/test.ndjson", record }));
  return { registry: undefined, concepts, retired: [], history: [], codeMap: [], findings: [], budget: IN_MEMORY };
}

async function readBack(registry: Parameters<typeof writeCsv>[0], chunkBytes = 1 << 20) {
  const text = [...writeCsv(registry)].join("");
  const bytes = new TextEncoder().encode(text);
  const effects = memoryEffects({ "a.csv": bytes });
  const chunks = function* (): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  const source = await readCsv({ ...effects, chunks }, ["a.csv"]);
  const concepts = source.concepts.filter(({ retired }) => retired === undefined).map(recordOf);
  const retired = source.concepts.filter(({ retired: entry }) => entry !== undefined).map(retiredOf);
  return { ...source, concepts, retired, text };
}

/** The record that the neutral form stands for. */
function recordOf(read: SourceConcept): ConceptRecord {
  const { code = "", name = "", definitions, domain = "", provenance = null, renderings, blank } = read;
  return {
    code,
    name,
    ...(definitions[0] && { definition: definitions[0].text }),
    domain,
    provenance,
    expressions: read.expressions.map((one) => expressionOf(one, (language) => ({ language }))),
    ...(renderings && { renderings }),
    ...hiddenOf(read),
    ...(read.vocabulary?.kind === "fields" && read.vocabulary.fields),
    ...blank,
  };
}

function recordsOf({ concepts }: RegistrySource): ConceptRecord[] {
  return concepts.map(({ record }) => record).sort((a, b) => compareCodePoints(a.code, b.code));
}

/** Texts that something between two programs likes to change. */
const TEXTS = [
  "plain",
  " leading and trailing ",
  "\u00A0no-break\u00A0",
  'say "hi"',
  '"',
  '""',
  "a,b;c\td",
  "two\nlines",
  "two\r\nlines",
  "old\rmac",
  "\r",
  "\n",
  "\t",
  "=1+1",
  "+49",
  "-ing",
  "@home",
  "'",
  "'quoted'",
  "'=1",
  "''-x",
  "'''",
  "{}",
  "null",
  "no",
  "0123",
  "1e5",
  "2026-11-21",
  "e\u0301 not composed",
  "\uFEFFbom",
  "\u202Ebidi",
  "\u2028separator",
  "\u0001control\u007F",
  "\uFFFF\u{1FFFF}",
  "😀👩‍💻",
  "مرحبا",
  "語".repeat(3000),
];

function oddConcept(code: string, next: (below: number) => number): ConceptRecord {
  const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T;
  const text = (): string => pick(TEXTS);
  const maybe = <K extends string, V>(name: K, ...values: readonly V[]) =>
    (next(2) === 0 ? {} : { [name]: pick(values) }) as { [name in K]?: V };
  const matches = () => ({
    ...maybe("exactMatch", [], [text(), text()]),
    ...maybe("closeMatch", [], [text()]),
    ...maybe("relatedMatch", [], [text()]),
  });
  const provenance = () => ({
    source: text(),
    license: text(),
    sourceId: pick([null, text()]),
    reviewedBy: pick([null, text()]),
    reviewedAt: pick([null, "2026-11-21", "9999-12-31"]),
    ...matches(),
  });
  const odd = (): ExpressionRecord => ({
    language: pick(["en", "pt-BR", "zh-Hant", "x-private", "EN", "zh_CN", text()]),
    ...maybe("locale", null, "pt-BR", text()),
    expression: pick([text(), ""]),
    type: pick(["preferred", "alternate", "abbreviation", "symbol"]),
    equivalenceStrength: pick([0, 1, 0.1e-7, 0.30000000000000004, 5e-324, 0.5]),
    reviewStatus: pick(["draft", "in_review", "reviewed", "rejected", "retired"]),
    ...maybe("provenance", null, provenance()),
  });
  const rendering = () => ({
    type: pick(["emoji", "symbol", "pictogram", "text"] as const),
    descriptor: text(),
    unicodeSequence: pick([null, text(), "\uD800"]),
    confidence: pick([0, 1, 1e-9]),
  });
  const several = <T>(make: () => T): T[] => Array.from({ length: next(4) }, make);
  return {
    code,
    name: text(),
    ...maybe("definition", null, "", text()),
    domain: text(),
    provenance: pick([null, provenance()]),
    expressions: several(odd),
    ...maybe("renderings", several(rendering)),
    ...maybe(
      "hiddenLabels",
      several(() => ({ language: pick(["en", text()]), label: pick([text(), ""]) })),
    ),
    ...maybe("notes", { definition: several(() => ({ ...maybe("language", text()), text: text() })) }),
    ...maybe("broader", [], [text()]),
    ...maybe("source", [], [text(), text()]),
  };
}

describe("a registry as CSV", () => {
  it("comes back record by record, with everything around", async () => {
    const retired: RetiredRecord = [
      { code: "N-RETIRED", retiredIn: "2026.10.1", replacedBy: "N-MONEY" },
      {
        code: "N-GONE",
        retiredIn: "2026.10.1",
        replacedBy: null,
        name: "-gone",
        sourceId: "urn:gone",
        reason: 'no "use"',
      },
      { code: "N-GONE", retiredIn: "2026.10.2", replacedBy: null },
    ];
    const vocabularies = [{ domain: "d", subject: "_:x1", source: ['<urn:p> "=x"@en'] }];
    const registry = { ...registrySource({ ...nasty, retired }), vocabularies };
    const read = await readBack(registry);
    expect(read.concepts).toEqual(recordsOf(registry));
    expect(read).toMatchObject({
      registry: registry.registry,
      retired,
      vocabulary: vocabularies,
      leftOut: {},
      faults: [],
    });
  });

  it("comes back whatever a record holds that the schema admits", async () => {
    for (let seed = 0; seed < 40; seed++) {
      const next = random(seed);
      const codes = [...new Set(Array.from({ length: 12 }, (_, i) => (i < 6 ? `C-${i}` : (TEXTS[next(36)] ?? ""))))];
      const registry = sourceOf(...codes.map((code) => oddConcept(code, next)));
      const read = await readBack(registry, 1 + next(300));
      expect(read.concepts, `seed ${seed}`).toStrictEqual(recordsOf(registry));
      expect(read.faults, `seed ${seed}`).toEqual([]);
    }
  });

  it("tells absent, null and empty apart", async () => {
    const bare = { code: "A", name: "a", domain: "d", provenance: null, expressions: [] };
    const records = [
      bare,
      { ...bare, code: "B", definition: null, renderings: [], hiddenLabels: [] },
      { ...bare, code: "C", definition: "", expressions: [expression("en", "x", { locale: null, provenance: null })] },
      { ...bare, code: "D", expressions: [expression("pt-BR", "x"), expression("pt-BR", "x", { locale: null })] },
    ];
    expect((await readBack(sourceOf(...records))).concepts).toStrictEqual(records);
  });

  it("stands in order of code, ends lines with CR LF, and gives the same bytes in every order of files", () => {
    const [one, two] = [concept("B", [expression("en", "b")]), concept("A", [expression("en", "a")])];
    const text = [...writeCsv(sourceOf(one, two))].join("");
    expect([...writeCsv(sourceOf(two, one))].join("")).toBe(text);
    expect(text.split("\r\n").map((line) => line.split(",").slice(0, 2).join())).toEqual([
      "entry,code",
      "concept,A",
      ",A",
      "concept,B",
      ",B",
      "",
    ]);
  });

  it("is read again in a spreadsheet's hands: other line ends, a mark at the start, rows and columns moved", async () => {
    const registry = registrySource(nasty);
    const text = [...writeCsv(registry)].join("").replaceAll("\r\n", "\n");
    const source = await readCsv(memoryEffects({ "a.csv": `\uFEFF${text}` }), ["a.csv"]);
    expect(source.concepts.map(recordOf).filter(({ code }) => code !== "N-RETIRED")).toEqual(recordsOf(registry));
  });

  it("lets no spreadsheet run a cell", () => {
    const registry = sourceOf(
      concept(
        "C",
        TEXTS.map((text) => expression("en", text)),
        { name: "=cmd|' /C calc'!A0", definition: "@SUM(A1)" },
      ),
    );
    const cells = [...writeCsv(registry)].join("").match(/"(?:[^"]|"")*"|[^,"\r\n]+/g) ?? [];
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  it("keeps the languages that are named, and what is narrower", async () => {
    const texts = [
      expression("pt", "a"),
      expression("pt", "b", { locale: "pt-BR" }),
      expression("zh-Hant", "c"),
      expression("zh", "d"),
    ];
    const labels = [
      { language: "pt-PT", label: "e" },
      { language: "en", label: "f" },
    ];
    const registry = sourceOf(concept("C", texts, { hiddenLabels: labels }), concept("D", []));
    const written = async (languages: string[]) => {
      const text = [...writeCsv(registry, { languages })].join("");
      const { concepts } = await readCsv(memoryEffects({ "a.csv": text }), ["a.csv"]);
      return concepts.map((one) => [...one.expressions, ...one.hiddenLabels].map(({ text: label }) => label).join(""));
    };
    expect(await written(["PT"])).toEqual(["abe", ""]);
    expect(await written(["pt_BR"])).toEqual(["b", ""]);
    expect(await written(["zh-Hant", "en"])).toEqual(["cf", ""]);
    expect(await written([])).toEqual(["abcdef", ""]);
  });

  it("refuses what no such file can hold, with the record's code", () => {
    const write = (...records: ConceptRecord[]): string => [...writeCsv(sourceOf(...records))].join("");
    expect(() => write(concept("C", [expression("en", "half \uD83D")]))).toThrow(
      new ExportError(
        'Concept "C", row of expression: expression has half of a surrogate pair, which UTF-8 cannot hold. Fix the record, then export again',
      ),
    );
    expect(() => write(concept("C", [], { name: "a\0b" }))).toThrow('Concept "C", row of concept: name has a NUL');
    expect(() => write(concept("C", [], { definition: "語".repeat(6e6) }))).toThrow("longer than 16 MiB");
    expect(() => write(concept("C", []), concept("C", []))).toThrow('Two concepts have the code "C"');
  });
});
