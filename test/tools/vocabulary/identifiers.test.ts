/** Identifiers of names: each is of one code, and a record keeps it whatever the name becomes. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ListedCode } from "../../../generator/tools/vocabulary/release-formats/code-list.ts";
import {
  formatIdentifiers,
  readIdentifiers,
  withNewIdentifiers,
} from "../../../generator/tools/vocabulary/release-formats/identifiers.ts";
import { HOSTILE, listOf } from "../../support/code-list.ts";
import { runHere } from "../../support/command.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";

const named = (names: readonly string[]) =>
  listOf(names.map((name, i): ListedCode => ({ ...retired, code: `C-${i}`, name })));
const retired = { retired: { retiredIn: "2026.10.1", replacedBy: null, reason: null, name: null } };

const identifiersOf = (names: readonly string[], known: ReadonlyMap<string, string> = new Map()): string[] => [
  ...withNewIdentifiers(known, named(names)).values(),
];

describe("identifiers of names", () => {
  it("are the letters and digits of the name in capitals, or of the code", () => {
    const names = ["Refund request", "Größe (in Äpfeln)", "3D printing", "طلب استرداد", "2026", "--", "ﬁ ﬂ"];
    expect(identifiersOf(names)).toEqual([
      "REFUND_REQUEST",
      "GROSSE_IN_APFELN",
      "N3D_PRINTING",
      "C_3",
      "C_4",
      "C_5",
      "FI_FL",
    ]);
    expect(identifiersOf(["word ".repeat(40)])).toEqual([`${"WORD_".repeat(11)}WORD`]);
  });

  it("are told apart by the code, and then by a number", () => {
    expect(identifiersOf(["A b", "a B", "a b c 1", "C 4", "ä b"])).toEqual([
      "A_B",
      "A_B_C_1",
      "A_B_C_1_C_2",
      "C_4",
      "A_B_C_4",
    ]);
    const known = new Map([
      ["X", "A_B"],
      ["Y", "A_B_C_0"],
      ["Z", "A_B_C_0_2"],
    ]);
    expect(identifiersOf(["a b"], known)).toEqual(["A_B", "A_B_C_0", "A_B_C_0_2", "A_B_C_0_3"]);
  });

  it("are of one code each, whatever the names are, and stay what they were under other names", () => {
    const names = fc.array(
      fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("a b", "A-B", "1", "")),
    );
    fc.assert(
      fc.property(names, names, (first, second) => {
        const before = withNewIdentifiers(new Map(), named(first));
        expect(new Set(before.values()).size).toBe(before.size);
        expect([...before.values()].filter((one) => !/^[A-Z][A-Z0-9_]*$/.test(one))).toEqual([]);
        const kept = readIdentifiers(formatIdentifiers(before), "record");
        const after = withNewIdentifiers(kept, named(second));
        expect([...before].every(([code, identifier]) => after.get(code) === identifier)).toBe(true);
        expect(new Set(after.values()).size).toBe(after.size);
      }),
    );
  });

  it("of hostile names are those of TypeScript and Python", () => {
    const all = withNewIdentifiers(new Map(), HOSTILE);
    for (const identifier of all.values()) expect(identifier).toMatch(/^[A-Z][A-Z0-9_]*$/);
    expect(all.size).toBe([...HOSTILE].length);
  });
});

describe("export --identifiers", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "identifiers-"));
  const [record, into] = [path.join(folder, "identifiers.csv"), path.join(folder, "codes.ts")];
  const release = (name: string): Promise<string> =>
    buildRelease(checkedRegistry({ concepts: [concept("C-1", [expression("en", "refund")], { name })] }));
  const run = (out: string, ...more: readonly string[]) =>
    runHere(["export", "--out", out, "--into", into, "--identifiers", record, ...more]);
  let [before, after] = ["", ""];
  beforeAll(async () => {
    [before, after] = [await release("Refund request"), await release("Claim for money")];
  });

  it("writes the record, and the next export keeps it under another name", async () => {
    expect(await run(before)).toMatchObject({ code: 0 });
    expect(readFileSync(record, "utf8")).toBe("code,identifier\nC-1,REFUND_REQUEST\n");
    expect(await run(after)).toMatchObject({ code: 0 });
    const text = readFileSync(into, "utf8");
    expect(text).toContain('  REFUND_REQUEST: "C-1",');
    expect(text).toContain('"C-1": "Claim for money"');
    expect(readFileSync(record, "utf8")).toBe("code,identifier\nC-1,REFUND_REQUEST\n");
    const python = path.join(folder, "codes.py");
    await runHere(["export", "--out", after, "--into", python, "--identifiers", record]);
    expect(readFileSync(python, "utf8")).toContain('ConceptCode.REFUND_REQUEST: "Claim for money"');
  });

  it.each([
    ["another head", "code;identifier\n", "does not begin with the line code,identifier"],
    ["a keyword", "code,identifier\nC-1,class\n", 'line 2: "C-1,class" is not a code, a comma and an identifier'],
    ["a code twice", "code,identifier\nC-1,A\nC-1,B\n", "line 3: C-1 is there twice"],
    ["an identifier twice", "code,identifier\nC-1,A\nC-2,A\n", "line 3: A is the identifier of C-1 too"],
  ])("refuses a record with %s, and writes nothing", async (_what, text, said) => {
    const [own, target] = [path.join(folder, "own.csv"), path.join(folder, "own.ts")];
    writeFileSync(own, text);
    const { code, stderr } = await runHere(["export", "--out", before, "--into", target, "--identifiers", own]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect([existsSync(target), readFileSync(own, "utf8")]).toEqual([false, text]);
  });

  it("is refused with a format without identifiers, and for the file that is written", async () => {
    const { code, stderr } = await run(before, "--format", "sql");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--identifiers goes with --format typescript|python")]);
    const same = await runHere(["export", "--out", before, "--into", into, "--identifiers", into]);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining("would change")]);
  });
});
