/**
 * `export` of a release: compilers and validators read what the release says, whatever its texts
 * are. Python and SQL have their readers in test/external.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Provenance } from "../../../runtime/contract/concept.ts";
import { isConceptCode } from "../../../runtime/contract/code.ts";
import { RELEASE_FORMATS, type ReleaseFormat } from "../../../generator/tools/vocabulary/release-formats/formats.ts";
import { identifierOf } from "../../../generator/tools/vocabulary/release-formats/identifier.ts";
import type { ListedCode } from "../../../generator/tools/vocabulary/release-formats/code-list.ts";
import { readSssom } from "../../support/sssom.ts";
import { HOSTILE, listOf } from "../../support/code-list.ts";
import { runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { makeReleases, THIRD } from "../data/releases.ts";

const FORMATS = Object.keys(RELEASE_FORMATS) as readonly ReleaseFormat[];
const folder = mkdtempSync(path.join(tmpdir(), "test-export-"));
const at = (name: string): string => path.join(folder, name);
const textOf = (format: ReleaseFormat, list = HOSTILE): string => [...RELEASE_FORMATS[format](list)].join("");
const ALL = [...HOSTILE];
const RETIRED = ALL.filter(({ retired }) => retired !== undefined);

const validatorOf = (text: string) =>
  new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(text) as object);

describe("json-schema", () => {
  const text = textOf("json-schema");
  const { oneOf } = JSON.parse(text) as { oneOf: { const: string; title: string; description: string; deprecated?: true }[] }; // prettier-ignore

  it("accepts each code, retired ones too, and no other text, in the strict mode of Ajv", () => {
    const validate = validatorOf(text);
    expect(ALL.filter(({ code }) => !validate(code))).toEqual([]);
    expect(["", "a-b", "Z-1", " A-B", 1, null].filter((value) => validate(value))).toEqual([]);
  });

  it("has names as titles, definitions, and successors of what is deprecated", () => {
    expect(oneOf.map((one) => [one.const, one.title])).toEqual(ALL.map(({ code, name }) => [code, name]));
    expect(oneOf[0]?.description).toBe("Definition: Text of A-B");
    expect(oneOf.filter(({ deprecated }) => deprecated).map((one) => one.const)).toEqual(
      RETIRED.map(({ code }) => code),
    );
    expect(oneOf.find((one) => one.const === "X-101")?.description).toContain("Its successor is T-101.");
  });

  it("of no codes accepts nothing", () => {
    expect(validatorOf(textOf("json-schema", listOf([])))("A-B")).toBe(false);
  });
});

interface Module {
  readonly REGISTRY_VERSION: string;
  readonly CONTENT_SHA256: string;
  readonly ConceptCode: Readonly<Record<string, string>>;
  readonly conceptNames: Readonly<Record<string, string>>;
  readonly retiredCodes: Readonly<Record<string, string | null>>;
}

const tsc = (file: string): Promise<string> =>
  new Promise((resolve) => {
    const args = ["--strict", "--isolatedDeclarations", "--declaration", "--target", "es2022", "--module", "nodenext", file]; // prettier-ignore
    execFile(
      process.execPath,
      [path.join(project, "node_modules/typescript/bin/tsc"), ...args],
      { cwd: folder },
      (_, out) => resolve(out),
    );
  });

describe("typescript", () => {
  const text = textOf("typescript");
  let module: Module;
  let printed: string;
  beforeAll(async () => {
    writeFileSync(at("codes.mts"), text);
    printed = await tsc(at("codes.mts"));
    module = (await import(pathToFileURL(at("codes.mjs")).href)) as Module;
  });

  it("is compiled by tsc --strict without a word, and says what the release says", () => {
    expect(printed).toBe("");
    expect(Object.entries(module.ConceptCode)).toEqual(ALL.map(({ code }) => [identifierOf(code), code]));
    expect(Object.entries(module.conceptNames)).toEqual(ALL.map(({ code, name }) => [code, name]));
    expect(Object.entries(module.retiredCodes)).toEqual(
      RETIRED.map(({ code, retired }) => [code, retired?.replacedBy]),
    );
    expect([module.REGISTRY_VERSION, module.CONTENT_SHA256]).toEqual([HOSTILE.registryVersion, HOSTILE.contentSha256]);
  });

  it("has one tag for each retired code and no other, and nothing that hides or reorders text", () => {
    const comments = text.split("\n").filter((line) => /^ +(?:\/\*)?\*/.test(line));
    expect(comments.join("\n").match(/@\w+/g)).toEqual(RETIRED.map(() => "@deprecated"));
    expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it("refuses a text that is not a code", async () => {
    writeFileSync(
      at("use.mts"),
      'import type { ConceptCode } from "./codes.mjs";\nexport const wrong: ConceptCode = "Z-9";\n',
    );
    expect(await tsc(at("use.mts"))).toMatch(/^\S*use\.mts\(2,14\): error TS2322/);
  });
});

describe("an identifier", () => {
  it("is of one code alone: the code can be read from it", () => {
    const part = fc.stringMatching(/^[A-Z0-9]{1,4}$/);
    const code = fc
      .tuple(
        fc.stringMatching(/^[A-Z]$/),
        part,
        fc.array(fc.tuple(fc.constantFrom("-", ".", "_"), part), { maxLength: 6 }),
      )
      .map(([first, rest, more]) => first + rest + more.flat().join(""))
      .filter(isConceptCode);
    const codeOf = (identifier: string): string =>
      identifier.replaceAll(/_+/g, (run) => ["-", ".", "_"][run.length - 1] ?? "?");
    fc.assert(
      fc.property(code, (one) => {
        expect(identifierOf(one)).toMatch(/^[A-Z][A-Z0-9_]*$/);
        expect(codeOf(identifierOf(one))).toBe(one);
      }),
    );
  });
});

describe("a release", () => {
  let out: readonly string[];
  beforeAll(async () => {
    out = ["--out", (await makeReleases()).dist(THIRD)];
  });

  it.each(FORMATS.filter((name) => name !== "sssom"))(
    "gives the same %s each time, in code order, with its version and retired codes",
    async (format) => {
      const [once, again] = [at(`once.${format}`), at(`again.${format}`)];
      for (const into of [once, again])
        expect(await runHere(["export", "--format", format, ...out, "--into", into])).toMatchObject({
          code: 0,
          stderr: expect.stringContaining(": 5 codes, 2 retired, registry 2026.03.1, ") as string,
        });
      const text = readFileSync(once, "utf8");
      expect(readFileSync(again, "utf8")).toBe(text);
      expect(text).toContain(THIRD);
      const codes = [...new Set([...text.matchAll(/["'(\n]([A-G]-1)/g)].map(([, code]) => code))];
      expect(codes).toEqual(["A-1", "B-1", "C-1", "D-1", "E-1", "F-1", "G-1"]);
      expect(text).toMatch(/E-1.*F-1.*Split|E_1/s);
    },
  );

  it.each([
    ["ts", "typescript"],
    ["py", "python"],
    ["sql", "sql"],
  ])("is written as a .%s file by its name", async (ending, format) => {
    const into = at(`named.${ending}`);
    expect((await runHere(["export", ...out, "--into", into])).code).toBe(0);
    expect(readFileSync(into, "utf8")).toBe(readFileSync(at(`once.${format}`), "utf8"));
  });

  it.each([
    [["--format", "sql", "--registry", "registry"], "--registry goes with --format skos|source|csv|json|tbx"],
    [["--format", "csv", "--out", "dist"], `--out goes with --format ${FORMATS.join("|")}`],
    [["--format", "sql", "--language", "de"], "--language goes with --format skos|source|csv|json|tbx"],
    [["--format", "sql", "--out", "/nowhere"], "/nowhere"],
  ])("is not exported with %j, which is refused", async (args, message) => {
    const { code, stdout, stderr } = await runHere(["export", ...args]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  it("is not replaced by an export", async () => {
    const into = path.join(out[1] ?? "", "registry/retired.json");
    const { code, stderr } = await runHere(["export", "--format", "sql", ...out, "--into", into]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("would change")]);
  });
});

const [one] = ALL;
const of = (code: string, provenance: object): ListedCode => {
  if (one?.concept === undefined) throw new Error("The first code is not published");
  return { ...one, code, concept: { ...one.concept, code, provenance: { ...REVIEWED, ...provenance } } };
};
const REVIEWED: Provenance = {
  source: "S",
  license: "CC-BY-4.0",
  sourceId: null,
  reviewedBy: null,
  reviewedAt: null,
};
const MAPPED = listOf([
  of("A-1", { sourceId: "https://t.example/a/1", exactMatch: ["https://o.example/x#b", "https://t.example/a/1"], reviewedBy: "board" }),
  of("B-1", { sourceId: "no IRI", closeMatch: ['https://o.example/x#"q"', "https://o.example/dir/", "urn:isbn:1"], license: "CC0-1.0" }),
  of("C-1", {}),
  { code: "D-1", name: "D", retired: { retiredIn: "1", replacedBy: null, reason: null, name: "D" } },
]); // prettier-ignore

describe("sssom", () => {
  it("has each identifier elsewhere with its justification and reviewer, by declared prefixes", () => {
    const { metadata, rows } = readSssom(textOf("sssom", MAPPED));
    expect(metadata).toEqual({
      curie_map: {
        concept: "https://registry.example/api/v1/concepts/",
        ns1: "https://o.example/",
        ns2: "https://o.example/x#",
        ns3: "https://t.example/a/",
        ns4: "urn:isbn:",
        registry: "https://registry.example/api/v1/",
      },
      mapping_set_id: "https://registry.example/api/v1/concepts#mappings",
      mapping_set_version: "2026.11.1",
      license: "https://w3id.org/sssom/license/unspecified",
      subject_type: "skos concept",
      subject_source: "registry:concepts",
      subject_source_version: "2026.11.1",
      comment: `Made by srs export of content with the SHA-256 ${MAPPED.contentSha256}`,
    });
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["concept:A-1", "Text of A-B", "skos:exactMatch", "ns2:b", "semapv:MappingReview", "board", BY],
      ["concept:A-1", "Text of A-B", "skos:exactMatch", "ns3:1", "semapv:MappingReview", "board", BY],
      ["concept:B-1", "Text of A-B", "skos:closeMatch", "ns1:dir/", "semapv:UnspecifiedMatching", "", ZERO],
      ["concept:B-1", "Text of A-B", "skos:closeMatch", "ns4:1", "semapv:UnspecifiedMatching", "", ZERO],
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual(["subject_id", "subject_label", "predicate_id", "object_id", "mapping_justification", "reviewer_label", "license"]); // prettier-ignore
  });

  const [BY, ZERO] = ["https://spdx.org/licenses/CC-BY-4.0", "https://spdx.org/licenses/CC0-1.0"];

  it("of concepts with one licence names it, and is valid without mappings", () => {
    expect(readSssom(textOf("sssom", listOf([...MAPPED].slice(0, 1)))).metadata["license"]).toBe(BY);
    expect(readSssom(textOf("sssom")).rows).toEqual([]);
  });
});

describe("fhir", () => {
  interface Resource {
    readonly resourceType: string;
    readonly url?: string;
    readonly concept?: { code: string; display: string; property: object[]; designation?: object[] }[];
    readonly group?: object[];
  }
  const resourcesOf = (list = HOSTILE): readonly Resource[] => {
    const { entry } = JSON.parse(textOf("fhir", list)) as { entry: { fullUrl: string; resource: Resource }[] };
    for (const { fullUrl } of entry) expect(fullUrl).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/); // prettier-ignore
    return entry.map(({ resource }) => resource);
  };

  it("has each code once, a retired one as inactive with its successor", () => {
    const [{ concept = [], ...system } = {}] = resourcesOf();
    expect(system).toMatchObject({
      resourceType: "CodeSystem",
      url: "https://registry.example/api/v1/concepts",
      version: "2026.11.1",
      name: "ConceptCodes",
      status: "active",
      date: "2026-11",
      content: "complete",
      count: ALL.length,
    });
    expect(concept.map(({ code, display }) => [code, display])).toEqual(ALL.map(({ code, name }) => [code, name]));
    expect(concept[0]?.property).toEqual([{ code: "status", valueCode: "active" }, { code: "domain", valueString: "Text of A-B" }]); // prettier-ignore
    const [first, second] = concept.filter(({ code }) => code.startsWith("X-"));
    expect(first?.property).toHaveLength(3);
    expect(second?.property).toEqual([
      { code: "status", valueCode: "retired" },
      { code: "inactive", valueBoolean: true },
      {
        code: "comment",
        valueString: expect.stringContaining("Retired in 2026.10.1. Its successor is T-101.") as string,
      },
      { code: "replacedBy", valueCode: "T-101" },
    ]);
  });

  it("maps to each system with the relationship that the source states, and names its own", () => {
    const [, map, naming] = resourcesOf(MAPPED);
    const source = "https://registry.example/api/v1/concepts";
    const group = ([target, code, there, relationship]: readonly string[]) => {
      return { source, target, element: [{ code, target: [{ code: there, relationship }] }] };
    };
    expect(map?.group).toEqual([
      group(["https://o.example/", "B-1", "dir/", "related-to"]),
      group(["https://o.example/x#", "A-1", "b", "equivalent"]),
      group(["https://t.example/a/", "A-1", "1", "equivalent"]),
      group(["urn:isbn:", "B-1", "1", "related-to"]),
    ]);
    expect(naming).toEqual({
      resourceType: "NamingSystem",
      version: "2026.11.1",
      name: "ConceptCodes",
      status: "active",
      date: "2026-11",
      kind: "codesystem",
      uniqueId: [{ type: "uri", value: source, preferred: true }],
    });
  });

  it("of no codes has no empty lists, which FHIR forbids", () => {
    expect(textOf("fhir", listOf([]))).not.toMatch(/\[\s*\]/);
    expect(resourcesOf(listOf([])).map(({ resourceType }) => resourceType)).toEqual(["CodeSystem", "ConceptMap", "NamingSystem"]); // prettier-ignore
  });
});

describe("a NUL", () => {
  it("is refused by SQL, which cannot hold it", () => {
    const [first] = ALL;
    if (first === undefined) throw new Error("The list is empty");
    expect(() => textOf("sql", listOf([{ ...first, name: "a\0b" }]))).toThrow("has a NUL, which SQL cannot hold");
  });
});
