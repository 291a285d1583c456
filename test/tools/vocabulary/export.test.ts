import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../../generator/program.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { readCsv } from "../../../generator/tools/vocabulary/formats/csv-read.ts";
import { readSkos } from "../../../generator/tools/vocabulary/formats/skos-read.ts";
import { RELEASE_FORMATS } from "../../../generator/tools/vocabulary/release-formats/formats.ts";
import { UsageError } from "../../../generator/text/usage-error.ts";
import { checkRegistry } from "../../../generator/registry/check.ts";
import { readRegistry } from "../../../generator/registry/read.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { copyStarter } from "../../support/project.ts";
import { concept, expression, type RegistryFiles, registryFiles } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { startService } from "../../support/service.ts";

/** Some concepts of it show what all would; with a history. */
const STARTER = path.join(folder({}), "registry");
copyStarter(STARTER);
await runHere(["release-registry", "--registry", STARTER, "--version", "2026.11.1"]);

const ALL_FORMATS = ["skos", "source", "csv", "json", "tbx", ...Object.keys(RELEASE_FORMATS)].join(", ");

/** Runs the command as the command line does, with what it prints kept. */
const run = (args: string[], effects: Effects = fileSystem): Promise<Outcome> =>
  runHere(["export", ...args], { env: { SERVICE_ORIGIN: ORIGIN }, effects, program: runProgram });

const registryOf = (files: RegistryFiles): string => path.join(folder(registryFiles(files)), "registry");

describe("export of the starter registry", () => {
  const from = ["--registry", STARTER];
  const starter = readRegistry(fileSystem, STARTER, () => undefined);

  it("as json is the public bundle of a build, byte for byte", async () => {
    const { registry } = checkRegistry(starter);
    if (registry === undefined) throw new Error("The starter has findings");
    const service = await startService(registry);
    const { body } = await service.send("GET", "/registry/bundle.ndjson");
    await service.close();
    const { code, stdout, stderr } = await run(["--format", "json", ...from]);
    expect([code, stdout]).toEqual([0, body.toString()]);
    expect(stderr).toMatch(/^Exported \d+ concepts, \d+ expressions, \d+ bytes\n$/);
    expect(stdout.split("\n").length).toBe(registry.concepts.length + 1);
  });

  it("as json comes in again, by a registry that publishes the same bytes", async () => {
    const into = folder({});
    const [bundle, back] = [path.join(into, "bundle.ndjson"), path.join(into, "back")];
    await run(["--format", "json", "--into", bundle, ...from]);
    const version = starter.registry?.registryVersion ?? "";
    const args = ["--from", bundle, "--into", back, "--review-as", "reviewed", "--version", version];
    expect(await runHere(["import", "--format", "json", ...args])).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["--format", "json", "--registry", back])).stdout).toBe(readFileSync(bundle, "utf8"));
    const few = path.join(into, "few");
    await runHere(["import", "--format", "json", "--from", bundle, "--into", few, "--languages", "en"]);
    expect(new Set(readRegistry(fileSystem, few, () => undefined).concepts.flatMap(({ record }) => record.expressions.map(({ language, reviewStatus }) => `${language} ${reviewStatus}`)))).toEqual(new Set(["en in_review"])); // prettier-ignore
  });

  it("as json comes into its own registry, of which no record changes", async () => {
    const lion = { ...concept("A", [expression("en", "lion")]), renderings: undefined };
    const registry = registryOf({ concepts: [lion, concept("B", [expression("en", "bear")])] });
    const file = path.join(folder({}), "bundle.ndjson");
    await run(["--format", "json", "--registry", registry, "--into", file]);
    const args = ["--from", file, "--into", registry, "--review-as", "reviewed"];
    const { stdout } = await runHere(["import", "--format", "json", ...args]);
    expect(stdout).toContain("concepts: 0 new, 0 changed, 2 unchanged");
  });

  it.each([
    ["no JSON", "{", "it is not JSON"],
    ["another object", '{"code":"A"}', '"name"'],
  ])("as json is refused with its line where that is %s", async (_, line, why) => {
    const at = folder({ "b.ndjson": `${line}\n` });
    const args = ["--from", path.join(at, "b.ndjson"), "--into", path.join(at, "r")];
    const { code, stderr } = await runHere(["import", "--format", "json", ...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/b\.ndjson, line 1 is not a concept of a public bundle that a registry can hold: .*; nothing was imported\n$/)]); // prettier-ignore
    expect(stderr).toContain(why);
    expect(existsSync(path.join(at, "r"))).toBe(false);
  });

  it("as csv gives every record again, in order of code", async () => {
    const into = path.join(folder({}), "starter.csv");
    const { code, stdout, stderr } = await run(["--format", "csv", "--into", into, ...from]);
    expect([code, stdout]).toEqual([0, ""]);
    const bytes = readFileSync(into);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(stderr).toMatch(
      new RegExp(`^Wrote .*: \\d+ concepts, \\d+ expressions, ${bytes.length} bytes, SHA-256 ${sha256}\n$`),
    );
    const { concepts, registry, faults } = await readCsv(fileSystem, [into]);
    expect(faults).toEqual([]);
    expect(registry).toEqual(starter.registry);
    const records = starter.concepts.map(({ record }) => record).sort((a, b) => (a.code < b.code ? -1 : 1));
    expect(concepts.length).toBe(records.length + starter.retired.length);
    for (const [i, { code: name, domain, provenance, expressions, renderings = [] }] of records.entries()) {
      expect(concepts[i]).toMatchObject({ code: name, domain, provenance });
      expect(concepts[i]?.renderings ?? []).toEqual(renderings);
      expect(concepts[i]?.expressions.map(({ tag, text, type }) => [tag, text, type])).toEqual(
        expressions.map((one) => [one.locale ?? one.language, one.expression, one.type]),
      );
    }
  });

  it("as skos is Turtle, or JSON-LD for a file of that name, and reads back", async () => {
    const directory = folder({});
    const registry = path.join(directory, "registry");
    copyStarter(registry);
    const part = ["--registry", registry];
    const written = readRegistry(fileSystem, registry, () => undefined).concepts.length;
    for (const name of ["starter.ttl", "starter.jsonld", "starter.JSONLD"]) {
      const into = path.join(directory, name);
      expect(await run(["--format", "skos", "--into", into, ...part])).toMatchObject({ code: 0, stdout: "" });
      const { concepts } = await readSkos(fileSystem, [into]);
      expect(concepts.filter(({ retired }) => retired === undefined).length).toBe(written);
    }
    const text = readFileSync(path.join(directory, "starter.jsonld"), "utf8");
    expect(typeof JSON.parse(text)).toBe("object");
    const { stdout } = await run(["--format", "skos", ...part]);
    expect(stdout).toBe(readFileSync(path.join(directory, "starter.ttl"), "utf8"));
  });

  it("as tbx is one XML document", async () => {
    const { code, stdout } = await run(["--format", "tbx", ...from]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<\?xml [\s\S]*<\/tbx>\n$/);
  });
});

describe("export", () => {
  it.each(["csv", "skos"])("as %s comes in again, and nothing has changed", async (format) => {
    const said = {
      source: "S",
      license: "CC0-1.0",
      sourceId: "http://s.example/1",
      reviewedBy: null,
      reviewedAt: null,
    };
    const matches = { exactMatch: ["http://b.example/", "http://a.example/"], broadMatch: [], relatedMatch: ["urn:r"] };
    const more = { provenance: { ...said, ...matches }, hiddenLabels: [] };
    const registry = registryOf({ concepts: [concept("A", [expression("pt", "x", { locale: "pt-BR" })], more)], registry: { languages: ["pt-BR"] } }); // prettier-ignore
    const into = path.join(folder({}), format === "csv" ? "out.csv" : "out.ttl");
    const { registry: settings, concepts } = readRegistry(fileSystem, registry, () => undefined);
    await run(["--format", format, "--registry", registry, "--into", into]);
    const args = ["import", "--format", format, "--from", into, "--review-as", "reviewed", "--into"];
    expect((await runHere([...args, registry])).stdout).toContain("0 changed, 1 unchanged");
    expect(readRegistry(fileSystem, registry, () => undefined)).toMatchObject({ registry: settings, concepts });
    const back = path.join(folder({}), "back");
    await runHere([...args, back]);
    const again = readRegistry(fileSystem, back, () => undefined);
    expect(again.registry).toEqual(settings);
    expect(again.concepts.map(({ record }) => record)).toEqual(concepts.map(({ record }) => record));
  });

  it("prints the same bytes as it writes, in every format", async () => {
    const registry = registryOf(nasty);
    for (const format of ["skos", "source", "csv", "json", "tbx"]) {
      const into = path.join(folder({}), `below/out.${format}`);
      const args = ["--format", format, "--registry", registry];
      const printed = await run(args);
      expect(await run([...args, "--into", into])).toMatchObject({ code: 0, stdout: "" });
      expect(printed.stdout).toBe(readFileSync(into, "utf8"));
      expect((await run(args)).stdout).toBe(printed.stdout);
    }
  });

  it("writes a file whole or not at all", async () => {
    const bad = registryOf({ concepts: [concept("A", [expression("en", "x")]), concept("B", [], { name: "a\0b" })] });
    const directory = folder({ "out.csv": "as it was" });
    const into = path.join(directory, "out.csv");
    const refused = await run(["--format", "csv", "--registry", bad, "--into", into]);
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: 'Concept "B", row of concept: name has a NUL, which CSV cannot hold. Fix the record, then export again\n',
    });
    const full: Effects = {
      ...fileSystem,
      write(file, chunks) {
        fileSystem.write(file, [[...chunks][0] ?? new Uint8Array()]);
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { syscall: "write" });
      },
    };
    const args = ["--format", "csv", "--registry", registryOf(nasty), "--into", into];
    await expect(run(args, full)).rejects.toThrow("ENOSPC");
    expect(readdirSync(directory)).toEqual(["out.csv"]);
    expect(readFileSync(into, "utf8")).toBe("as it was");
    expect(await run(args)).toMatchObject({ code: 0 });
    expect(readFileSync(into, "utf8")).toMatch(/^entry,code,/);
  });

  it("says that what it printed is not whole where it meets such a record late", async () => {
    const bad = registryOf({ concepts: [concept("A", [expression("en", "x")]), concept("B", [], { name: "a\0b" })] });
    const { code, stderr } = await run(["--format", "csv", "--registry", bad]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Concept "B", .*\. The printed output is incomplete\n$/),
    ]);
  });

  it("follows a link to its file, and writes over nothing but files", async () => {
    const directory = folder({ "real.csv": "" });
    const [link, inside] = [path.join(directory, "link.csv"), path.join(directory, "folder")];
    symlinkSync("real.csv", link);
    mkdirSync(inside);
    const args = ["--format", "csv", "--registry", registryOf(nasty), "--into"];
    expect(await run([...args, link])).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(directory, "real.csv"), "utf8")).toMatch(/^entry,/);
    for (const wrong of [inside, "/dev/null"]) {
      await expect(run([...args, wrong])).rejects.toThrow(new UsageError(`--into ${wrong} is not a regular file`));
    }
    expect(existsSync("/dev/null")).toBe(true);
  });

  it("of skos and csv takes what the build refuses, as long as the records can be read", async () => {
    const files: RegistryFiles = { concepts: [concept("A", [expression("xx", "x"), expression("en", " x ")])] };
    const registry = registryOf(files);
    for (const format of ["skos", "csv"]) {
      expect(await run(["--format", format, "--registry", registry])).toMatchObject({ code: 0 });
    }
    for (const format of ["json", "tbx"]) {
      const { code, stdout, stderr } = await run(["--format", format, "--registry", registry]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/error language-not-registered[\s\S]*\n\d errors in .*: nothing was written\n$/);
    }
    writeFileSync(path.join(registry, "concepts/test/A.yaml"), "code: A\n");
    for (const format of ["skos", "csv", "json", "tbx"]) {
      const { code, stdout, stderr } = await run(["--format", format, "--registry", registry]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/A\.yaml: error record-schema[\s\S]*nothing was written\n$/);
    }
  });

  it("of some languages says how much is left out", async () => {
    const labels = { hiddenLabels: [{ language: "en", label: "h" }] };
    const expressions = [expression("pt", "a"), expression("pt", "b", { locale: "pt-BR" }), expression("en", "c")];
    const registry = registryOf({ concepts: [concept("A", expressions, labels)] });
    const left = (format: string, ...languages: string[]): Promise<string> =>
      run(["--format", format, "--registry", registry, ...languages.flatMap((tag) => ["--language", tag])]).then(
        ({ stderr }) => stderr,
      );
    const told = (what: string): string => `\nLeft out: ${what} in other languages. This is not all of the registry\n`;
    for (const format of ["csv", "skos"]) {
      expect(await left(format, "pt")).toMatch(/^Exported 1 concept, 2 expressions, /);
      expect(await left(format, "pt")).toContain(told("2 labels"));
      expect(await left(format, "pt-BR,de")).toContain(told("3 labels"));
      expect(await left(format, "pt", "en")).not.toContain("Left out");
      expect(await left(format)).not.toContain("Left out");
    }
    expect(await left("tbx", "en")).toContain(told("2 labels"));
  });

  it.each([
    ["csv", "de.csv", "de"],
    ["skos", "de.ttl", "de"],
    ["skos", "de.jsonld", "de"],
    ["csv", "admitted.csv", "de,en,fr"],
    ["skos", "admitted.ttl", "de,en,fr"],
  ])(
    "of some languages, as %s in %s, comes in again without a word of the others gone",
    async (format, name, languages) => {
      const expressions = [expression("de", "Apfel"), expression("en", "apple"), expression("fr", "pomme")];
      const said = (language: string) => ({ language, text: `Of ${language}` });
      const vocabulary = {
        notes: { note: [said("de"), said("en"), said("la")], editorialNote: [said("fr")] },
        source: ['<http://e.org/said> "de"@de', '<http://e.org/said> "en"@en'],
      };
      const files = {
        concepts: [concept("A", expressions, vocabulary), concept("B", expressions.slice(1))],
        registry: { languages: ["de", "en", "fr"] },
      };
      const registry = registryOf(files);
      const [file, before] = [path.join(folder({}), name), readRegistry(fileSystem, registry, () => undefined)];
      await run(["--format", format, "--registry", registry, "--language", languages, "--into", file]);
      // The file says itself which languages it has.
      for (const asked of [["--languages", languages], ["--languages", `${languages},en`], []]) {
        const done = await runHere(["import", "--format", format, "--from", file, "--into", registry, ...asked]);
        expect(done).toMatchObject({ code: 0, stderr: "" });
        expect(done.stdout).toContain(
          `  only in ${languages.replaceAll(",", ", ")}: what the registry has in other languages stays\n`,
        );
        const after = readRegistry(fileSystem, registry, () => undefined);
        expect(after.concepts.map(({ record }) => record)).toEqual(before.concepts.map(({ record }) => record));
      }
      const other = ["import", "--format", format, "--from", file, "--into", registry, "--languages", "it"];
      const alone = `--languages it: the file has only ${languages.replaceAll(",", ", ")}. `;
      expect(await runHere(other)).toMatchObject({ code: 2, stderr: expect.stringContaining(alone) as string });
    },
  );

  it.each([
    ["csv", "all.csv"],
    ["skos", "all.ttl"],
    ["skos", "all.jsonld"],
  ])("comes whole, as %s in %s, into a registry of more languages, whose labels it has not", async (format, name) => {
    const [lion, note] = [[expression("en", "lion")], { language: "fr", text: "Un félin" }];
    const source = ['<http://e.org/said> "fr"@fr'];
    const concepts = [
      concept("A", lion, { source }),
      concept("B", lion, { notes: { note: [note] }, source, hiddenLabels: [{ language: "la", label: "leo" }] }),
    ];
    const more = { concepts: [concept("Z", [expression("de", "Haus")])], registry: { languages: ["de", "en"] } };
    for (const some of [concepts, concepts.slice(0, 1)]) {
      const [registry, into] = [registryOf({ concepts: some, registry: { languages: ["en"] } }), registryOf(more)];
      const file = path.join(folder({}), name);
      await run(["--format", format, "--registry", registry, "--into", file]);
      const done = await runHere(["import", "--format", format, "--from", file, "--into", into]);
      expect(done).toMatchObject({ code: 0, stderr: "" });
      const vocabulary = (directory: string) =>
        readRegistry(fileSystem, directory, () => undefined).concepts.flatMap(({ record }) =>
          record.code === "Z" ? [] : [[record.notes, record.source, record.hiddenLabels]],
        );
      expect(vocabulary(into)).toEqual(vocabulary(registry));
    }
  });

  it.each(["tbx", "json"])("as %s, imported again, says nothing of where a concept is from", async (format) => {
    const provenance = { source: "Zoo", license: "CC0-1.0", sourceId: "urn:z:1", reviewedBy: null, reviewedAt: null };
    const registry = registryOf({ concepts: [concept("A", [expression("en", "lion")], { provenance })] });
    const file = path.join(folder({}), `all.${format}`);
    await run(["--format", format, "--registry", registry, "--into", file]);
    const told = await runHere(["import", "--format", format, "--from", file, "--into", registry]);
    expect(told).toMatchObject({ code: 0, stderr: "" });
    const [there] = readRegistry(fileSystem, registry, () => undefined).concepts;
    expect(there?.record.provenance).toEqual(provenance);
  });

  it("says the languages that it has in their canonical form, so that it makes a new registry", async () => {
    const lion = [expression("en", "lion"), expression("he", "אריה")];
    const [registry, into] = [registryOf({ concepts: [concept("A", lion)] }), folder({})];
    const file = path.join(into, "he.csv");
    await run(["--format", "csv", "--registry", registry, "--language", "iw", "--into", file]);
    const made = path.join(into, "made");
    expect(await runHere(["import", "--format", "csv", "--from", file, "--into", made])).toMatchObject({ code: 0 });
    const { registry: record, concepts } = readRegistry(fileSystem, made, () => undefined);
    expect([record?.languages, concepts[0]?.record.expressions.length]).toEqual([["he"], 1]);
  });

  it("refuses wrong options in one line", async () => {
    const wrong: [string[], string][] = [
      [[], `--format is needed: ${ALL_FORMATS}`],
      [["--format", "xml"], `--format "xml" is none of ${ALL_FORMATS}`],
      [["--format", "csv", "--registry", "/nowhere"], "--registry /nowhere is not a directory"],
      [
        ["--format", "csv", "--language", "de,e n"],
        '--language: "e n" is not a well-formed language tag. Write a BCP 47 tag, such as en or pt-BR',
      ],
      ...["und", "x-foo"].map((tag): [string[], string] => [
        ["--format", "tbx", "--language", tag],
        `--language: "${tag}" does not name one registered language. Name the language`,
      ]),
      [
        ["--format", "json", "--language", "en"],
        "--language cannot be used with json, which is the public bundle byte for byte",
      ],
      [
        ["--format", "source", "--language", "en"],
        "--language cannot be used with source, which is all that the vocabularies say",
      ],
      [["--format", "source", "--into", "a.jsonld"], "--format source writes Turtle: name --into a.ttl"],
      ...["nt", "RDF", "json"].map((other): [string[], string] => [
        ["--format", "skos", "--into", `b/a.${other}`],
        "--format skos writes Turtle, or JSON-LD into a file whose name ends in .jsonld: name --into b/a.ttl",
      ]),
    ];
    for (const [args, message] of wrong) await expect(run(args)).rejects.toThrow(new UsageError(message));
  });
});
