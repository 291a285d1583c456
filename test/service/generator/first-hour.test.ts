/** What people type in their first hour: names, endings and folders as they would write them. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";

const home = folder(registryFiles({ concepts: [concept("A-1", [expression("en", "one")], { name: "The one" })] }));
const here = (...args: string[]): Promise<Outcome> => runHere(args, { cwd: home });
const read = (file: string): string => readFileSync(path.join(home, file), "utf8");

it.each([
  ["out.ttl", /^@prefix/],
  ["OUT.CSV", /^entry,/],
  ["out.tbx", /^<\?xml/],
  ["out.json", /^\{/],
  ["out.jsonld", /^\{/],
])("export writes %s in the format that its ending says, and import reads it", async (file, beginning) => {
  expect(await here("export", "--into", file)).toMatchObject({ code: 0 });
  expect(read(file)).toMatch(beginning);
  const imported = await here("import", "--from", file, "--into", `${file}-registry`);
  if (file === "out.json") expect(imported.stderr).toMatch(/--format is needed: skos, csv/);
  else expect(imported).toMatchObject({ code: 0, stderr: "" });
});

it("files of two formats, and an ending of several, are refused without --format", async () => {
  writeFileSync(path.join(home, "a.ttl"), "");
  writeFileSync(path.join(home, "a.csv"), "");
  for (const from of [
    ["--from", "a.ttl", "a.csv"],
    ["--from", "a.xml"],
  ])
    expect((await here("import", ...from, "--into", "x")).stderr).toMatch(/--format is needed|is not a file/);
});

it("mint takes a name, and says if a concept has it", async () => {
  const minted = await here("mint", "The two");
  expect(minted).toMatchObject({ code: 0, stderr: "" });
  expect(minted).toEqual(await here("mint", "--name", "The two"));
  expect((await here("mint", "The one")).stderr).toBe('Notice: "The one" is already the name of A-1\n');
  expect(await here("mint", "The", "one")).toMatchObject({ code: 2, stdout: "" });
});

it("a release folder is taken for the dist in it, by every command that reads one", async () => {
  expect(await here("build", "--origin", "https://words.example")).toMatchObject({ code: 0 });
  mkdirSync(path.join(home, "release/x"), { recursive: true });
  renameSync(path.join(home, "dist"), path.join(home, "release/x/dist"));
  expect((await here("verify", "release/x")).stdout).toMatch(/^release\/x\/dist is whole/);
  expect(await here("resolve", "one", "--out", "release/x")).toMatchObject({ code: 0 });
  expect(await here("host", "nginx", "--release", "release/x")).toMatchObject({ code: 0, stderr: "" });
  const origin = await here("verify-origin", "http://127.0.0.1:9", "--release", "release/x");
  expect(origin.stderr).not.toMatch(/build first|does not exist/);
  renameSync(path.join(home, "release/x/dist"), path.join(home, "dist"));
});

it.each([["start"], ["dev"], ["reconcile"]])("%s takes --port, and refuses what is not one", async (name) => {
  expect(await here(name, "--port", "70000")).toMatchObject({
    code: 2,
    stderr: '--port "70000" is not a port number\n',
  });
});

it("a build counts the expressions that can resolve, as the home page does, and names lint of that registry", async () => {
  const half = { ...expression("fr", "un"), equivalenceStrength: 0.5 };
  const both = [expression("en", "one"), expression("de", "one"), half];
  const root = folder(registryFiles({ concepts: [concept("A-1", both), concept("B-1", [expression("en", "one")])] }));
  renameSync(path.join(root, "registry"), path.join(root, "r 1"));
  const built = await runHere(["build", "--registry", "r 1"], { cwd: root });
  expect(built.stdout).toMatch(/ 3 reviewed exact expressions, .*\(npm .* run lint:registry -- --registry 'r 1'\)$/m);
  const texts = (file: string): string => readFileSync(path.join(root, "dist", file), "utf8");
  expect(texts("index.html")).toMatch(/>3<.*reviewed exact expressions/);
  expect(texts("agent-instructions.txt")).toContain("3 reviewed exact expressions");
  for (const file of ["api/v1/status", ".well-known/service-semantics.json", "registry/coverage.json"])
    expect(texts(file)).toMatch(/"reviewedExactExpressions": ?3\b/);
  const { stdout } = await runHere(["diff", "dist", "dist"], { cwd: root });
  expect(stdout.match(/ 3 reviewed exact expressions,/g)).toHaveLength(2);
});

it("an unknown key is reported with a guide that exists where the reader is", async () => {
  const root = folder({ "content/site.yaml": "nmae: x\n", ...registryFiles({ concepts: [] }) });
  const { stderr } = await runHere(["build"], { cwd: root });
  expect(stderr).toContain('has the unknown property "nmae" (did you mean name?)');
  const [, guide = ""] = /See the fields in (\S+)/.exec(stderr) ?? [];
  expect(guide).toMatch(/content\/README\.md/);
});
