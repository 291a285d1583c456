/**
 * A command or a path that a message names exists where its reader is: in a clone, outside of it,
 * in a repository that has a link to it, and in one where the package is installed. The messages
 * are read word by word, and each command is looked up there with its options.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAndReport } from "../../../generator/program.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { type HereOptions, type Outcome, runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";

const NAME = "semantic-resolution-service";
const home = realpathSync(mkdtempSync(path.join(tmpdir(), "hints ")));
const before = process.argv[1] ?? "";
afterAll(() => {
  process.argv[1] = before;
  rmSync(home, { recursive: true });
});

interface Place {
  readonly cwd: string;
  /** What Node was started with. */
  readonly started: string;
  readonly program?: HereOptions;
}
const places = new Map<string, Place>();

beforeAll(async () => {
  places.set("a folder of the clone", { cwd: path.join(project, "docs"), started: "lib/generator/main.js" });
  const outside = path.join(home, "outside");
  mkdirSync(outside);
  places.set("a folder outside the clone", { cwd: outside, started: path.join(project, "lib/generator/main.js") });
  const linked = path.join(home, "linked");
  mkdirSync(path.join(linked, "node_modules/.bin"), { recursive: true });
  symlinkSync(project, path.join(linked, "node_modules", NAME));
  places.set("a repository with a link to the clone", { cwd: linked, started: bin(linked) });
  const owner = path.join(home, "owner");
  const installed = path.join(owner, "node_modules", NAME);
  for (const name of ["lib", "content", "docs", "package.json", "registry/README.md"])
    cpSync(path.join(project, name), path.join(installed, name), { recursive: true });
  mkdirSync(path.join(owner, "node_modules/.bin"));
  symlinkSync(path.join(project, "node_modules"), path.join(installed, "node_modules"));
  const load = (name: string): Promise<object> => import(path.join(installed, "lib/generator", name));
  const program = { ...(await load("program.js")), ...(await load("effects/file-system.js")) } as {
    runAndReport: typeof runAndReport;
    fileSystem: typeof fileSystem;
  };
  places.set("a repository that has the package", {
    cwd: owner,
    started: bin(owner),
    program: { program: program.runAndReport, effects: program.fileSystem },
  });
});

/** The program as npm links it. */
function bin(repository: string): string {
  const file = path.join(repository, "node_modules/.bin/srs");
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(`../${NAME}/lib/generator/main.js`, file);
  return file;
}

/** Runs a command as the reader in a place would. */
function at({ cwd, started, program = {} }: Place, args: readonly string[]): Promise<Outcome> {
  process.argv[1] = started;
  return runHere(args, { cwd, ...program });
}

/** The folder of some files, which a command of the place is given. */
let made = 0;
function given(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = path.join(home, `given ${made++}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const ONE = concept("A-1", [expression("en", "one")]);
const TWO = concept("B-1", [expression("en", "two")]);

/** A registry that was released, and then edited. */
async function edited(place: Place, concepts = [ONE, TWO]): Promise<string> {
  const registry = path.join(given(registryFiles({ concepts: [ONE] })), "registry");
  const released = await at(place, ["release-registry", "--registry", registry, "--version", "2026.12.1"]);
  expect(released).toMatchObject({ code: 0, stderr: "" });
  const other = path.join(given(registryFiles({ concepts })), "registry/concepts");
  rmSync(path.join(registry, "concepts"), { recursive: true });
  renameSync(other, path.join(registry, "concepts"));
  return registry;
}

const none = (): string => path.join(home, "no dist");
const moved = [concept("A-1", [expression("en", "uno")]), concept("B-1", [expression("en", "one")])];

/** What fails or gives advice, and how many commands and paths it names at least. */
const SAID: readonly (readonly [string, number, (place: Place) => string[] | Promise<string[]>])[] = [
  ["resolve without a release", 1, () => ["resolve", "x", "--out", none()]],
  ["mcp without a release", 1, () => ["mcp", "--out", none()]],
  ["lookup of nothing", 1, () => ["lookup"]],
  ["resolve of nothing", 1, () => ["resolve", "--out", none()]],
  ["diff of one", 1, () => ["diff", "A"]],
  ["the help", 20, () => ["--help"]],
  ["the help of a command", 1, () => ["export", "--help"]],
  ["lint of a draft", 1, async (place) => ["lint", "--registry", await edited(place)]],
  ["a build of a draft", 1, async (place) => ["build", "--registry", await edited(place), "--out", path.join(home, "out")]],
  ["lint of a reassignment", 2, async (place) => ["lint", "--registry", await edited(place, moved)]],
  ["release of a draft", 1, async (place) => ["release", "--checked", "--registry", await edited(place), "--origin", "https://words.example"]],
  ["an unknown key of a registry", 1, () => ["lint", "--registry", given({ "registry.yaml": "nmae: x\n" })]],
  ["an unknown key of the content", 1, () => ["build", "--registry", given({ ...registryFiles({ concepts: [] }) }) + "/registry", "--content", given({ "site.yaml": "nmae: x\n" })]],
  ["an import", 3, () => ["import", "--from", `${given({ "a.csv": "sourceId,name,definition,language,expression\n1,One,It is one.,en,one\n" })}/a.csv`, "--into", path.join(home, `into ${made++}`)]],
]; // prettier-ignore

describe.each([
  "a folder of the clone",
  "a folder outside the clone",
  "a repository with a link to the clone",
  "a repository that has the package",
])("in %s", (name) => {
  it.each(SAID)("%s prints only names of files and commands that exist", async (_, least, argsOf) => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`There is no ${name}`);
    const args = await argsOf(place);
    const { stdout, stderr } = await at(place, args);
    const said = `${stdout}${stderr}`;
    const paths = [...said.matchAll(/\S+\.md\b/g)].map(([file]) => file);
    for (const file of paths) expect([said, existsSync(path.resolve(place.cwd, file))]).toEqual([said, true]);
    const commands = [...said.matchAll(/\b(?:npx|npm) (?:'[^']*'|[^()\n'])*/g)].map(([line]) => line);
    for (const line of commands) await expectCommand(place, line, said);
    expect([said, commands.length + paths.length >= least]).toEqual([said, true]);
    // A hint is about the registry that was given.
    const registry = args[args.indexOf("--registry") + 1] ?? "";
    const folders = commands.flatMap((line) => /--registry ('[^']*'|\S+)/.exec(line)?.[1] ?? []);
    for (const one of args.includes("--registry") ? folders : []) expect(wordOf(one)).toBe(registry);
  });
});

const wordOf = (quoted: string): string => quoted.replaceAll("'", "");

/** The line can be run in the place: the script or the program is there, and has the options. */
async function expectCommand({ cwd, ...rest }: Place, line: string, said: string): Promise<void> {
  const words = line.replaceAll(/'[^']*'/g, wordOf).split(/\s+/);
  const options = [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option);
  let command = words[2] ?? "";
  if (words[0] === "npx") expect([said, words[1], existsSync(path.join(cwd, "node_modules/.bin/srs"))]).toEqual([said, "srs", true]);
  else {
    const [, prefix] = /--prefix ('[^']*'|\S+)/.exec(line) ?? [];
    const scripts = scriptsFrom(path.resolve(cwd, wordOf(prefix ?? ".")));
    const [, script = "start"] = / run (?:--silent )?([a-z:-]+)/.exec(line) ?? [];
    expect([said, script, script in scripts]).toEqual([said, script, true]);
    command = scripts[script]?.split(" ").at(-1) ?? "";
  }
  const { code, stdout } = await at({ cwd, ...rest }, [command, "--help"]);
  expect([said, code]).toEqual([said, 0]);
  for (const option of options.filter((one) => !/^--(?:prefix|silent)$/.test(one))) expect([said, stdout]).toEqual([said, expect.stringContaining(option)]);
} // prettier-ignore

/** Those of the nearest package.json, as npm finds it. */
function scriptsFrom(folder: string): Record<string, string> {
  const file = path.join(folder, "package.json");
  if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { scripts: Record<string, string> }).scripts;
  return folder === path.dirname(folder) ? {} : scriptsFrom(path.dirname(folder));
}

it.each(["linked", "owner"])("Node is told the link of the program in a repository (%s)", (name) => {
  const cwd = path.join(home, name);
  const said = execFileSync(path.join(cwd, "node_modules/.bin/srs"), ["lookup", "--help"], { cwd, encoding: "utf8" });
  expect(said).toMatch(/^Usage: npx srs lookup /);
});
