import { readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../../../generator/effects/file-system.ts";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import { formatConceptLine, writeRegistryFiles } from "../../../../../generator/tools/vocabulary/edit/write.ts";
import { readBefore } from "../../../../../generator/tools/vocabulary/import/before.ts";
import { folder } from "../../../../support/command.ts";
import { concept, expression } from "../../../../support/registry.ts";
import { renamable, textsOf } from "../../../../support/review.ts";

const old = { "registry/registry.yaml": "old", "registry/retired.yaml": "old", "registry/concepts/a.ndjson": "old" };
const files = new Map<string, string | Iterable<string> | undefined>([
  ["registry.yaml", "new"],
  ["concepts/a.ndjson", ["n", "e", "w"]],
  ["concepts/b/C-1.yaml", "néw"],
  ["released/2026.11.1.ndjson", "new"],
  ["history.yaml", "new"],
  ["retired.yaml", "new"],
]);

describe("writing registry files", () => {
  it("puts all in their places, in pieces or whole, and removes what is to go", () => {
    const effects = renamable({ ...old, "registry/concepts/c.yaml": "old" });
    writeRegistryFiles(effects, { directory: "registry" }, new Map([...files, ["concepts/c.yaml", undefined]]));
    expect(textsOf(effects)).toEqual(
      Object.fromEntries([...files.keys()].map((name) => [`registry/${name}`, name.includes("C-1") ? "néw" : "new"])),
    );
  });

  it("leaves everything as it was where one cannot be written", () => {
    for (let write = 1; write <= files.size; write++) {
      const effects = renamable(old, { write });
      expect(() => writeRegistryFiles(effects, { directory: "registry" }, files)).toThrow("No budget");
      expect(textsOf(effects)).toEqual(old);
    }
    const broken = function* (): Generator<string, void> {
      yield "half";
      throw new Error("Broken");
    };
    const effects = renamable(old);
    expect(() =>
      writeRegistryFiles(effects, { directory: "registry" }, new Map([["registry.yaml", broken()]])),
    ).toThrow("Broken");
    expect(textsOf(effects)).toEqual(old);
  });

  it("leaves everything as it was where somebody else changed the registry meanwhile", () => {
    const effects = renamable(old);
    expect(() => writeRegistryFiles(effects, { directory: "registry", isAsRead: () => false }, files)).toThrow(
      /^A file of the registry was changed while this command read it: run it again$/,
    );
    expect(textsOf(effects)).toEqual(old);
  });

  it("renames retired codes first, then the version, concepts and the new memory, and the history last; no file is ever half", () => {
    const order = [
      "retired.yaml",
      "registry.yaml",
      "concepts/a.ndjson",
      "concepts/b/C-1.yaml",
      "released/2026.11.1.ndjson",
      "history.yaml",
    ];
    for (let rename = 1; rename <= files.size; rename++) {
      const effects = renamable(old, { rename });
      expect(() => writeRegistryFiles(effects, { directory: "registry" }, files)).toThrow("Killed");
      const done = Object.entries(textsOf(effects)).filter(([, text]) => text !== "old");
      expect(done.map(([name]) => name).sort()).toEqual(
        order
          .slice(0, rename - 1)
          .map((name) => `registry/${name}`)
          .sort(),
      );
      expect(done.every(([, text]) => /^n[eé]w$/.test(text))).toBe(true);
      writeRegistryFiles(effects, { directory: "registry" }, files);
      expect(Object.keys(textsOf(effects)).length).toBe(files.size);
    }
  });

  it("removes what killed runs left, not what a running one writes, and readers see neither", () => {
    const directory = folder({
      "registry/registry.yaml": "name: x\nregistryVersion: 2026.11.1\nlanguages: [en]\nlicense: CC0-1.0\n",
      "registry/concepts/.a.ndjson.999999999.new": "half",
      [`registry/concepts/.a.ndjson.${process.ppid}.new`]: "half",
      "registry/.note.new": "a person's",
    });
    const registry = path.join(directory, "registry");
    expect(readRegistry(fileSystem, registry, () => undefined).findings).toEqual([]);
    writeRegistryFiles(
      fileSystem,
      { directory: registry },
      new Map([["concepts/a.ndjson", formatConceptLine(concept("C-1", []))]]),
    );
    expect(fileSystem.list(registry)).toEqual([
      ".note.new",
      `concepts/.a.ndjson.${process.ppid}.new`,
      "concepts/a.ndjson",
      "registry.yaml",
    ]);
    expect(readRegistry(fileSystem, registry, () => undefined)).toMatchObject({
      findings: [],
      concepts: [{ line: 1 }],
    });
    rmSync(directory, { recursive: true });
  });

  it("is one command's at a time: another one that is running is named, what a killed one left is removed", () => {
    const changed = new Map([["concepts/a.ndjson", formatConceptLine(concept("C-1", []))]]);
    const of = (owner: number): string => {
      const directory = folder({
        ".writing/process": String(owner),
        ".writing-999999999/process": "999999999",
      });
      writeRegistryFiles(fileSystem, { directory }, changed);
      return fileSystem.list(directory).join();
    };
    expect(of(999999999)).toBe("concepts/a.ndjson");
    expect(() => of(process.ppid)).toThrow(
      new RegExp(
        `^Another command is writing .+ \\(process ${process.ppid}\\), so nothing was written: run this again`,
      ),
    );
  });

  it("of a new registry fails where another command has made it meanwhile", () => {
    const directory = path.join(folder({}), "registry");
    const [first, second] = [1, 2].map(() => readBefore(fileSystem, directory, () => undefined));
    if (first?.ok !== true || second?.ok !== true) throw new Error("Both see nothing");
    writeRegistryFiles(fileSystem, { ...first.registry, directory }, new Map([["registry.yaml", "first"]]));
    const late = new Map([["concepts/b.ndjson", "second"]]);
    expect(() => writeRegistryFiles(fileSystem, { ...second.registry, directory }, late)).toThrow(/run it again$/);
    expect(fileSystem.list(directory)).toEqual(["registry.yaml"]);
  });

  it("leaves links what they are, and writes the files that they lead to", () => {
    const directory = folder({
      "there/a.ndjson": "old",
      "registry/registry.yaml": "old",
      "registry/concepts/b.yaml": "b",
    });
    const link = path.join(directory, "registry/concepts/a.ndjson");
    symlinkSync("../../there/a.ndjson", link);
    writeRegistryFiles(fileSystem, { directory: path.join(directory, "registry") }, files);
    expect(readlinkSync(link)).toBe("../../there/a.ndjson");
    expect(readFileSync(path.join(directory, "there/a.ndjson"), "utf8")).toBe("new");
    expect(readdirSync(path.join(directory, "there"))).toEqual(["a.ndjson"]);
  });

  it("knows a registry as read until a file of it is another one, comes or goes", () => {
    const line = (code: string): string => formatConceptLine(concept(code, []));
    const directory = folder({ "concepts/a.ndjson": line("C-1"), "concepts/b.ndjson": line("C-2") });
    const at = (name: string): string => path.join(directory, "concepts", name);
    const changes = [
      () => writeFileSync(at("a.ndjson"), line("C-3")),
      () => writeFileSync(at("c.ndjson"), ""),
      () => symlinkSync("nowhere", at("d.yaml")),
      () => rmSync(at("b.ndjson")),
    ];
    for (const change of changes) {
      const { isAsRead } = readRegistry(fileSystem, directory, () => undefined);
      writeFileSync(at(".a.ndjson.swp"), "an editor's");
      expect(isAsRead?.()).toBe(true);
      change();
      expect(isAsRead?.()).toBe(false);
    }
    rmSync(directory, { recursive: true });
  });

  it("makes the folders that it needs", () => {
    const directory = folder({});
    writeRegistryFiles(fileSystem, { directory: path.join(directory, "new") }, files);
    expect(readFileSync(path.join(directory, "new/concepts/b/C-1.yaml"), "utf8")).toBe("néw");
    expect(readdirSync(path.join(directory, "new")).sort()).toEqual([
      "concepts",
      "history.yaml",
      "registry.yaml",
      "released",
      "retired.yaml",
    ]);
    rmSync(directory, { recursive: true });
  });
});

describe("a concept as a line", () => {
  it("has its fields in the order of the schema, and none that it has not", () => {
    const provenance = {
      reviewedAt: null,
      reviewedBy: null,
      sourceId: null,
      license: "L",
      source: "S",
      closeMatch: ["x"],
    };
    const line = formatConceptLine({
      hiddenLabels: [{ label: "c", language: "en" }],
      renderings: [],
      expressions: [expression("en", "a\u2028", { locale: "en-GB" }), expression("en", "b", { provenance: null })],
      provenance,
      domain: "d",
      definition: null,
      name: "n",
      code: "C-1",
    });
    expect(line.endsWith("}\n")).toBe(true);
    expect(Object.keys(JSON.parse(line) as object)).toEqual([
      "code",
      "name",
      "definition",
      "domain",
      "provenance",
      "expressions",
      "renderings",
      "hiddenLabels",
    ]);
    expect(line).toContain(
      '"provenance":{"source":"S","license":"L","sourceId":null,"reviewedBy":null,"reviewedAt":null,"closeMatch":["x"]}',
    );
    const bare = formatConceptLine({
      code: "C-1",
      name: "n",
      domain: "d",
      provenance: null,
      expressions: [expression("en", "x")],
    });
    expect(bare).toBe(
      '{"code":"C-1","name":"n","domain":"d","provenance":null,"expressions":[{"language":"en","expression":"x","type":"alternate","equivalenceStrength":1,"reviewStatus":"reviewed"}]}\n',
    );
  });
});
