/**
 * Exports as others read them: SKOS by rapper, n3, jsonld-streaming-parser and the tests' own
 * reader, CSV and XML by Python. All of them must find the same in it, and what they find must be
 * sound SKOS. And the project's own import gives the same registry again, to the byte.
 */
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { JsonLdParser } from "jsonld-streaming-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { canonicalTurtle } from "../support/canonical.ts";
import { folder as folderOf, runHere } from "../support/command.ts";
import { execute, type Outcome } from "../support/npx.ts";
import { project } from "../support/project.ts";
import { skosViolations } from "../support/skos.ts";
import type { TermLike } from "../../generator/tools/vocabulary/formats/rdf-statement.ts";
import { formatTerm, parseTurtle, type Triple } from "../support/turtle-reader.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";

async function find(command: string, probe: readonly string[], install: string): Promise<boolean> {
  const { code } = await execute(command, probe, { cwd: tmpdir(), timeout: 600_000 });
  if (code !== 0)
    console.warn(`Skipped, ${command} is not here: \`apt-get install --no-install-recommends ${install}\`.`);
  return code === 0;
}

const hasRapper = await find("rapper", ["--version"], "raptor2-utils");
const hasPython = await find("python3", ["-c", "import csv, json, xml.etree.ElementTree"], "python3");

/** Everything that people put into a vocabulary, right and wrong. */
const FIRST = String.raw`@base <http://example.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .

<scheme> a skos:ConceptScheme ; dct:title "Things, \"quoted\""@en ; dct:license <https://creativecommons.org/licenses/by/4.0/> .

<apple> a skos:Concept ; skos:inScheme <scheme> ; skos:notation "A-1", "A.1" ;
  skos:prefLabel "apple"@en, "Apfel"@de, "maçã"@pt, "maçã do Brasil"@pt-BR, "蘋果"@zh-Hant, "苹果"@zh-Hans, "تفاحة"@ar, "סיבוב"@he ;
  skos:altLabel "apple"@en, "apples"@en, "Äpfel"@de, "pomme"@fr, "pomme"@fr-CA, "🍎"@en, "👩‍🌾"@en, "می‌خواهم"@fa ;
  skos:hiddenLabel "appel"@en, "aple"@en, "apples"@en ;
  skos:definition """A fruit: "round",
with two lines, a \\ backslash and a	tab."""@en, "Eine Frucht."@de ;
  skos:exactMatch <http://other.example/apple?a=b&c=%20#x>, <urn:x:apple> ; skos:closeMatch <http://other.example/fruit> ;
  skos:broader <fruit> .

<fruit> a skos:Concept ; skos:prefLabel "fruit"@en, "fruit"@fr, "Obst"@de, "Frucht"@de ;
  skos:altLabel " fruit "@en, "fru  it"@en, "frui\u0001t"@en, "fr\u00A0uit"@en, "fru\u200Bit"@en, "f\u202Eruit"@en, "re\u0301colte"@fr ;
  skos:scopeNote "What grows, \r\nin two lines."@en ; skos:narrower <apple> .

<formulas> a skos:Concept ; skos:prefLabel "=cmd|' /C calc'!A0"@en ;
  skos:altLabel "+1"@en, "-5"@en, "@home"@en, "'=quoted"@en, "''-5"@en, "'plain"@en, "a,b"@en, "a;b"@en, "\"quoted\""@en, "\"\""@en,
    "\ttabbed"@en, "\rreturned"@en, "two\r\nlines"@en, "two\nlines"@en, "back\\slash"@en, "<tag> & ]]>"@en, "#"@en, "%"@en, "NULL"@en, "001"@en, "1e5"@en ;
  skos:definition "=1+1"@en .

<pear> a skos:Concept ; skos:prefLabel "pear"@en, "poire"@fr ; skos:altLabel "no tag", "unknown tag"@xx, "Birne"@de-1996, "Birne"@de .
<plum> a skos:Concept ; skos:prefLabel "plum"@en, "Pflaume"@de .
<quince> a skos:Concept ; skos:prefLabel "quince"@en, "pear"@en-GB ; skos:altLabel "pear"@en .
<no-label> a skos:Concept ; skos:definition "Nobody calls it anything."@en .

<old-apple> a skos:Concept ; owl:deprecated true ; dct:isReplacedBy <apple> ; skos:prefLabel "old apple"@en ;
  skos:historyNote "Was an apple,\nonce"@en .
<older> a skos:Concept ; owl:deprecated true ; dct:isReplacedBy <apple>, <pear> ; skos:prefLabel "=older"@en .
`;

/** A newer dump: labels that went, came and changed their place, a concept that is gone. */
const SECOND = FIRST.replace('"plum"@en, "Pflaume"@de', '"damson"@en, "Zwetschge"@de ; skos:altLabel "Pflaume"@de')
  .replace('"apples"@en, "Äpfel"@de,', '"Äpfel"@de,')
  .replace(/^<quince>.*\n/m, "<medlar> a skos:Concept ; skos:prefLabel \"medlar\"@en .\n"); // prettier-ignore

interface Case {
  readonly name: string;
  /** Gives the folder of a registry. */
  readonly registry: (folder: string) => Promise<string>;
  /** Whether it stands in lines, so that its import stands in the same files. */
  readonly inLines: boolean;
}

async function must(args: readonly string[]): Promise<void> {
  const done = await runHere(args);
  expect(done.code, `${args.join(" ")}\n${done.stderr}\n${done.stdout}`).toBe(0);
}

function importing(from: string, into: string, format = "skos"): string[] {
  return ["import", "--format", format, "--from", from, "--into", into];
}

const cases: readonly Case[] = [
  {
    name: "a vocabulary with everything",
    inLines: true,
    async registry(folder) {
      const into = path.join(folder, "everything");
      const from = folderOf({ "things.ttl": FIRST, "newer/things.ttl": SECOND });
      await must([...importing(path.join(from, "things.ttl"), into), "--review-as", "reviewed"]);
      await must(["release-registry", "--registry", into, "--version", "2026.11.1"]);
      // What is new waits for review.
      await must(importing(path.join(from, "newer/things.ttl"), into));
      const role = ["--as", 'a test, "quoted"', "--on", "2026-11-21"];
      await must(["review", "--registry", into, "--reject", "--where", "language=de,status=in_review", ...role]);
      rmSync(from, { recursive: true });
      return into;
    },
  },
  { name: "the starter", inLines: false, registry: () => Promise.resolve(path.join(project, "registry")) },
];

interface Exported {
  readonly turtle: string;
  readonly jsonld: string;
  readonly csv: string;
  readonly tbx: string;
}

async function exportAll(registry: string, into: string): Promise<Exported> {
  mkdirSync(into);
  const file = (name: string): string => path.join(into, name);
  const all = { turtle: file("a.ttl"), jsonld: file("a.jsonld"), csv: file("a.csv"), tbx: file("a.tbx") };
  for (const [format, to] of [
    ["skos", all.turtle],
    ["skos", all.jsonld],
    ["csv", all.csv],
    ["tbx", all.tbx],
  ] as const)
    // prettier-ignore
    await must(["export", "--format", format, "--registry", registry, "--into", to, "--origin", "https://r.example"]);
  return all;
}

/** Lines by their bytes, YAML by what it says. */
function comparable(files: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, name.endsWith(".yaml") ? (parseYaml(text) as unknown) : text]),
  );
}

interface Expression {
  readonly language: string;
  readonly locale?: string | null;
  readonly expression: string;
  readonly type: string;
  readonly equivalenceStrength: number;
  readonly reviewStatus: string;
}

interface ConceptRecord {
  readonly code: string;
  readonly expressions: readonly Expression[];
}

/** The concepts of a registry, as its files have them. */
function conceptsIn(registry: string): ConceptRecord[] {
  return Object.entries(textsIn(path.join(registry, "concepts"), "utf8")).flatMap(([name, text]) =>
    name.endsWith(".ndjson")
      ? text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ConceptRecord]))
      : [parseYaml(text) as ConceptRecord],
  );
}

/** Terms of an RDF/JS library in the tests' own shape. */
function lineOf(subject: TermLike, predicate: TermLike, object: TermLike): string {
  const node = ({ termType, value, language = "", datatype }: TermLike) =>
    formatTerm(
      termType === "Literal"
        ? { kind: "literal", value, language: language.toLowerCase(), datatype: datatype?.value ?? "" }
        : { kind: termType === "NamedNode" ? "iri" : "blank", value },
    );
  return `${node(subject)} ${node(predicate)} ${node(object)}`;
}

/** Each triple as a line; RDF's language tags have no case, and exports have no blank nodes. */
function linesOf(triples: readonly Triple[]): string[] {
  return triples.map(({ subject, predicate, object }) => {
    const term = object.kind === "literal" ? { ...object, language: object.language.toLowerCase() } : object;
    return `${formatTerm(subject)} <${predicate}> ${formatTerm(term)}`;
  });
}

/** How often each predicate of labels stands. */
function labelCounts(lines: readonly string[]): Record<string, number> {
  const count = (name: string): number => lines.filter((line) => line.includes(` <${SKOS}${name}> `)).length;
  return Object.fromEntries(["prefLabel", "altLabel", "hiddenLabel"].map((name) => [name, count(name)]));
}

const READ_CSV = `
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    json.dump(list(csv.reader(file, strict=True)), sys.stdout)
`;

const READ_XML = `
import json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
space = "{urn:iso:std:iso:30042:ed-2}"
terms = [
    [concept.get("id"), section.get("{http://www.w3.org/XML/1998/namespace}lang"), term.text]
    for concept in root.iter(space + "conceptEntry")
    for section in concept.iter(space + "langSec")
    for term in section.iter(space + "term")
]
json.dump([root.tag, terms], sys.stdout)
`;
import { textsIn } from "../support/files.ts";

async function python(program: string, file: string): Promise<unknown> {
  const env = { PYTHONIOENCODING: "utf-8" };
  const { code, stdout, stderr } = await execute("python3", ["-c", program, file], { cwd: tmpdir(), env });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

function rapper(args: readonly string[]): Promise<Outcome> {
  return execute("rapper", ["-i", "turtle", ...args], { cwd: tmpdir(), timeout: 600_000 });
}

/** Tags that are not parted by rule into language and locale. */
const UNUSUAL = `@prefix skos: <${SKOS}> .
<http://example.org/a> a skos:Concept ; skos:prefLabel "private"@x-own, "old"@i-klingon, "extended"@zh-cmn-Hans, "plain"@en .
`;

describe.each(["turtle", "jsonld", "csv"] as const)("tags that name no language alone", (name) => {
  it(`come back by import of ${name}, to the byte`, async () => {
    const folder = folderOf({ "unusual.ttl": UNUSUAL });
    const registry = path.join(folder, "registry");
    await must([...importing(path.join(folder, "unusual.ttl"), registry), "--review-as", "reviewed"]);
    const exported = await exportAll(registry, path.join(folder, "exported"));
    const back = path.join(folder, "back");
    await must([...importing(exported[name], back, name === "csv" ? "csv" : "skos"), "--review-as", "reviewed"]);
    expect(textsIn(back, "utf8")).toEqual(textsIn(registry, "utf8"));
    rmSync(folder, { recursive: true });
  });
});

describe.each(cases)("the export of $name", ({ registry: makeRegistry, inLines }) => {
  let folder: string;
  let registry: string;
  let exported: Exported;
  let triples: readonly Triple[];
  let lines: readonly string[];
  let concepts: readonly ConceptRecord[];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "export-"));
    registry = await makeRegistry(folder);
    exported = await exportAll(registry, path.join(folder, "exported"));
    triples = parseTurtle(readFileSync(exported.turtle, "utf8"));
    lines = linesOf(triples);
    concepts = conceptsIn(registry);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("says each thing once", () => {
    expect(new Set(lines).size).toBe(lines.length);
    expect(triples.filter(({ subject, object }) => subject.kind === "blank" || object.kind === "blank")).toEqual([]);
  });

  it("has every reviewed and exact expression as a label", () => {
    const labels = new Set(lines.filter((line) => /^\S+ \S+core#(?:pref|alt)Label>/.test(line)).map(withoutPredicate));
    const wanted = concepts.flatMap(({ code, expressions }) =>
      expressions
        .filter(({ reviewStatus, equivalenceStrength }) => reviewStatus === "reviewed" && equivalenceStrength === 1)
        .map(({ language, locale, expression }) => {
          const tag = (locale ?? language).toLowerCase();
          const term = formatTerm({ kind: "literal", value: expression, language: tag, datatype: "" });
          return `<https://r.example/api/v1/concepts/${code}> ${term}`;
        }),
    );
    expect(labels).toEqual(new Set(wanted));
  });

  it.skipIf(!hasRapper)("is read by rapper without a word, as by the tests' own reader", async () => {
    const counted = await rapper(["-c", exported.turtle]);
    expect(counted.code).toBe(0);
    expect(counted.stderr).toMatch(new RegExp(`returned ${triples.length} triples`));
    expect(counted.stderr).not.toMatch(/warning|error/i);
    const { code, stdout, stderr } = await rapper(["-q", "-o", "ntriples", exported.turtle]);
    expect([code, stderr]).toEqual([0, ""]);
    const theirs = linesOf(parseTurtle(stdout));
    expect(theirs.toSorted()).toEqual(lines.toSorted());
    expect(labelCounts(theirs)).toEqual(labelCounts(lines));
  });

  it.skipIf(!hasRapper)("is read by rapper as a release publishes it, with its description", async () => {
    const dist = path.join(folder, "dist");
    await must(["build", "--registry", registry, "--out", dist, "--origin", "https://r.example"]);
    for (const name of ["registry/concepts.ttl", ".well-known/void"]) {
      const { code, stdout, stderr } = await rapper(["-q", "-o", "ntriples", path.join(dist, name)]);
      expect([name, code, stderr]).toEqual([name, 0, ""]);
      const own = await canonicalTurtle(readFileSync(path.join(dist, name), "utf8"));
      expect(await canonicalTurtle(stdout)).toEqual(own);
    }
    expect(skosViolations(parseTurtle(readFileSync(path.join(dist, "registry/concepts.ttl"), "utf8")))).toEqual([]);
  });

  it("says the same as JSON-LD, for jsonld-streaming-parser", async () => {
    const theirs: string[] = [];
    // The context comes first, which spares the parser from holding everything back.
    const parser = new JsonLdParser({ streamingProfile: true, streamingProfileAllowOutOfOrderPlainType: true });
    const quads = createReadStream(exported.jsonld).pipe(parser) as AsyncIterable<
      Record<"subject" | "predicate" | "object", TermLike>
    >;
    for await (const { subject, predicate, object } of quads) theirs.push(lineOf(subject, predicate, object));
    expect(theirs.toSorted()).toEqual(lines.toSorted());
  });

  it("keeps the integrity conditions of SKOS", () => {
    expect(skosViolations(triples)).toEqual([]);
  });

  it.skipIf(!hasPython)("is CSV to Python, row for row, with nothing that a spreadsheet runs", async () => {
    const [header = [], ...rows] = (await python(READ_CSV, exported.csv)) as string[][];
    const at = (name: string): number => header.indexOf(name);
    expect(rows.filter((row) => row.length !== header.length)).toEqual([]);
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r\n\0]/.test(cell))).toEqual([]);
    const columns = ["code", "language", "locale", "expression", "type", "equivalenceStrength", "reviewStatus"];
    const read = rows
      .filter((row) => row[at("entry")] === "" || row[at("entry")] === "expression")
      .map((row) => columns.map((name) => row[at(name)]));
    const written = concepts
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .flatMap(({ code, expressions }) =>
        expressions.map(({ language, locale, expression, type, equivalenceStrength, reviewStatus }) => [
          code,
          language,
          locale ?? "",
          guarded(expression),
          type,
          String(equivalenceStrength),
          reviewStatus,
        ]),
      );
    expect(read).toEqual(written);
  });

  it.skipIf(!hasPython)("is TBX that Python reads, with every published expression", async () => {
    const [root, terms] = (await python(READ_XML, exported.tbx)) as [string, string[][]];
    expect(root).toBe("{urn:iso:std:iso:30042:ed-2}tbx");
    const published = concepts.flatMap(({ code, expressions }) =>
      expressions
        .filter(({ reviewStatus }) => reviewStatus === "reviewed")
        .map(({ language, locale, expression }) => JSON.stringify([code, locale ?? language, expression])),
    );
    expect(terms.map((term) => JSON.stringify(term)).toSorted()).toEqual(published.toSorted());
  });

  it.each(["turtle", "jsonld", "csv"] as const)("comes back by import of %s, to the byte", async (name) => {
    const into = path.join(folder, `back-${name}`);
    const format = name === "csv" ? "csv" : "skos";
    await must([...importing(exported[name], into, format), "--review-as", "reviewed"]);
    const again = await exportAll(into, path.join(folder, `again-${name}`));
    for (const one of ["turtle", "jsonld", "csv", "tbx"] as const)
      expect([one, readFileSync(again[one], "utf8")]).toEqual([one, readFileSync(exported[one], "utf8")]);
    // A third one, from what came of the second.
    const third = path.join(folder, `third-${name}`);
    await must([...importing(again[name], third, format), "--review-as", "reviewed"]);
    expect(textsIn(third, "utf8")).toEqual(textsIn(into, "utf8"));
    if (!inLines) return;
    // Its releases are no part of an export.
    const isOfReleases = (file: string): boolean => /^(?:history\.yaml$|released\/|changes\/)/.test(file);
    const original = Object.fromEntries(
      Object.entries(textsIn(registry, "utf8")).filter(([file]) => !isOfReleases(file)),
    );
    expect(comparable(textsIn(into, "utf8"))).toEqual(comparable(original));
  });

  it.skipIf(process.platform === "win32")("ends without a stack trace where nobody reads on", async () => {
    const line = `"$0" lib/generator/main.js export --format csv --registry "$1" | head -n 1`;
    const { stderr } = await execute("sh", ["-c", line, process.execPath, registry], { cwd: project });
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

function withoutPredicate(line: string): string {
  return line.replace(/^(\S+) \S+ /, "$1 ");
}

/** Puts an apostrophe before what a spreadsheet would run or already looks quoted. */
function guarded(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
