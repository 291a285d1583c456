/** `add`, `rename`, `move`, `retire` and `reject`, over records in files and in lines. */
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import type { ConceptRecord } from "../../../../../generator/registry/record.ts";
import { formatConceptLine } from "../../../../../generator/tools/vocabulary/edit/write.ts";
import type { MemoryEffects } from "../../../../support/memory-effects.ts";
import { concept, expression, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";

const BY = ["--as", "terminology board", "--on", "2026-12-01"];
const REVIEW = { reviewedBy: "terminology board", reviewedAt: "2026-12-01" };
const LINES = "registry/concepts/lines.ndjson";
const YAML = "registry/concepts/test/C-3.yaml";

/** In a layout that no program writes. */
const yaml = `# About three.
code:   C-3
name: 'Three' # a number
definition: >
  Three things.
domain: test
expressions:
# English
-   expression: "three"
    language: en
    type: preferred
    reviewStatus: reviewed   # for now

-   {language: en, expression: "trio", reviewStatus: in_review}
# the end
`;

/** As no program writes them either: members in another order, defaults left out, CR LF. */
const two =
  '{"name":"Two","code":"C-2","definition":"Two things.","domain":"lines","expressions":[{"expression":"two","language":"en","reviewStatus":"reviewed"}]}';
const imported = { source: "A list", license: "CC0-1.0", sourceId: "http://x/5", reviewedBy: null, reviewedAt: null };
const five = concept("C-5", [expression("en", "five", { type: "preferred" })], {
  domain: "lines",
  provenance: { ...imported, exactMatch: ["http://y/5"] },
});
const lines = `${two}\r\n${formatConceptLine(five).trimEnd()}`;
const retired = [{ code: "C-9", retiredIn: "2026.11.1", replacedBy: "C-3" }];

const registryOf = (more: Record<string, string> = {}): MemoryEffects =>
  renamable(registryFiles({ concepts: [], retired, files: { [LINES]: lines, [YAML]: yaml, ...more } }));

function recordOf(effects: MemoryEffects, code: string): ConceptRecord | undefined {
  const { concepts, findings } = readRegistry(effects, "registry", () => undefined);
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  return concepts.find(({ record }) => record.code === code)?.record;
}

/** The files that differ, and the command's output. */
async function changed(effects: MemoryEffects, ...args: string[]) {
  const before = textsOf(effects);
  const { code, stdout, stderr } = await said(effects, args);
  const after = textsOf(effects);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const files = Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
  return { code, stdout, stderr, files };
}

describe("the command line", () => {
  it.each([
    [["add"], "Name an expression"],
    [["add", "x", "--to", "C-3"], "--language TAG is needed"],
    [["add", "x", "--language", "en_US", "--to", "C-3"], "is not a language tag"],
    [["add", "x", "--language", "en"], "--to CODE is needed, or --name, --definition and --domain of a new concept"],
    [["add", "x", "--language", "en", "--name", "X"], "A new concept needs --name, --definition and --domain"],
    [["add", "x", "--language", "en", "--to", "C-3", "--name", "X"], "--name is of a new concept"],
    [["add", "x", "--language", "en", "--to", "C-3", "--type", "best"], '--type "best" is none of preferred'],
    [["add", "x", "--language", "en", "--to", "C-3", "--strength", "2"], "is not a number from 0 to 1"],
    [["add", "x", "--language", "en", "--to", "C-3", "--as", "board"], "--on DATE is needed"],
    [
      ["add", "x", "--language", "en", "--name", "X", "--definition", "Y", "--domain", "../z"],
      "is new, and not a short",
    ],
    [["rename"], "Name the code of a concept"],
    [["rename", "C-3", "New", "name"], 'in quotes if it has spaces: "name" is too much'],
    [["rename", "C-3", "Three"], 'C-3 has the name "Three" already'],
    [["move", "three", ...BY], "--to CODE is needed"],
    [["move", "three", "--to", "C-2"], "--as ROLE is needed"],
    [["move", "three", "--to", "C-3", ...BY], '"three" is an expression of C-3 already'],
    [["reject", "three", "--as", "board"], "--on DATE is needed"],
    [["reject", "nothing", ...BY], 'No concept has the expression "nothing"'],
    [["reject", "three", "--language", "de", ...BY], 'No concept has the expression "three" (de)'],
    [["reject", "three", "--from", "C-2", ...BY], 'C-2 has the expression "three"'],
    [["retire"], "Name the code of a concept"],
    [["retire", "C-3", "--replaced-by", "C-3"], "is the code that is to be retired"],
    [["retire", "C-3", "--replaced-by", "C-9"], '"C-9" is retired since 2026.11.1 and replaced by C-3'],
    [["rename", "C-9", "Nine"], '"C-9" is retired since 2026.11.1 and replaced by C-3: a retired code stays retired'],
    [["rename", "C-33", "Nine"], '"C-33" is not the code of a concept (did you mean C-3?)'],
    [["add", "x", "--language", "en", "--to", "nobody"], '"nobody" is not the code of a concept'],
  ])("is refused in one line, and nothing is written: %j", async (args, message) => {
    const effects = registryOf();
    const before = textsOf(effects);
    const error = await said(effects, args).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain("\n");
    expect(textsOf(effects)).toEqual(before);
  });

  it.each([
    ["rename", "C-2", "Other"],
    ["retire", "C-2"],
    ["add", "x", "--language", "en", "--to", "C-2"],
    ["reject", "two", "--from", "C-2", ...BY],
  ])("is refused for a code that is in two files: %s", async (...args) => {
    const effects = registryOf({ "registry/concepts/test/again.yaml": two });
    const message = '"C-2" is in concepts/lines.ndjson:1 and in concepts/test/again.yaml: remove one';
    await expect(said(effects, args)).rejects.toThrow(message);
  });

  it("is refused while a file cannot be read, because its codes are not known", async () => {
    const { code, stderr, files } = await changed(registryOf({ [YAML]: "a: [" }), "rename", "C-2", "Other");
    expect([code, files]).toEqual([1, {}]);
    expect(stderr).toMatch(/error yaml-syntax[^]*1 error in registry: nothing was written$/);
  });

  it("writes all files or none", async () => {
    const files = registryFiles({ concepts: [], files: { [LINES]: lines, [YAML]: yaml } });
    const effects = renamable(files, { write: 2 });
    const before = textsOf(effects);
    await expect(said(effects, ["move", "three", "--to", "C-2", ...BY])).rejects.toThrow("No budget");
    expect(textsOf(effects)).toEqual(before);
  });
});

describe("add", () => {
  it("adds an expression that waits to a file, and keeps every other byte", async () => {
    const { code, stdout, files } = await changed(registryOf(), "add", "dreiheit", "--language", "de", "--to", "C-3");
    expect(code).toBe(0);
    expect(files).toEqual({
      [YAML]: yaml.replace(
        "in_review}\n",
        'in_review}\n-   { language: de, expression: "dreiheit", type: alternate, equivalenceStrength: 1, reviewStatus: in_review }\n',
      ),
    });
    expect(stdout).toMatch(
      /^C-3 "Three" in concepts\/test\/C-3\.yaml\n {2}\+ "dreiheit" \(de\): alternate, in_review\n\nChanged 1 file in registry: concepts\/test\/C-3\.yaml\nNext, when somebody has reviewed it:\n.*--accept --where concept=C-3 --as ROLE --on DATE$/,
    );
  });

  it("adds to a line, by code or sourceId, and keeps every other byte", async () => {
    const effects = registryOf();
    await changed(effects, "add", "zwei", "--language", "de", "--to", "C-2", "--type", "preferred");
    const added = {
      language: "de",
      expression: "zwei",
      type: "preferred",
      equivalenceStrength: 1,
      reviewStatus: "in_review",
    };
    expect(textsOf(effects)[LINES]).toBe(lines.replace("}]}", `},${JSON.stringify(added)}]}`));
    await changed(effects, "add", "5", "--language", "pt-BR", "--to", "http://x/5", "--strength", "0.5");
    expect(recordOf(effects, "C-5")?.expressions[1]).toMatchObject({ language: "pt", locale: "pt-BR", equivalenceStrength: 0.5 }); // prettier-ignore
  });

  it("is reviewed if somebody says who reviewed it", async () => {
    const effects = registryOf();
    await changed(effects, "add", "a five", "--language", "en", "--to", "C-5", ...BY);
    expect(recordOf(effects, "C-5")?.expressions[1]).toEqual({
      ...expression("en", "a five"),
      provenance: { ...imported, ...REVIEW },
    });
  });

  it.each([
    [["  x", "--language", "en", "--to", "C-3"], "expression-spaces"],
    [["three", "--language", "en", "--to", "C-3"], "expression-duplicate"],
    [["x", "--language", "ja", "--to", "C-3"], "language-not-admitted"],
    [["x", "x", "--language", "en", "--to", "C-3"], "expression-duplicate"],
    [["x", "--language", "en", "--name", "X", "--definition", " ", "--domain", "test"], "definition-missing"],
  ])("is refused with the rule: %j", async (args, rule) => {
    const { code, stderr, files } = await changed(registryOf(), "add", ...args);
    expect([code, files]).toEqual([1, {}]);
    expect(stderr).toMatch(new RegExp(`error ${rule}\n[^]*nothing was written$`));
  });

  const NEW = ["--language", "en", "--name", "Seven", "--definition", "Seven things."];

  it("gives a new concept a code, and a file where its domain is in files", async () => {
    const effects = registryOf();
    const { stdout, files } = await changed(effects, "add", "seven", "7", ...NEW, "--domain", "other");
    const [file = ""] = Object.keys(files);
    const text = files[file] ?? "";
    const [, code = ""] = /^registry\/concepts\/other\/(C-[^.]+)\.yaml$/.exec(file) ?? [];
    expect(load(text)).toEqual({
      code,
      name: "Seven",
      definition: "Seven things.",
      domain: "other",
      provenance: null,
      expressions: [
        expression("en", "seven", { type: "preferred", reviewStatus: "in_review" }),
        expression("en", "7", { reviewStatus: "in_review" }),
      ],
    });
    expect(stdout).toContain(
      `New: ${code} "Seven" in concepts/other/${code}.yaml\n  "Seven things."\n  + "seven" (en)`,
    );
    expect((await said(effects, ["mint", "Seven"])).stdout, "taken").not.toBe(code);
  });

  it("gives it a line in code order where its domain is in lines", async () => {
    const effects = registryOf();
    const { files } = await changed(effects, "add", "seven", ...NEW, "--domain", "lines");
    const code = /"code":"(C-[^"]+)","name":"Seven"/.exec(files[LINES] ?? "")?.[1] ?? "";
    const rows = (files[LINES] ?? "").split("\n");
    expect(rows).toHaveLength(4);
    expect(rows.filter((row) => !row.includes(code))).toEqual([...lines.split("\n"), ""]);
    const codes = readRegistry(effects, "registry", () => undefined).concepts.map(({ record }) => record.code);
    expect(codes).toEqual([...["C-2", "C-5", code].sort(), "C-3"]);
  });
});

describe("rename", () => {
  it("changes the name, in its quotes, and nothing else", async () => {
    const effects = registryOf();
    const file = await changed(effects, "rename", "C-3", "A  three");
    expect(file.files).toEqual({ [YAML]: yaml.replace("'Three'", "'A three'") });
    expect(file.stdout).toContain('  name: "Three" → "A three"\n');
    const line = await changed(effects, "rename", "C-2", 'T"o');
    expect(line.files).toEqual({ [LINES]: lines.replace('"Two"', '"T\\"o"') });
  });
});

describe("reject", () => {
  it("keeps the expression as history, with who decided", async () => {
    const effects = registryOf();
    const { stdout } = await changed(effects, "reject", "three", ...BY);
    expect(stdout).toContain('  "three" (en): reviewed → rejected, by "terminology board" on 2026-12-01\n');
    expect(recordOf(effects, "C-3")?.expressions[0]).toMatchObject({ reviewStatus: "rejected", provenance: REVIEW });
    expect(textsOf(effects)[YAML]).toContain("reviewStatus: rejected   # for now\n    provenance: {");
    await expect(said(effects, ["reject", "three", ...BY])).rejects.toThrow('"three" is already rejected in C-3');
    await changed(effects, "add", "three", "--language", "en", "--to", "C-3");
    const unknown = { reviewedBy: null, reviewedAt: null };
    const back = { type: "preferred", reviewStatus: "in_review", provenance: unknown };
    expect(recordOf(effects, "C-3")?.expressions[0], "add brings it back").toMatchObject(back);
  });

  it("asks which, if several concepts have it or a concept has it in several languages", async () => {
    const effects = registryOf();
    await changed(effects, "add", "three", "--language", "en", "--to", "C-2");
    await changed(effects, "add", "trio", "--language", "de", "--to", "C-3");
    const which = ": name one with --from CODE and --language TAG";
    const three = `"three" is an expression of C-2 (en), C-3 (en)${which}`;
    await expect(said(effects, ["reject", "three", ...BY])).rejects.toThrow(three);
    const trio = `"trio" is an expression of C-3 (en), C-3 (de)${which}`;
    await expect(said(effects, ["reject", "trio", "--from", "C-3", ...BY])).rejects.toThrow(trio);
    await changed(effects, "reject", "trio", "--language", "DE", ...BY);
    await changed(effects, "reject", "three", "--from", "C-2", ...BY);
    expect(recordOf(effects, "C-3")?.expressions.map((one) => one.reviewStatus)).toEqual([
      "reviewed",
      "in_review",
      "rejected",
    ]);
    expect(recordOf(effects, "C-2")?.expressions[1]?.reviewStatus).toBe("rejected");
  });
});

describe("move", () => {
  it("gives a reviewed expression to the other concept, which keeps it reviewed and where it came from", async () => {
    const effects = registryOf();
    const { stdout, files } = await changed(effects, "move", "five", "--to", "C-3", ...BY);
    expect(stdout).toContain('  + "five" (en): alternate, reviewed\nC-5 "Name of C-5" in concepts/lines.ndjson:2\n');
    const provenance = { ...imported, ...REVIEW };
    expect(recordOf(effects, "C-3")?.expressions[2]).toEqual({ ...expression("en", "five"), provenance });
    expect(recordOf(effects, "C-5")?.expressions).toEqual([
      { ...expression("en", "five", { type: "preferred", reviewStatus: "rejected" }), provenance },
    ]);
    expect(files[YAML]?.startsWith(yaml.slice(0, yaml.indexOf("# the end")))).toBe(true);
    expect(files[LINES]?.startsWith(`${two}\r\n`)).toBe(true);
    await changed(effects, "move", "five", "--to", "C-5", ...BY);
    expect(recordOf(effects, "C-5")?.expressions, "and back").toEqual([
      { ...expression("en", "five", { type: "preferred" }), provenance },
    ]);
  });

  it("moves one that waits, which still waits", async () => {
    const effects = registryOf();
    await changed(effects, "move", "trio", "--to", "C-2", ...BY);
    expect(recordOf(effects, "C-2")?.expressions[1]).toMatchObject({ expression: "trio", reviewStatus: "in_review" });
    expect(recordOf(effects, "C-3")?.expressions[1]?.reviewStatus).toBe("rejected");
  });

  it("says that it reassigns what the last release resolves, and what the next one needs", async () => {
    const effects = registryOf();
    expect((await said(effects, ["release-registry", "--version", "2026.11.1"])).code).toBe(0);
    const { stdout } = await changed(effects, "move", "three", "--to", "C-2", ...BY);
    expect(stdout).toMatch(/\nSince 2026\.11\.1\n\nREASSIGNED: [^\n]*: 2\n {2}"three" \(no language\): C-3 → C-2\n/);
    expect(stdout).toContain('\nA release of it needs the reason: release-registry --acknowledge "WHY"\n');
    expect((await said(effects, ["release-registry", "--version", "2026.11.2"])).code).toBe(3);
    const other = await changed(effects, "rename", "C-5", "Fünf");
    expect(other.stdout, "of another concept's change").not.toContain("REASSIGNED");
  });

  it("is refused where the other concept has it already", async () => {
    const effects = registryOf();
    await changed(effects, "add", "three", "--language", "en", "--to", "C-2");
    const { code, stderr, files } = await changed(effects, "move", "three", "--from", "C-3", "--to", "C-2", ...BY);
    expect([code, files]).toEqual([1, {}]);
    expect(stderr).toContain("error expression-duplicate");
  });
});

describe("retire", () => {
  it("removes the file, and lists the code with its successor", async () => {
    const { stdout, files } = await changed(
      registryOf(),
      "retire",
      "C-3",
      "--replaced-by",
      "http://x/5",
      "--reason",
      "Why: so",
    );
    const entry = { code: "C-3", retiredIn: "2026.11.1", replacedBy: "C-5", name: "Three", reason: "Why: so" };
    expect(files[YAML]).toBeUndefined();
    expect(load(files["registry/retired.yaml"] ?? "")).toEqual([...retired, entry]);
    expect(stdout).toContain(
      'C-3 "Three" leaves concepts/test/C-3.yaml\n  retired in 2026.11.1, replaced by C-5, "Why: so"\n',
    );
  });

  it("removes the line, and only it", async () => {
    const { files } = await changed(registryOf(), "retire", "C-2");
    expect(files[LINES]).toBe(lines.slice(lines.indexOf("\n") + 1));
    expect(load(files["registry/retired.yaml"] ?? "")).toHaveLength(2);
  });

  it("is of the version to come, and stays forever", async () => {
    const effects = registryOf();
    await said(effects, ["release-registry", "--version", "2026.11.1"]);
    const { stdout } = await changed(effects, "retire", "C-3");
    expect(stdout).toContain("  retired in 2026.11.2, no successor\n");
    expect(stdout).toContain('\nResolved before and abstain now: 2\n  "three" (no language): C-3 → ');
    expect((await said(effects, ["release-registry", "--version", "2026.12.1"])).code).toBe(0);
    await expect(said(effects, ["add", "x", "--language", "en", "--to", "C-3"])).rejects.toThrow("since 2026.12.1");
  });
});

it.each([
  ["add", "dreiheit", "--language", "de", "--to", "C-3"],
  ["add", "x", "--language", "en", "--name", "X", "--definition", "Y.", "--domain", "lines"],
  ["rename", "C-2", "Other"],
  ["move", "three", "--to", "C-2", ...BY],
  ["reject", "three", ...BY],
  ["retire", "C-3"],
])("%s --dry-run prints the same report, and writes nothing", async (...args) => {
  const dry = await changed(registryOf(), ...args, "--dry-run");
  const { stdout } = await changed(registryOf(), ...args);
  expect([dry.code, dry.files]).toEqual([0, {}]);
  const end = "\nNothing was written (--dry-run); to change: ";
  const [report = "", written = ""] = dry.stdout.split(end);
  expect(stdout.startsWith(`${report}\nChanged ${written}`)).toBe(true);
});
