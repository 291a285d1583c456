/** What commands notice aside from their result: it is on standard error, and stops nothing. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folder, runHere } from "../../support/command.ts";
import { buildRelease } from "../../support/release.ts";
import { checkedRegistry, concept, expression, registryFiles } from "../../support/registry.ts";

/** Imports a table; the findings are read back. */
async function imported(
  table: string,
  ...more: string[]
): Promise<{ code: number; stderr: string; rules: (string | undefined)[] }> {
  const at = folder({ "words.txt": table });
  const [from, into, findings] = ["words.txt", "own", "findings.ndjson"].map((name) => path.join(at, name)) as [
    string,
    string,
    string,
  ];
  const args = ["--format", "csv", "--from", from, "--into", into, "--findings", findings, ...more];
  const { code, stderr } = await runHere(["import", ...args]);
  if (code !== 0) return { code, stderr, rules: [] };
  const lines = readFileSync(findings, "utf8").split("\n").filter(Boolean);
  const rules = lines.map((line) => JSON.parse(line) as { rule: string; text: string });
  return { code, stderr, rules: rules.filter(({ rule }) => rule === "expression-typographic").map(({ text }) => text) };
}

describe("an import", () => {
  it("notices typographic characters, unless the plain form is there too", async () => {
    const rows = "1,fr,l’eau\n2,en,well–being\n3,fr,d’abord\n3,fr,d'abord\n4,en,plain\n";
    const { code, rules } = await imported(`id,language,expression\n${rows}`);
    expect([code, rules]).toEqual([
      0,
      [
        expect.stringContaining(`does not match "l'eau"`) as string,
        expect.stringContaining('does not match "well-being"') as string,
      ],
    ]);
  });

  it.each([
    ["\t", "tab"],
    ["|", '"|"'],
    [";", '";"'],
  ])("notices that %j separates the cells, and with a fault too", async (separator, name) => {
    const table = (...cells: string[]): string => `${["Id", "Language", "Expression"].join(separator)}\n${cells.join(separator)}\n`; // prettier-ignore
    const notice = `cells are separated by ${name}, as in the header (--delimiter says otherwise)`;
    const good = await imported(table("1", "pt", "água, doce"));
    expect([good.code, good.stderr]).toEqual([0, expect.stringContaining(notice)]);
    const bad = await imported(table("1", "pt"));
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining(notice)]);
    expect(bad.stderr).toContain("has 2 fields, and the header has 3");
    const said = await imported(table("1", "pt", "água"), "--delimiter", separator === "\t" ? "tab" : separator);
    expect([said.code, said.stderr]).toEqual([0, ""]);
  }); // prettier-ignore

  it("notices nothing of a table with commas", async () => {
    expect(await imported("id,language,expression\n1,pt,água\n")).toEqual({ code: 0, stderr: "", rules: [] });
  });
});

describe("an origin that leads nowhere on other machines", () => {
  const notice = "begin with http://192.168.7.7:81, which leads nowhere on other machines";
  const one = concept("C-ONE", [expression("en", "one")]);

  it("is noticed by an export that has its addresses, and by no other", async () => {
    const registry = path.join(folder(registryFiles({ concepts: [one] })), "registry");
    const args = ["export", "--registry", registry, "--format"];
    const skos = await runHere([...args, "skos", "--origin", "http://192.168.7.7:81"]);
    expect([skos.code, skos.stderr]).toEqual([0, expect.stringContaining(`IRIs in the export ${notice}`)]);
    const there = await runHere([...args, "skos", "--origin", "https://words.example.net"]);
    expect([there.code, there.stderr]).toEqual([0, expect.not.stringContaining("leads nowhere")]);
    const csv = await runHere([...args, "csv", "--origin", "http://192.168.7.7:81"]);
    expect([csv.code, csv.stderr]).toEqual([0, expect.not.stringContaining("leads nowhere")]);
  });

  it("is noticed by host", async () => {
    const dist = await buildRelease(checkedRegistry({ concepts: [one] }), "http://192.168.7.7:81");
    const { code, stderr } = await runHere([
      "host",
      "nginx",
      "--release",
      dist,
      "--into",
      path.join(folder({}), "hosts"),
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`IRIs in the release ${notice}`)]);
    expect(stderr.trimEnd()).toMatch(/, and build again$/);
  });
});
