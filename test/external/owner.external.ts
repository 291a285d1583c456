/**
 * An owner from the first day to an upgrade: the packed package, an empty folder, and nothing of
 * the clone on the path or in the environment. Needs npm's registry or cache for the installation,
 * git, and for one step a browser.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, describe, expect, it } from "vitest";
import { noChromium, picture, visit } from "../browser/chromium.ts";
import { type Outcome, reasonToSkip } from "../support/npx.ts";
import { project } from "../support/project.ts";

const TABLE = `sourceId,name,definition,language,expression,type
1,Refund,Money that is paid back.,en,refund,preferred
1,,,de,Erstattung,preferred
2,Invoice,A request for payment.,en,invoice,preferred
2,,,en,bill,alternate
`;

const home = mkdtempSync(path.join(tmpdir(), "owner-"));
afterAll(() => rmSync(home, { recursive: true }));
const words = path.join(home, "words");
const temporary = path.join(home, "tmp");
const bin = path.join(home, "bin");
for (const folder of [words, temporary, bin]) mkdirSync(folder);

/** A shell of somebody else: their home with npm's cache, this Node, the system's programs. */
const SHELL = {
  HOME: homedir(),
  PATH: [bin, path.dirname(process.execPath), "/usr/local/bin:/usr/bin:/bin"].join(":"),
  TMPDIR: temporary,
  npm_config_prefer_offline: "true",
  GITHUB_STEP_SUMMARY: path.join(home, "summary.md"),
  ...Object.fromEntries(["AUTHOR", "COMMITTER"].flatMap((who) => [[`GIT_${who}_NAME`, "Owner"], [`GIT_${who}_EMAIL`, "o@words.example"]])), // prettier-ignore
};

/** Runs a line of the shell as workflows do; the tests of what it says come after. */
function sh(line: string, cwd = words): Promise<Outcome> {
  const child = spawn("bash", ["-eo", "pipefail", "-c", line], { cwd, env: SHELL, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** The same where it must succeed. Gives what is printed. */
async function run(line: string, cwd = words): Promise<string> {
  const { code, stdout, stderr } = await sh(line, cwd);
  expect([line, code, stderr.split("\n").filter((text) => !/^(?:npm|Notice:) /.test(text))]).toEqual([line, 0, [""]]);
  return stdout;
}

function pack(clone: string, name: string): string {
  const into = path.join(home, name);
  mkdirSync(into);
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", into], { cwd: clone });
  return path.join(into, readdirSync(into)[0] ?? "");
}

/** The package of the previous commit; undefined in a shallow clone. */
function packBefore(): string | undefined {
  const clone = path.join(home, "before");
  mkdirSync(clone);
  try {
    const archive = execFileSync("git", ["archive", "HEAD~1"], { cwd: project, maxBuffer: 1 << 28, stdio: "pipe" });
    execFileSync("tar", ["-x"], { cwd: clone, input: archive });
  } catch {
    console.warn("Skipped, an upgrade: the commit before this one is not there, as in a shallow clone");
    return undefined;
  }
  execFileSync("ln", ["-s", path.join(project, "node_modules"), "node_modules"], { cwd: clone });
  execFileSync(process.execPath, ["generator/compile.js"], { cwd: clone });
  return pack(clone, "packed-before");
}

const tarball = pack(project, "packed");
const before = packBefore();
const begun = await sh(`npx --yes --package=${tarball} srs init --yes --name "My words" --package file:${tarball}`);
const reason = reasonToSkip(path.basename(tarball), begun, "once, for its libraries");

const read = (...names: string[]): string => readFileSync(path.join(words, ...names), "utf8");
const edit = (file: string, from: string, to: string): void => {
  expect(read(file)).toContain(from);
  writeFileSync(path.join(words, file), read(file).replace(from, to));
};

/** A release refuses the examples that init wrote, so they become an owner's. */
function replaceExamples(folder: string): void {
  const example = path.join(folder, "registry/concepts/example/C-7KQ2MX.yaml");
  const theirs = readFileSync(example, "utf8").replace(/^(name|definition): .*$/gm, '$1: "When the shop is open"');
  writeFileSync(example, theirs);
  writeFileSync(path.join(folder, "registry/retired.yaml"), "[]\n");
}

describe.skipIf(reason !== undefined)("an owner", () => {
  it("begins in an empty folder, with an answer after two commands", async () => {
    await run("npm install --no-audit --no-fund");
    await run("npm run build");
    expect(JSON.parse(await run('npm run -s resolve -- "opening hours"'))).toMatchObject({
      data: { status: "resolved" },
    });
    expect(realpathSync(path.join(words, "node_modules/semantic-resolution-service"))).not.toContain(project);
    await run("git init -q && git add -A && git commit -qm begin");
  });

  it("imports a table of their own, and has it reviewed", async () => {
    writeFileSync(path.join(words, "my.csv"), TABLE);
    expect(await run("npm run -s import -- --format csv --from my.csv --into registry --license CC-BY-4.0")).toContain(
      "concepts: 2 new",
    );
    expect(JSON.parse(await run("npx srs build && npx srs resolve refund").then((text) => text.slice(text.indexOf("{"))))).toMatchObject({ data: { status: "abstained" } }); // prettier-ignore
    await run('npm run review -- --accept --as "terminology team" --on 2026-11-21');
  });

  it.skipIf(noChromium)("sees each edit in a browser, and nothing is left of that", async () => {
    rmSync(path.join(words, "dist"), { recursive: true });
    // A terminal sends Ctrl-C to all that npm has started.
    const child = spawn("npm", ["run", "dev", "--", "--port", "0"], { cwd: words, env: SHELL, detached: true });
    try {
      const port = await new Promise<number>((resolve) => {
        child.stdout.on("data", (chunk: Buffer) => {
          const [, found] = /on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(chunk.toString()) ?? [];
          if (found !== undefined) resolve(Number(found));
        });
      });
      const { page, offences } = await visit(port);
      await page.goto("/concepts");
      await page.getByRole("link", { name: "Invoice" }).first().waitFor();
      edit("content/site.yaml", "My words", "Our words");
      await page.getByRole("link", { name: "Our words" }).first().waitFor();
      await page.getByLabel("Preview").getByText("not recorded").waitFor();
      await picture(page, "owner-dev");
      expect(offences).toEqual([]);
    } finally {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      process.kill(-(child.pid ?? 0), "SIGINT");
      await ended;
    }
    expect(readdirSync(temporary).filter((name) => name.startsWith("srs-dev"))).toEqual([]);
    expect(existsSync(path.join(words, "dist"))).toBe(false);
  });

  it("records a version and releases it", async () => {
    replaceExamples(words);
    expect(await run("npm run release:registry -- --version 2026.12.1")).toContain("Recorded 2026.12.1: 3 concepts");
    const said = await run("npm run release -- --origin https://words.example");
    expect(said).toContain("Released release/my-words-2026.12.1 for https://words.example");
    expect(JSON.parse(await run("npm run -s resolve -- bill"))).toMatchObject({
      data: { concept: { name: "Invoice" } },
    });
    await run("git add -A && git commit -qm 2026.12.1");
  });

  it("is refused an edit that gives an expression to another code", async () => {
    type Line = { name: string; expressions: { expression: string }[] };
    const file = "registry/concepts/my.ndjson";
    const lines = read(file).trim().split("\n").map((line) => JSON.parse(line) as Line); // prettier-ignore
    const [refund, invoice] = ["Refund", "Invoice"].map((name) => lines.find((line) => line.name === name));
    refund?.expressions.push(...(invoice?.expressions.splice(1, 1) ?? []));
    writeFileSync(path.join(words, file), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const asRecorded = await sh("npm run build");
    expect([asRecorded.code, asRecorded.stdout]).toEqual([0, expect.stringContaining("2026.12.2-draft")]);
    expect(asRecorded.stderr).toContain("expression-reassigned");
    const version = await sh("npm run release:registry -- --version 2026.12.2");
    expect([version.code, version.stdout]).toEqual([3, expect.stringContaining('"bill"')]);
    edit("registry/registry.yaml", "2026.12.1", "2026.12.2");
    const release = await sh("npm run release -- --origin https://words.example");
    expect([release.code, release.stderr]).toEqual([1, expect.stringContaining("expression-reassigned")]);
    expect(readdirSync(path.join(words, "release"))).toEqual(["my-words-2026.12.1"]);
    await run("git checkout -q registry");
  });

  it("gets what a pull request changes as a comment, by the workflow as it is written", async () => {
    // The rights of a runner, where this process has none: no network where that can be had.
    writeFileSync(path.join(bin, "sudo"), '#!/bin/sh\nif [ "$1" = -u ]; then shift 2; exec "$@"; fi\nshift 3\nif unshare -rn true 2>/dev/null; then exec unshare -rn "$@"; fi\nexec "$@"\n'); // prettier-ignore
    chmodSync(path.join(bin, "sudo"), 0o755);
    const workflow = load(read(".github/workflows/vocabulary.yaml")) as {
      jobs: { check: { steps: { run?: string }[] } };
    };
    await run("git worktree add -q .base HEAD");
    edit("registry/concepts/example/C-7KQ2MX.yaml", '"opening hours"', '"hours of opening"');
    edit("registry/registry.yaml", "2026.12.1", "2026.12.2");
    for (const { run: script } of workflow.jobs.check.steps) {
      const { code, stderr } = script === undefined ? { code: 0, stderr: "" } : await sh(script);
      expect([script, code, code === 0 ? "" : stderr]).toEqual([script, 0, ""]);
    }
    expect(read("comment.md")).toContain("## Registry `2026.12.1` → `2026.12.2-draft`");
    expect(read("comment.md")).toContain(`"opening hours"\` (no language, \`en\`): \`C-7KQ2MX\``);
    await run("git worktree remove --force .base && git checkout -q registry");
  });
});

describe.skipIf(reason !== undefined || before === undefined)("an owner of the package of the commit before", () => {
  it("upgrades: what is theirs stays, what is recorded resolves as it did", async () => {
    const old = path.join(home, "old");
    mkdirSync(old);
    await run(`npx --yes --package=${before} srs init --yes --package file:${before}`, old);
    replaceExamples(old);
    await run("npm install --no-audit --no-fund && npx srs release-registry --version 2026.12.1", old);
    const answer = "answers/46-static-hosting.md";
    const ejects = (await run("npx srs --help", old)).includes("srs eject");
    await run(ejects ? `npx srs eject ${answer}` : `mkdir -p content/answers && cp node_modules/semantic-resolution-service/content/${answer} content/${answer}`, old); // prettier-ignore
    await run(`printf '\\nOurs alone.\\n' >> content/${answer}`, old);
    await run("npm run build && mv dist before && cp -r registry registry.before", old);
    await run(`npm install --no-audit --no-fund ${tarball}`, old);
    await run("npm run build && npm run verify && diff -r registry registry.before", old);
    expect(readFileSync(path.join(old, "dist/answers.html"), "utf8")).toContain("Ours alone.");
    const { code, stdout } = await sh("npx srs diff before dist --json", old);
    expect([0, 1]).toContain(code);
    expect((JSON.parse(stdout) as { resolutions: unknown[] }).resolutions).toEqual([]);
  });
});
