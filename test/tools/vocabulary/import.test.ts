import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { formatConceptLine } from "../../../generator/tools/vocabulary/edit/write.ts";
import { whenRead } from "../../support/until.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { copyStarter } from "../../support/project.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { textsIn } from "../../support/files.ts";

const TURTLE = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@base <http://fruit.example/> .

<> a skos:ConceptScheme ; dcterms:title "Fruit"@en ; dcterms:license <http://creativecommons.org/publicdomain/zero/1.0/> .
<apple> a skos:Concept ; skos:inScheme <> ; skos:notation "F1" ;
  skos:prefLabel "apple"@en, "pomme"@fr, "Apfel"@de ; skos:altLabel "eating apple"@en ; skos:hiddenLabel "aple"@en ;
  skos:definition "The round fruit of a tree of the rose family."@en ; skos:exactMatch <http://www.wikidata.org/entity/Q89> .
<pear> a skos:Concept ; skos:notation "F2" ; skos:prefLabel "pear"@en, "poire"@fr ; skos:altLabel "fruit "@en ;
  skos:scopeNote "Only the European kinds."@en .
<bulb> a skos:Concept ; skos:prefLabel "light bulb"@en, "poire"@fr .
<medlar> a skos:Concept ; owl:deprecated true ; skos:prefLabel "medlar"@en ; dcterms:isReplacedBy <pear> .
`;

function command(name: string, ...args: string[]): Promise<Outcome> {
  return runHere([name, ...args]);
}

/** A folder with a source; `into` is a registry that is not there yet. */
function place(files: Readonly<Record<string, string | Uint8Array>> = { "fruit.ttl": TURTLE }): {
  directory: string;
  from: string;
  into: string;
  findings: string;
} {
  const directory = folder(files);
  const [first = ""] = Object.keys(files);
  const at = (name: string): string => path.join(directory, name);
  return { directory, from: at(first), into: at("own"), findings: at("findings.ndjson") };
}

function importSkos({ from, into }: { from: string; into: string }, ...more: string[]): Promise<Outcome> {
  return command("import", "--format", "skos", "--from", from, "--into", into, ...more);
}

function records(into: string, domain = "fruit"): { code: string; name: string; provenance: { sourceId: string } }[] {
  const text = readFileSync(path.join(into, "concepts", `${domain}.ndjson`), "utf8").trim();
  return text.split("\n").map((line) => JSON.parse(line) as ReturnType<typeof records>[number]);
}

describe("import", () => {
  it("says which faults --fix would repair, and names the row of each", async () => {
    const csv =
      'id;name;definition;EN;de\nx:1;One;;one;eins\nx:2;Two;A number.;two;zwei\nx:1;;"First\r\nnumber.";;ein\u00A0s\n';
    const own = place({ "words.csv": csv });
    const args = ["import", "--format", "csv", "--from", own.from, "--into", own.into, "--name", "Numbers", "--domain", "numbers"]; // prettier-ignore
    const wide = ["--delimiter", ";", "--language-columns", "EN,de", "--findings", own.findings];
    const { code, stdout } = await runHere([...args, ...wide]);
    expect([code, readFileSync(path.join(own.into, "registry.yaml"), "utf8")]).toEqual([0, expect.stringMatching(/^name: "?Numbers/m)]); // prettier-ignore
    expect(stdout).toMatch(/^ {2}import again with --fix spaces to repair 2 of them: .*expression-spaces 1/m);
    const faults = readFileSync(own.findings, "utf8").trim().split("\n").map((line) => JSON.parse(line) as { rule: string; line: number }); // prettier-ignore
    const rows = faults.filter(({ rule }) => rule !== "definition-missing").map(({ line }) => line);
    expect(rows).toEqual([4, 4, 4]);
    const fixed = await runHere([...args, ...wide, "--fix", "spaces"]);
    expect([fixed.code, fixed.stdout.includes("import again")]).toEqual([0, false]);
    expect(records(own.into, "numbers").map(({ name }) => name)).toEqual(["Two", "One"]);
  });

  it.each([
    ["大".repeat(27), 1],
    ["大".repeat(26), 0],
    ["d".repeat(236), 1],
    ["d".repeat(235), 0],
  ])("refuses a domain that makes too long a file name, before it writes: %s", async (domain, code) => {
    const at = place({ [`${domain.slice(0, 80)}.csv`]: "sourceId,language,expression\nx,en,x\n" });
    const given = domain.length > 80 ? ["--domain", domain] : [];
    const done = await runHere(["import", "--format", "csv", "--from", at.from, "--into", at.into, ...given]);
    expect([done.code, existsSync(at.into)]).toEqual([code, code === 0]);
    if (code === 1)
      expect(done.stderr).toMatch(new RegExp(`^The domain "${domain.slice(0, 100)}.* is too long .* by --domain.*\n$`));
  });

  it.each([
    ["n e w", "'n e w'"],
    ["-x", "./-x"],
  ])("says what to do next with a folder %j in lines that can be copied", async (into, word) => {
    const cwd = folder({ "a.csv": "sourceId,language,expression\nx,en,x\n" });
    const { stdout } = await runHere(["import", "--format", "csv", "--from", "a.csv", `--into=${into}`], { cwd });
    const next = stdout.slice(stdout.indexOf("Next:")).trimEnd().split("\n").slice(1);
    expect(next.length).toBe(4);
    for (const line of next) expect(line).toContain(` -- --registry ${word}`);
  });

  it("says that what is accepted after a release is to be released too", async () => {
    const at = place();
    await importSkos(at, "--review-as", "reviewed");
    await command("release-registry", "--registry", at.into, "--version", "2026.11.1");
    writeFileSync(at.from, TURTLE.replace('"eating apple"@en', '"eating apple"@en, "dessert apple"@en'));
    const { stdout } = await importSkos(at);
    expect(stdout).toMatch(/--accept --as ROLE --on DATE\n.*run release:registry -- --registry .* --version YYYY/);
  });

  it("writes the findings as a new file, or into a pipe: a second name of the source keeps the source", async () => {
    const at = place();
    linkSync(at.from, at.findings);
    expect(await importSkos(at, "--findings", at.findings)).toMatchObject({ code: 0 });
    expect(readFileSync(at.from, "utf8")).toBe(TURTLE);
    const pipe = path.join(at.directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const nobody = await importSkos(at, "--findings", pipe);
    expect([nobody.code, nobody.stderr]).toEqual([1, `${pipe} is a pipe that nobody reads, so nothing was written: name a file\n`]); // prettier-ignore
    const reader = spawn("cat", [pipe]);
    const held = await whenRead(pipe);
    expect(await importSkos(at, "--findings", pipe)).toMatchObject({ code: 0 });
    closeSync(held);
    const read = JSON.parse((await textOf(reader.stdout)).split("\n")[0] ?? "") as Record<string, string>;
    expect(Object.keys(read)).toContain("remedy");
    expect(readdirSync(at.directory).sort()).toEqual(["findings.ndjson", "fruit.ttl", "own", "pipe"]);
  });

  it("makes a registry that builds, and says what it did and what was wrong", async () => {
    const at = place();
    const done = await importSkos(at, "--review-as", "reviewed", "--findings", at.findings);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("concepts: 3 new, 0 changed, 0 unchanged; 1 code newly retired");
    expect(done.stdout).toContain("3 concepts, 1 retired code, 9 expressions in 3 languages: 8 reviewed, 1 waiting");
    expect(done.stdout).toContain("npm run review -- --registry");
    const findings = readFileSync(at.findings, "utf8").trim().split("\n");
    expect(findings.map((line) => (JSON.parse(line) as { rule: string }).rule).sort()).toEqual([
      "ambiguous-within-language",
      "definition-missing",
      "definition-missing",
      "expression-spaces",
    ]);
    expect(Object.keys(textsIn(at.into, "utf8")).sort()).toEqual([
      "code-map.ndjson",
      "concepts/fruit.ndjson",
      "registry.yaml",
      "retired.yaml",
      "vocabularies/fruit.ndjson",
    ]);
    expect(readFileSync(path.join(at.into, "registry.yaml"), "utf8")).toBe(
      'name: "Fruit"\nregistryVersion: 0000.01.0\nlicense: "CC0-1.0"\nlanguages: ["de", "en", "fr"]\n',
    );
    const out = path.join(at.directory, "dist");
    expect(await command("build", "--registry", at.into, "--out", out)).toMatchObject({ code: 0, stderr: "" });
    const resolved = await command("resolve", "--out", out, "--language", "fr", "pomme");
    expect(resolved.stdout).toContain(`"code":"${records(at.into).find(({ name }) => name === "apple")?.code}"`);
    expect((await command("resolve", "--out", out, "--language", "fr", "poire")).stdout).toContain("ambiguous");
    for (const never of ["aple", "medlar", "fruit ", "fruit"]) {
      expect((await command("resolve", "--out", out, never)).stdout, never).toContain("no_reviewed_exact_match");
    }
  });

  it("gives the same bytes for the same input, again, into another folder, and with the statements in another order", async () => {
    const at = place();
    await importSkos(at);
    const first = textsIn(at.into, "utf8");
    expect((await importSkos(at)).stdout).toContain("0 new, 0 changed, 3 unchanged; 0 codes newly retired");
    expect(textsIn(at.into, "utf8")).toEqual(first);
    const [prologue, ...blocks] = TURTLE.split(/\n(?=<)/);
    const other = place({ "fruit.ttl": [prologue, ...blocks.toReversed()].join("\n") });
    await importSkos(other);
    expect(textsIn(other.into, "utf8")).toEqual(first);
  });

  it("reads the files of one vocabulary together, whatever follows --from", async () => {
    const blocks = TURTLE.split(/\n(?=<)/);
    const half = (...numbers: number[]): string => [0, ...numbers].map((number) => blocks[number]).join("\n");
    const whole = place();
    await importSkos(whole);
    const parts = place({ "fruit.ttl": half(1, 2, 3), "rest.ttl": half(4, 5) });
    await importSkos(parts, path.join(parts.directory, "rest.ttl"));
    expect(textsIn(parts.into, "utf8")).toEqual(textsIn(whole.into, "utf8"));
  });

  it("leaves out what is not asked for, and takes codes from notations", async () => {
    const at = place();
    await importSkos(at, "--languages", "fr,de", "--code-from", "notation", "--domain", "a/b .ü");
    expect(Object.keys(textsIn(at.into, "utf8"))).toContain("concepts/a%2Fb%20.%C3%BC.ndjson");
    expect(
      records(at.into, "a%2Fb%20.%C3%BC")
        .map(({ code, name }) => [code, name])
        .slice(1),
    ).toEqual([
      ["F1", "Apfel"],
      ["F2", "poire"],
    ]);
    expect(await command("lint", "--registry", at.into)).toMatchObject({ code: 0 });
  });

  it("leaves out what no line of N-Triples can hold, and says so", async () => {
    const said = (property: string, tag: string): object => ({ [property]: { "@value": "x", "@language": tag } });
    const at = place({
      "tags.jsonld": JSON.stringify({
        "@context": { "@vocab": "http://www.w3.org/2004/02/skos/core#" },
        "@graph": [
          { "@id": "urn:s", "@type": "ConceptScheme", ...said("urn:p", "d e") },
          { "@id": "urn:c", "@type": "Concept", ...said("altLabel", "e n"), ...said("note", "f<r"), ...said("urn:p", 'g"r') },
        ],
      }),
    }); // prettier-ignore
    await importSkos(at, "--findings", at.findings);
    const findings = readFileSync(at.findings, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Record<string, string>); // prettier-ignore
    const ofTags = findings.filter(({ rule }) => rule !== "definition-missing");
    expect(ofTags.map(({ rule, outcome, concept: of }) => [rule, outcome, of])).toEqual([
      ["language-not-well-formed", "held", "urn:c"],
      ["source-line", "left out", "urn:c"],
      ["source-line", "left out", "urn:c"],
      ["source-line", "left out", "urn:s"],
    ]);
    expect(await command("lint", "--registry", at.into)).toMatchObject({ code: 0 });
    const exported = await command("export", "--format", "source", "--registry", at.into, "--into", `${at.into}.ttl`);
    expect(exported.stderr).toContain('Turtle has no form for the language tag "e n"');
  });

  it.each([
    ["an empty notation", { notation: "" }],
    ["a repaired label, whose tag no line can hold", { altLabel: { "@value": " x ", "@language": "e n" } }],
  ])("makes a registry without errors of %s", async (_title, said) => {
    const thing = { "@context": { "@vocab": "http://www.w3.org/2004/02/skos/core#" }, "@id": "urn:c", "@type": "Concept" };
    const at = place({ "one.jsonld": JSON.stringify({ ...thing, ...said }) });
    expect(await importSkos(at, "--fix", "spaces")).toMatchObject({ code: 0, stderr: "" });
    expect(await command("lint", "--registry", at.into)).toMatchObject({ code: 0 });
  }); // prettier-ignore

  it("keeps what it does not import: other domains, comments, concepts of people", async () => {
    const own = concept("C-OWN", [expression("en", "plum")], { domain: "fruit" });
    const files = registryFiles({
      concepts: [own],
      registry: { registryVersion: "2026.11.1" },
      files: {
        "registry/registry.yaml":
          "# Ours.\nname: Mixed\nregistryVersion: 2026.11.1 # the next\nlanguages: [en, pt]\nlicense: CC0-1.0\n",
        "registry/retired.yaml": "# Never again.\n[]\n",
      },
    });
    const directory = folder({ ...files, "fruit.ttl": TURTLE });
    const into = path.join(directory, "registry");
    await importSkos({ from: path.join(directory, "fruit.ttl"), into }, "--review-as", "reviewed");
    const after = textsIn(into, "utf8");
    expect(after["registry.yaml"]).toBe(
      "# Ours.\nname: Mixed\nregistryVersion: 2026.11.1 # the next\nlanguages: [de, en, fr, pt]\nlicense: CC0-1.0\n",
    );
    expect(after["retired.yaml"]).toMatch(/^# Never again\.\n- \{ code: /);
    expect(after["concepts/fruit/C-OWN.yaml"]).toBe(files["registry/concepts/fruit/C-OWN.yaml"]);
    expect(await command("lint", "--registry", into)).toMatchObject({ code: 0 });
  });

  it("moves a concept that changes from its file into the lines", async () => {
    const record = concept("C-PEAR", [expression("en", "pear")], {
      domain: "fruit",
      provenance: {
        source: "Fruit",
        license: "CC0-1.0",
        sourceId: "http://fruit.example/pear",
        reviewedBy: "editor",
        reviewedAt: "2026-11-01",
      },
    });
    const directory = folder({ ...registryFiles({ concepts: [record] }), "fruit.ttl": TURTLE });
    const into = path.join(directory, "registry");
    await importSkos({ from: path.join(directory, "fruit.ttl"), into });
    expect(Object.keys(textsIn(into, "utf8"))).not.toContain("concepts/fruit/C-PEAR.yaml");
    expect(records(into).find(({ code }) => code === "C-PEAR")).toMatchObject({
      provenance: { reviewedBy: "editor", reviewedAt: "2026-11-01" },
      expressions: expect.arrayContaining([
        expect.objectContaining({ expression: "pear", reviewStatus: "reviewed" }),
      ]) as unknown,
    });
  });
});

describe("an import that is stopped between two of its files", () => {
  const stopped = (at: number): Effects => {
    let done = 0;
    const step = (): void => {
      if (++done === at) throw new Error("Stopped");
    };
    return {
      ...fileSystem,
      rename: (from, to) => (step(), fileSystem.rename(from, to)),
      remove: (file) => (file.endsWith(".new") || step(), fileSystem.remove(file)),
    };
  };
  const csv = (...rows: string[]): string => ["sourceId,code,name,domain,en", ...rows, ""].join("\n");
  const FIRST = csv("a:1,C-1,One,a,one", "a:2,,Two,b,two", "a:3,,Three,d,three", "a:4,,Four,f,four");
  // Concepts go to other domains, forward and back, with what was said of them; one is new; of one
  // nothing is said.
  const NEXT = csv("a:1,C-1,One,b,one", "a:2,,Two,c,two", "a:3,,Three,aa,three", "a:5,,Five,e,five");

  it.each([
    ["the first one", "", FIRST],
    ["a newer one", FIRST, NEXT],
  ])("is finished by the same import: %s", async (_title, before, now) => {
    const reviewed = ["--review-as", "reviewed"];
    const into = async (texts: readonly string[], at?: number): Promise<[Record<string, unknown>, boolean]> => {
      const directory = folder({});
      const own = path.join(directory, "own");
      const file = path.join(directory, "words.csv");
      const args = ["import", "--format", "csv", "--from", file, "--into", own, "--language-columns", "en"];
      for (const text of texts) {
        writeFileSync(file, text);
        expect(await runHere([...args, ...(text === before ? reviewed : [])])).toMatchObject({ code: 0 });
      }
      if (at === undefined) return [textsIn(own, "utf8"), false];
      writeFileSync(file, now);
      const isStopped = await runHere(args, { effects: stopped(at) }).then(
        ({ code }) => code !== 0,
        () => true,
      );
      expect(await runHere(args)).toMatchObject({ code: 0, stderr: "" });
      return [textsIn(own, "utf8"), isStopped];
    };
    const earlier = before === "" ? [] : [before];
    const [whole] = await into([...earlier, now]);
    let at = 1;
    for (; ; at++) {
      const [texts, isStopped] = await into(earlier, at);
      expect(texts, `stopped at ${at}`).toEqual(whole);
      if (!isStopped) break;
    }
    expect(at).toBeGreaterThan(4);
  });

  it("is not finished over two concepts of one code that people wrote", async () => {
    const at = place();
    await importSkos(at);
    const code = records(at.into)[0]?.code ?? "";
    writeFileSync(path.join(at.into, "concepts/own.ndjson"), formatConceptLine(concept(code, [], { domain: "own" })));
    const before = textsIn(at.into, "utf8");
    expect(await importSkos(at)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("code-duplicate") as unknown,
    });
    expect(textsIn(at.into, "utf8")).toEqual(before);
  });
});

describe("an import that cannot be", () => {
  it("leaves everything as it was and says in one line what is wrong", async () => {
    const at = place();
    await importSkos(at, "--review-as", "reviewed");
    const before = textsIn(at.into, "utf8");
    const cases: [string, string, RegExp][] = [
      ["cut.ttl", TURTLE.slice(0, -60), /cut\.ttl/],
      ["html.ttl", "<!doctype html><html><body>Not found</body></html>", /html\.ttl/],
      ["other.ttl", TURTLE.replaceAll("http://fruit.example/", "http://other.example/"), /another vocabulary/],
      ["empty.ttl", "", /empty\.ttl/],
      ["fruit.docx", TURTLE, /\.ttl/],
    ];
    for (const [name, text, says] of cases) {
      const from = path.join(at.directory, name);
      writeFileSync(from, text);
      const refused = await importSkos({ from, into: at.into }, "--domain", "fruit");
      expect({ name, code: refused.code, stdout: refused.stdout }).toEqual({ name, code: 1, stdout: "" });
      expect(refused.stderr).toMatch(says);
      expect(refused.stderr.trim().split("\n"), name).toHaveLength(1);
    }
    expect(textsIn(at.into, "utf8")).toEqual(before);
    expect(readdirSync(at.directory)).not.toContain("own.building");
  });

  it("is one of domains that differ only by case, whose files some systems take for one", async () => {
    const at = place();
    const from = path.join(at.directory, "zoo.csv");
    writeFileSync(from, "sourceId,domain,language,expression\na,zoo,en,lion\nb,Zoo,en,tiger\n");
    const refused = await command("import", "--format", "csv", "--from", from, "--into", at.into);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(
      /^The domains "Zoo" and "zoo" differ only by case.*by --domain.*nothing was imported\n$/,
    );
    expect(readdirSync(at.directory)).not.toContain("own");
  });

  it("is one of another domain's file where it would retire all that the domain has", async () => {
    const at = place();
    await importSkos(at, "--domain", "fruits");
    const stones = path.join(at.directory, "stones.ttl");
    writeFileSync(stones, TURTLE.replaceAll("http://fruit.example/", "http://stones.example/"));
    await importSkos({ ...at, from: stones }, "--domain", "stones");
    const before = textsIn(at.into, "utf8");
    const refused = await importSkos(at, "--domain", "stones");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("that is another vocabulary")]);
    expect(textsIn(at.into, "utf8")).toEqual(before);
  });

  it("is one where definitions must not be missing", async () => {
    const at = place();
    const refused = await importSkos(at, "--missing-definition", "error");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /error definition-missing\n {2}The concept has no definition[\s\S]*Findings that stop the import: 1; nothing was imported/,
    );
    expect(readdirSync(at.directory)).toEqual(["fruit.ttl"]);
  });

  it("is one where a name would break the registry, reported with its place in the file or its option", async () => {
    const at = place();
    const file = path.join(at.directory, "rows.csv");
    writeFileSync(file, 'sourceId,domain,language,expression\na,b,en,c\n"d\ne","f\u0001",en,g\n');
    const of = (...more: string[]) => command("import", "--format", "csv", "--from", file, "--into", at.into, ...more);
    const refused = await of();
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^rows\.csv:3: error source-id-control-character\n.*\nrows\.csv:3: error domain-control-character\n/); // prettier-ignore
    for (const option of ["--name", "--domain", "--source", "--license"]) {
      const wrong = await of(option, "a\nb");
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringContaining(`${option}: "a\\nb" has a control character`),
      ]);
    }
  });

  it.each([
    ["rows.csv", "id,language,expression\n", [], "holds no concept that can be taken: check"],
    ["rows.csv", "id,language,expression\n,,\n,,\n", [], "holds no concept that can be taken (not taken: 2 empty rows)"],
    ["rows.csv", "id,language,expression\n,en,dam\n", [], "(findings: csv-row-without-concept 1)"],
    ["rows.csv", "id,language,expression\nr,sv,å\nb,sv,ö\n", ["--languages", "fi"], "holds no text that is taken (not taken: 2 expressions in other languages)"],
    ["fruit.ttl", TURTLE, ["--languages", "is"], "holds no text that is taken (not taken:"],
  ])("is one of which nothing is taken (%#)", async (...[file, text, more, says]) => {
    const { from, into } = place({ [file]: text });
    const refused = await command("import", "--from", from, "--into", into, ...more);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(says);
    expect(refused.stderr).toContain("; nothing was imported");
    expect(existsSync(into)).toBe(false);
  }); // prettier-ignore

  it("is one of a table that lost its rows, which would retire every concept", async () => {
    const { from, into } = place({ "rows.csv": "id,language,expression\nr,sv,å\n" });
    const args = ["import", "--from", from, "--into", into];
    expect((await runHere(args)).code).toBe(0);
    const before = textsIn(into);
    writeFileSync(from, "id,language,expression\n");
    expect(await runHere(args)).toMatchObject({ code: 1, stdout: "" });
    expect(textsIn(into)).toEqual(before);
  });

  it("is one into a registry with faults of its own, or into somebody's files", async () => {
    const broken = registryFiles({ concepts: [concept("not a code", [])] });
    const directory = folder({ ...broken, "fruit.ttl": TURTLE, "other/letter.txt": "Dear" });
    const from = path.join(directory, "fruit.ttl");
    const refused = await importSkos({ from, into: path.join(directory, "registry") });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("code-syntax");
    const other = await importSkos({ from, into: path.join(directory, "other") });
    expect(other).toMatchObject({ code: 2, stdout: "" });
    expect(other.stderr).toMatch(/holds files but no registry\.yaml/);
  });

  it("is one with wrong options, refused with the admitted ones", async () => {
    const { from, into } = place();
    const cases: [string[], RegExp][] = [
      [["--from", `${from}.xlsx`, "--into", into], /--format is needed: skos, csv/],
      [["--format", "xls", "--from", from, "--into", into], /--format "xls" is none of skos, csv/],
      [["--format", "skos", "--into", into], /--from FILE is needed/],
      [["--format", "skos", "--from", from], /--into DIR is needed/],
      [["--format", "skos", "--from", `${from}x`, "--into", into], /is not a file/],
      [["--format", "skos", "--from", from, "--into", into, "--fix", "all"], /--fix all is none of nfc, spaces, tags/],
      [["--format", "skos", "--from", from, "--into", into, "--languages", "en,xx"], /"xx"/],
      [["--format", "skos", "--from", from, "--into", into, "--version", "1.0"], /YYYY\.MM\.N/],
      [["--format", "skos", "--from", from, "--into", from], /is a file, not a directory/],
    ];
    const refusals = await Promise.all(cases.map(([args]) => command("import", ...args)));
    for (const [i, [args, says]] of cases.entries()) {
      const refused = refusals[i] as Outcome;
      expect({ args, code: refused.code, stdout: refused.stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(refused.stderr).toMatch(says);
    }
  });
});

it("a vocabulary that speaks of the file itself comes in, passes the checks, and goes out again", async () => {
  const at = place();
  writeFileSync(
    at.from,
    `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<> a skos:ConceptScheme ; skos:hasTopConcept <urn:a> .
<urn:a> a skos:Concept ; skos:inScheme <> ; skos:prefLabel "a"@en .\n`,
  );
  expect(await importSkos(at)).toMatchObject({ code: 0 });
  expect(await command("lint", "--registry", at.into)).toMatchObject({ code: 0, stderr: "" });
  const source = await command("export", "--format", "source", "--registry", at.into);
  expect(source.stdout).toMatch(/^<>\n {4}a <[^>]+ConceptScheme> ;\n {4}skos:hasTopConcept <urn:a> \.$/m);
  expect(source.stdout).toMatch(/^ {4}skos:inScheme <> ;$/m);
});

describe("export and import", () => {
  const formats = ["fruit.ttl", "fruit.jsonld", "fruit.csv"];

  it.each(formats)("by %s give the same registry, byte for byte, whatever its state", async (name) => {
    for (const review of ["in_review", "reviewed"]) {
      const at = place();
      await importSkos(at, "--review-as", review);
      const format = name.endsWith(".csv") ? "csv" : "skos";
      const file = path.join(at.directory, `export-${name}`);
      const exported = await command("export", "--format", format, "--registry", at.into, "--into", file);
      expect(exported.code).toBe(0);
      const back = path.join(at.directory, "back");
      await command("import", "--format", format, "--from", file, "--into", back, "--review-as", review);
      execFileSync("diff", ["-r", at.into, back]);
      const again = path.join(at.directory, `again-${name}`);
      await command("export", "--format", format, "--registry", back, "--into", again);
      expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
    }
  });

  it.each(formats)(
    "by %s give an empty registry again, and a line of the code map that no concept says",
    async (name) => {
      const at = place();
      await importSkos(at);
      const lines = path.join(at.into, "concepts/fruit.ndjson");
      writeFileSync(lines, readFileSync(lines, "utf8").replaceAll("http://fruit.example/", "https://fruit.example/"));
      const empty = path.join(at.directory, "empty");
      mkdirSync(empty);
      writeFileSync(
        path.join(empty, "registry.yaml"),
        'name: "None"\nregistryVersion: 2026.11.1\nlicense: "CC0-1.0"\nlanguages: []\n',
      );
      for (const registry of [at.into, empty]) {
        const [file, back] = [path.join(at.directory, name), `${registry}-back`];
        const format = name.endsWith(".csv") ? "csv" : "skos";
        await command("export", "--format", format, "--registry", registry, "--into", file);
        expect(await command("import", "--format", format, "--from", file, "--into", back)).toMatchObject({ code: 0 });
        execFileSync("diff", ["-r", registry, back]);
      }
    },
  );

  it.each(formats)("by %s keep the content digest of a registry that people wrote", async (name) => {
    const directory = folder({});
    const format = name.endsWith(".csv") ? "csv" : "skos";
    const file = path.join(directory, name);
    const starter = path.join(directory, "starter");
    copyStarter(starter);
    await command("export", "--format", format, "--registry", starter, "--into", file);
    const into = path.join(directory, "back");
    await command("import", "--format", format, "--from", file, "--into", into, "--review-as", "reviewed");
    const digest = (text: string): string | undefined => /content SHA-256 ([0-9a-f]{64})/.exec(text)?.[1];
    const [own, back] = [await command("lint", "--registry", starter), await command("lint", "--registry", into)];
    expect(digest(back.stdout)).toBe(digest(own.stdout));
    expect(digest(own.stdout)).toBeDefined();
  });
});
