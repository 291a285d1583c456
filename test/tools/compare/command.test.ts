/**
 * The diff command: its exit codes, its one line, and git revisions, which are built by their own
 * build. The project whose revisions these are is made up: its build copies the release that a
 * commit holds.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { type Outcome, runHere } from "../../support/command.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { type Compared, newFolder, tampered } from "../../support/diff.ts";

const registry = (code: string): ReturnType<typeof checkedRegistry> =>
  checkedRegistry({ concepts: [concept(code, [expression("en", "a")]), concept("B", [expression("de", "zwei")])] });

let one: string;
let two: string;
beforeAll(async () => {
  one = await buildRelease(registry("A"));
  two = await buildRelease(registry("C"));
});

/** The command with a folder for temporary things of its own, which must be empty in the end. */
async function diff(args: readonly string[], cwd?: string): Promise<Outcome> {
  const place = newFolder();
  const effects: Effects = { ...fileSystem, makeTemporary: (name) => mkdtempSync(path.join(place, name)) };
  const outcome = await runHere(["diff", ...args], { effects, ...(cwd !== undefined && { cwd }) });
  expect(readdirSync(place)).toEqual([]);
  return outcome;
}

describe("the diff command", () => {
  it.each<[string, () => readonly string[], Partial<Record<keyof Outcome, unknown>>]>([
    ["0 where every byte is the same", () => [one, path.dirname(one)], { code: 0, stdout: expect.stringMatching(/The same: every file, byte for byte\.\n$/) }],
    ["1 where something differs", () => [one, tampered(one, { extra: "x" }), "--json"], { code: 1, stdout: expect.stringContaining('"verdict": "different"') }],
    ["1 where a manifest is not JSON", () => [one, tampered(one, { "manifest.json": "x" })], { code: 1, stderr: "", stdout: expect.stringMatching(/manifest\.json changed the whole: \{.*… → null\n/) }],
    ["3 where an expression was reassigned", () => [one, two, "--json"], { code: 3, stdout: expect.stringContaining('"verdict": "reassigned"') }],
    ["2 where there is nothing to compare", () => ["/nonexistent", one], { code: 2, stdout: "", stderr: expect.stringMatching(/^"\/nonexistent" is not a folder[^\n]*\n$/) }],
    ["2 where the operating system refuses", () => [`${one}/manifest.json/x`, one], { code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) }],
    ["2 for an option that it does not have", () => ["--output=x", one], { code: 2, stdout: "", stderr: expect.stringMatching(/^Unknown option[^\n]*\n$/i) }],
    ["2 for an origin where nothing is built", () => [one, two, "--origin", "https://x.example"], { code: 2, stdout: "", stderr: "--origin is for a git revision, and both releases are built already: leave it out\n" }],
    ["2 for no releases", () => [], { code: 2, stdout: "", stderr: "Name two releases: npm run diff -- A B\n" }],
    ["2 for one release", () => [one], { code: 2, stdout: "", stderr: "Name two releases: npm run diff -- A B\n" }],
    ["0 for --help, which lists them", () => ["--help"], { code: 0, stdout: expect.stringMatching(/Exit codes: 0 .* 1 .* 2 .* 3 /) }],
  ])("ends with exit code %s", async (_what, args, outcome) => {
    expect(await diff(args())).toMatchObject(outcome);
  }); // prettier-ignore
});

describe("a git revision", () => {
  let clone: string;
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.org", ...args], {
      cwd,
      encoding: "utf8",
    });
  const git = (...args: string[]): string => gitIn(clone, ...args);
  const commit = (release: string): void => {
    rmSync(path.join(clone, "release"), { recursive: true, force: true });
    cpSync(release, path.join(clone, "release"), { recursive: true });
    git("add", "--all");
    git("commit", "--quiet", "--message", "release");
  };

  beforeAll(() => {
    clone = path.join(newFolder(), "clone");
    mkdirSync(clone);
    git("init", "--quiet");
    // The same lock as that of this project, whose packages are then linked.
    copyFileSync("package-lock.json", path.join(clone, "package-lock.json"));
    writeFileSync(path.join(clone, "package.json"), JSON.stringify({ type: "module", scripts: { build: "node build.js" } }));
    writeFileSync(path.join(clone, "build.js"), `
      import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
      const [, origin, , out] = process.argv.slice(2);
      if (!existsSync("node_modules/ajv")) throw new Error("No packages");
      cpSync("release", out, { recursive: true });
      const manifest = JSON.parse(readFileSync(out + "/manifest.json", "utf8"));
      writeFileSync(out + "/manifest.json", JSON.stringify({ ...manifest, origin }));`);
    commit(one);
    // As AGENTS.md often is one.
    symlinkSync("package.json", path.join(clone, "a-link"));
    commit(two);
  }); // prettier-ignore

  const json = async (a: string, b: string): Promise<Compared> => {
    const { stdout, stderr } = await diff([a, b, "--json"], clone);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Compared;
  };

  it("is built by its own build and compared", async () => {
    const found = await json("HEAD~1", "HEAD");
    const head = git("rev-parse", "HEAD").trim();
    expect(found).toMatchObject({
      verdict: "reassigned",
      b: { given: "HEAD", kind: "revision", commit: head, origin: "http://127.0.0.1:8080" },
    });
    expect(found.concepts.map(({ code, change }) => [code, change])).toEqual([
      ["A", "retired"],
      ["C", "added"],
    ]);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("is built for the origin of the release next to it, so that no address differs", async () => {
    expect(await json(one, "HEAD")).toMatchObject({ b: { kind: "revision", origin: "https://registry.example" } });
  });

  it("is built in its folder of this one, with what is around it, by whose attributes git writes its files", async () => {
    const around = newFolder();
    const inner = path.join(around, "inner");
    cpSync(clone, inner, { recursive: true, filter: (file) => path.basename(file) !== ".git" });
    renameSync(path.join(inner, "release"), path.join(around, "beside"));
    writeFileSync(path.join(around, ".gitattributes"), "build.js filter=moved");
    gitIn(around, "init", "--quiet");
    gitIn(around, "commit", "--quiet", "--allow-empty", "--message", "before there was anything");
    gitIn(around, "add", "--all");
    gitIn(around, "commit", "--quiet", "--message", "all");
    gitIn(around, "sparse-checkout", "set", "--cone", "inner");
    gitIn(around, "config", "filter.moved.smudge", 'sed s,cpSync..release,cpSync\\(\\"../beside,');
    expect(await diff([two, "HEAD"], inner)).toMatchObject({ code: 1, stderr: "" });
    expect(await diff([two, "HEAD~1"], inner)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Revision [0-9a-f]{40} cannot be built: it has no folder inner\/\n$/) as string,
    });
  });

  it("is not what a path of the same name leads to", async () => {
    renameSync(path.join(clone, "release"), path.join(clone, "HEAD"));
    expect(await json("HEAD", one)).toMatchObject({ a: { kind: "directory", commit: null } });
    renameSync(path.join(clone, "HEAD"), path.join(clone, "release"));
  });

  it("that cannot be built is one line with exit code 2, and nothing stays", async () => {
    writeFileSync(path.join(clone, "build.js"), "throw new Error('broken')");
    commit(one);
    expect(await diff([one, "HEAD"], clone)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^Revision [0-9a-f]{40} cannot be built: npm run failed \(1\): .*\n$/) as string,
    });
  });

  it("that has no script to build it is told", async () => {
    writeFileSync(path.join(clone, "package.json"), "{}");
    commit(one);
    const { stderr } = await diff([one, "HEAD"], clone);
    expect(stderr).toMatch(/npm run failed \(1\): it printed no reason; package\.json may not have this script\n$/);
  });

  it("that has no lock is told with the reason of npm, not with where npm logs", async () => {
    git("rm", "--quiet", "package-lock.json");
    commit(one);
    const { code, stderr } = await diff([one, "HEAD"], clone);
    expect(code).toBe(2);
    expect(stderr).toMatch(/cannot be built: npm ci failed \(1\): .*existing package-lock\.json.*\n$/);
  });
});
