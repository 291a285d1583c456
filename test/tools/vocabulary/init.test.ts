/** `init`: what it writes builds and answers as it is; nothing of the owner's is overwritten. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { runAndReport } from "../../../generator/program.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { namesIn } from "../../support/files.ts";
import { project } from "../../support/project.ts";

/** In this process; `answer` is what somebody says when asked. */
function init(args: readonly string[], answer?: string): Promise<Outcome> {
  const ask = answer === undefined ? undefined : () => Promise.resolve(answer);
  return runHere(["init", ...args], {
    program: ({ console, ...outside }, line) => runAndReport({ ...outside, console: { ...console, ask } }, line),
  });
}

const read = (...names: string[]): string => readFileSync(path.join(...names), "utf8");
const json = (...names: string[]): unknown => JSON.parse(read(...names));

const FILES = [
  ".gitattributes",
  ".github/ISSUE_TEMPLATE/proposal.yaml",
  ".github/actions/check-codes/action.yaml",
  ".github/workflows/proposal.yaml",
  ".github/workflows/vocabulary.yaml",
  ".gitignore",
  ".mcp.json",
  ".pre-commit-hooks.yaml",
  "README.md",
  "content/README.md",
  "content/site.yaml",
  "package.json",
  "registry/README.md",
  "registry/concepts/example/C-7KQ2MX.yaml",
  "registry/registry.yaml",
  "registry/retired.yaml",
  "service.yaml",
];

describe("init", () => {
  it("writes a repository that has no finding, builds, and resolves its example", async () => {
    const directory = path.join(folder({}), "my-words");
    const { code, stdout, stderr } = await init([directory, "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`Wrote 17 files into ${directory}\nNext:\n  cd ${directory}\n  npm install\n  npx srs start\n`);
    expect(namesIn(directory)).toEqual(FILES);
    const here = (...args: string[]): Promise<Outcome> => runHere(args, { cwd: directory });
    expect((await here("lint")).stdout).toMatch(/^0 errors, 0 notices\nMy words 0000\.01\.0: 1 concept,/);
    expect(await here("build")).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse((await here("resolve", "opening hours")).stdout)).toMatchObject({
      data: { status: "resolved", concept: { code: "C-7KQ2MX" } },
    });
    expect(read(directory, "dist/index.html")).toContain("My words");
    expect(read(directory, "dist/llms.txt")).toMatch(/^# My words\n\n> 1 concept; .* A governed/);
    expect(read(directory, "dist/answers.md")).toContain('{"expression": "opening hours", "language": "en"}');
    expect(json(directory, "dist/registry/retired.json")).toMatchObject({ retired: [{ replacedBy: "C-7KQ2MX" }] });
  });

  it("keeps the memory of releases whole where git converts line ends", async () => {
    const [own, other] = [folder({}), path.join(folder({}), "clone")];
    await init([own, "--yes"]);
    const git = (at: string, ...args: string[]): void =>
      void execFileSync("git", ["-c", "core.autocrlf=true", "-C", at, ...args], { stdio: "pipe" });
    const record = path.join(own, "registry/concepts/example/C-7KQ2MX.yaml");
    rmSync(path.join(own, "registry/retired.yaml"));
    for (const version of ["2026.11.1", "2026.11.2"]) {
      const text = read(record).replaceAll("Opening hours", "Times").replace(" a place receives", " the zoo receives");
      writeFileSync(record, text.replace("zoo", `zoo, as of ${version},`));
      expect(await runHere(["release-registry", "--version", version], { cwd: own })).toMatchObject({ code: 0 });
    }
    git(own, "init", "-q");
    git(own, "add", ".");
    git(own, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x");
    git(".", "clone", "-q", own, other);
    expect(await runHere(["lint"], { cwd: other })).toMatchObject({ code: 0, stderr: "" });
    const memory = path.join(other, "registry/released/2026.11.2.ndjson");
    writeFileSync(memory, read(memory).replaceAll("\n", "\r\n"));
    const { code, stderr } = await runHere(["lint"], { cwd: other });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/memory-broken[^]*write "\* -text" into \.gitattributes/),
    ]);
  });

  it("writes examples that no release takes, until their texts are one's own", async () => {
    const directory = folder({});
    await init([directory, "--yes"]);
    const release = (): Promise<Outcome> => runHere(["release-registry", "--version", "2026.12.1"], { cwd: directory });
    const file = path.join(directory, "registry/concepts/example/C-7KQ2MX.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("Opening hours", "Times of the zoo"));
    const refused = await release();
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/C-7KQ2MX\.yaml[^]*example-left[^]*retired\.yaml[^]*C-3HB9TD is the example/);
    expect(existsSync(path.join(directory, "registry/history.yaml"))).toBe(false);
    writeFileSync(file, readFileSync(file, "utf8").replace("a place receives", "the zoo receives"));
    rmSync(path.join(directory, "registry/retired.yaml"));
    expect(await release()).toMatchObject({ code: 0, stderr: "" });
  });

  it("names the clone that it runs from, from the place of the repository", async () => {
    const directory = folder({});
    await init([directory, "--yes"]);
    const { overrides } = json("package.json") as { overrides: object };
    expect(json(directory, "package.json")).toMatchObject({
      private: true,
      dependencies: { "semantic-resolution-service": `file:${path.relative(realpathSync(directory), project)}` },
      // Else npm brings in what needs a newer Node than the package does.
      overrides,
    });
    const other = folder({});
    await init([other, "--yes", "--package", "file:../tool.tgz"]);
    expect(read(other, "package.json")).toContain('"semantic-resolution-service": "file:../tool.tgz"');
  });

  it("writes nothing where a file is in the way of a folder, and all of it once that is gone", async () => {
    const directory = folder({ registry: "x" });
    const { code, stdout, stderr } = await init([directory, "--yes"]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/a file in the way of registry\/.*: nothing was written\n$/)]); // prettier-ignore
    expect(namesIn(directory)).toEqual(["registry"]);
    for (const name of [".github", "service.yaml"]) {
      const linked = folder({});
      symlinkSync("nowhere", path.join(linked, name));
      expect((await init([linked, "--yes"])).stderr).toMatch(/a file in the way of [^\n]*: nothing was written\n$/);
      expect(readdirSync(linked)).toEqual([name]);
    }
  });

  it("has a script for each command but itself", async () => {
    const directory = folder({});
    await init([directory, "--yes"]);
    const { scripts } = json(directory, "package.json") as { scripts: Record<string, string> };
    const help = (await runHere(["--help"])).stdout;
    const commands = [...help.matchAll(/^ {2}npm (?:run )?([a-z:-]+) {2,}/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((name = "") => !(name in scripts))).toEqual(["init"]);
    // A signal to npm reaches what runs until it is ended, as in the clone.
    const clone = (json("package.json") as { scripts: Record<string, string> }).scripts;
    for (const [name, script] of Object.entries(scripts))
      expect([name, script.startsWith("exec ")]).toEqual([name, clone[name]?.includes("&& exec ")]);
  });

  it("starts this service for agents, by a name that their hosts admit", async () => {
    const directory = path.join(folder({}), "My words (2026)");
    await init([directory, "--yes"]);
    const server = { command: "npx", args: ["--no", "srs", "mcp"] };
    expect(json(directory, ".mcp.json")).toEqual({ mcpServers: { "my-words-2026": server } });
  });

  it("takes a name with any characters", async () => {
    const directory = folder({});
    const name = 'Ämter: "A" & $& #1';
    await init([directory, "--yes", "--name", name]);
    expect(load(read(directory, "registry/registry.yaml"))).toMatchObject({ name });
    expect(load(read(directory, "content/site.yaml"))).toMatchObject({ name });
    expect(read(directory, "README.md")).toMatch(/^# Ämter: "A" & \$& #1\n/);
  });

  it("adds to a repository what it lacks, and keeps what is its own", async () => {
    const own = { name: "own", scripts: { build: "make", test: "x" }, devDependencies: { "semantic-resolution-service": "file:t.tgz" }, overrides: { x: "1" } }; // prettier-ignore
    const directory = folder({ "package.json": JSON.stringify(own), ".gitignore": "mine\n", "README.md": "Mine\n" });
    expect((await init([directory, "--yes"])).stdout).toContain("; kept .gitignore, README.md\n");
    expect([read(directory, ".gitignore"), read(directory, "README.md")]).toEqual(["mine\n", "Mine\n"]);
    const after = json(directory, "package.json") as typeof own & { dependencies?: unknown };
    expect([after.name, after.scripts.build, after.scripts.test]).toEqual(["own", "make", "x"]);
    expect(after.scripts).toMatchObject({ start: "exec srs start" });
    expect(after.overrides).toMatchObject({ "light-my-request": expect.any(String) as string, x: "1" });
    expect([after.devDependencies, after.dependencies]).toEqual([own.devDependencies, undefined]);
  });

  it.each(FILES.filter((file) => !/README|gitignore|gitattributes|mcp|pre-commit|package\.json/.test(file)))(
    "never overwrites %s",
    async (file) => {
      const directory = folder({ [file]: "mine" });
      const { code, stdout, stderr } = await init([directory, "--yes"]);
      expect([code, stdout, stderr]).toEqual([2, "", `${directory} has ${file} already: nothing was written\n`]);
      expect([namesIn(directory), read(directory, file)]).toEqual([[file], "mine"]);
    },
  );

  it("leaves everything as it was where the disk is full, and what a stopped run did not write is written", async () => {
    const own = `{ "name": "own", "description": "${"x".repeat(4000)}" }`;
    const directory = folder({ "package.json": own });
    const full = (file: string): never => {
      throw Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { syscall: "write", code: "ENOSPC" }); // prettier-ignore
    };
    const write: Effects["write"] = (file, chunks) =>
      file.includes("site.yaml") ? full(file) : fileSystem.write(file, chunks);
    const { code, stderr } = await runHere(["init", directory, "--yes"], { effects: { ...fileSystem, write } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ENOSPC: /)]);
    expect([namesIn(directory), read(directory, "package.json")]).toEqual([["package.json"], own]);
    expect(await init([directory, "--yes"])).toMatchObject({ code: 0, stderr: "" });
    for (const file of ["service.yaml", "content/site.yaml"]) rmSync(path.join(directory, file));
    expect((await init([directory, "--yes"])).stdout).toMatch(
      /^Wrote 3 files into .*; kept .*registry\/registry\.yaml/,
    );
    expect(namesIn(directory)).toEqual(FILES);
    expect((await init([directory, "--yes"])).stderr).toMatch(/ has service\.yaml, .* already: nothing was written\n$/);
  });

  it("asks first; where nobody can answer, only --yes writes", async () => {
    const directory = folder({});
    expect(await init([directory])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^There is no terminal to ask on/) as string }); // prettier-ignore
    expect(await init([directory], "no")).toMatchObject({ code: 1, stderr: "" });
    expect(existsSync(path.join(directory, "package.json"))).toBe(false);
    expect(await init([directory], "y")).toMatchObject({ code: 0, stderr: "" });
  });

  it("refuses a package.json that is not one, and a file in the place of the folder", async () => {
    const directory = folder({ "package.json": "{" });
    expect((await init([directory, "--yes"])).stderr).toMatch(
      /package\.json is not a JSON object: nothing was written$/m,
    );
    expect((await init([path.join(directory, "package.json"), "--yes"])).stderr).toMatch(
      /is not a directory, and cannot be one$/m,
    );
    expect((await init([path.join(directory, "package.json", "sub"), "--yes"])).stderr).toMatch(/cannot be one$/m);
    expect((await init(["", "--yes"])).stderr).toMatch(/^Name a folder, or leave it out for this one$/m);
    expect((await init([folder({ "package.json": '{"scripts":"x"}' }), "--yes"])).stderr).toMatch(/scripts is not a JSON/); // prettier-ignore
    expect((await init([folder({ "package.json": "[]" }), "--yes"])).stderr).toMatch(/is not a JSON object/);
  });

  it("is not begun in a registry, which has no other files", async () => {
    const directory = folder({ "registry.yaml": "name: x" });
    const { code, stderr } = await init([directory, "--yes"]);
    expect([code, namesIn(directory)]).toEqual([2, ["registry.yaml"]]);
    expect(stderr).toMatch(/ is a registry, which has no other files: name the folder around it\n$/);
  });

  it("refuses a name that no registry could have, and says how to enter a folder of any name", async () => {
    const directory = path.join(folder({}), "My zoo's");
    expect(await init([directory, "--name", "a\nb", "--yes"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--name: /) as string }); // prettier-ignore
    expect((await init([directory, "--yes"])).stdout).toContain(`  cd '${directory.replace("'", `'\\''`)}'\n`);
    const option = await runHere(["init", "--yes", "--", "-x"], { cwd: folder({}) });
    expect(option.stdout).toContain("  cd ./-x\n");
  });
});

describe("the workflow", () => {
  interface Step {
    readonly uses?: string;
    readonly run?: string;
  }
  interface Workflow {
    readonly permissions: unknown;
    readonly jobs: Readonly<Record<string, { readonly if?: string; readonly permissions: unknown; readonly steps: readonly Step[] }>>; // prettier-ignore
  }
  async function readWorkflow(): Promise<{ workflow: Workflow; scripts: Record<string, string> }> {
    const directory = folder({});
    await init([directory, "--yes"]);
    const workflow = load(read(directory, ".github/workflows/vocabulary.yaml")) as Workflow;
    return { workflow, scripts: (json(directory, "package.json") as { scripts: Record<string, string> }).scripts };
  }

  it("pins its actions by digest, and runs what the package has", async () => {
    const { workflow, scripts } = await readWorkflow();
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    for (const { uses = `@${"0".repeat(40)}` } of steps) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    const lines = steps.flatMap(({ run: text = "" }) => text.split("\n"));
    // The owner may have scripts of the same names, which stay.
    expect(lines.filter((line) => /npm run|npm start/.test(line))).toEqual([]);
    const named = lines.flatMap((line) => /npx --no-install srs (\S+)/.exec(line)?.[1] ?? []);
    expect(named).toEqual(["lint", "build", "verify", "build", "diff"]);
    expect(Object.values(scripts).join()).toMatch(new RegExp(named.map((name) => `(?=.*srs ${name}\\b)`).join("")));
  });

  it("compares what it built, whatever folder service.yaml names", async () => {
    const { workflow } = await readWorkflow();
    const text = workflow.jobs["check"]?.steps.map(({ run = "" }) => run).join("");
    expect([...text!.matchAll(/\b(build|verify)\b.* --out (\S+)/g)].map(([, name, to]) => [name, to])).toEqual([
      ["build", "dist"],
      ["verify", "dist"],
      ["build", '"$PWD/../base-dist")'],
    ]);
    expect(text).toContain(" diff base-dist dist ");
  });

  it("has a network for npm ci alone", async () => {
    const { workflow } = await readWorkflow();
    const lines = workflow.jobs["check"]?.steps.flatMap(({ run: text = "" }) => text.split("\n")) ?? [];
    const [online, offline] = [/\bci --ignore-scripts/, /^\(?(?:cd \.base && )?offline n/];
    const programs = lines.filter((line) => /\bnp[mx] /.test(line));
    expect(programs.filter((line) => online.test(line)).length).toBe(2);
    expect(programs.filter((line) => !online.test(line) && !offline.test(line))).toEqual([]);
  });

  it("may write only a comment, in a job that runs nothing of a pull request and is not for forks", async () => {
    const { workflow } = await readWorkflow();
    const { check, comment } = workflow.jobs;
    expect([workflow.permissions, check?.permissions]).toEqual([{}, { contents: "read" }]);
    expect(comment?.permissions).toEqual({ "pull-requests": "write" });
    expect(comment?.if).toContain("pull_request.head.repo.full_name == github.repository");
    expect(comment?.steps.map(({ uses, run: line }) => (uses ?? line ?? "").split(/@| comment/)[0])).toEqual(["actions/download-artifact", "gh pr"]); // prettier-ignore
  });
});
