/**
 * README, CONTRIBUTING, docs/ and decisions/ say what is so: the request has the answer that is
 * shown, the proof prints what is shown, and commands, options, variables, paths and links exist.
 * What they print of MCP is run by mcp/printed.test.ts.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folder as folderOf, run, runHere, serve } from "../support/command.ts";
import { COMMANDS } from "../../generator/text/commands.ts";
import { copyStarter } from "../support/project.ts";
import { starterRegistry } from "../support/documents.ts";
import { unpackKits } from "../support/kits.ts";
import { startService } from "../support/service.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const folder = (name: string): string[] =>
  readdirSync(name)
    .filter((file) => file.endsWith(".md"))
    .map((file) => `${name}/${file}`);

const README = "README.md";
const docs = folder("docs");
const pages = [README, "CONTRIBUTING.md", "registry/README.md", "content/README.md", ...docs, ...folder("decisions")];
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** What `--help` of an npm script prints. */
async function helpOf(script: string): Promise<string> {
  const [, program = "", command = ""] = /\bnode (?:--\S+ )*(lib\/\S+)(?: (\S+))?$/.exec(scripts[script] ?? "") ?? [];
  const isOurs = program === "lib/generator/main.js";
  return (await (isOurs ? runHere([command, "--help"]) : run(program, ["--help"]))).stdout;
}

/** The first cells of the table below a heading row, without backticks. */
function firstCells(text: string, head: string): string[] {
  const [, after = ""] = text.split(`\n| ${head} |`);
  const [table = ""] = after.split("\n\n");
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = ""]) => cell);
}

describe("README", () => {
  it("has at most 8 KB, so that it is read in three minutes", () => {
    expect(Buffer.byteLength(read(README))).toBeLessThanOrEqual(8192);
  });

  it("shows the answer that its curl gets", async () => {
    const service = await startService(starterRegistry());
    const body = /api\/v1\/resolve .* -d '([^']+)'/.exec(read(README))?.[1] ?? "";
    const shown = /<!-- answer -->\n```json\n(.*)\n```/.exec(read(README))?.[1];
    expect((await service.resolve(body)).body.toString()).toBe(`${shown}\n`);
    await service.close();
  });

  it("names every page of docs/", () => {
    expect(docs.filter((file) => !read(README).includes(`(${file})`))).toEqual([]);
  });
});

it("docs/http.md shows what the proof of a kit prints", async () => {
  const unpacked = await unpackKits(starterRegistry(), "http://127.0.0.1:8080");
  const root = unpacked.kits.find(({ recipeId }) => recipeId === "workflow-routing")?.root ?? "";
  const shown = /<!-- proof -->\n```\n([^`]*)```/.exec(read("docs/http.md"))?.[1];
  expect(execFileSync(process.execPath, ["node/handoff.mjs", "prove"], { cwd: root, encoding: "utf8" })).toBe(shown);
  unpacked.remove();
});

describe.each([README, "registry/README.md", "content/README.md", ...docs])("%s", (file) => {
  it("names npm commands that exist", () => {
    const named = [...read(file).matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name);
    const others = ["ci", "run", "and", "install", "pack", "scripts"];
    expect(named.filter((name) => !others.includes(name) && !(name in scripts))).toEqual([]);
  });

  it("names commands of srs that exist", () => {
    const named = [...read(file).matchAll(/(?:npx |`)srs ([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in COMMANDS))).toEqual([]);
  });

  it("gives commands only the options that they take", async () => {
    const uses = [...read(file).matchAll(/npm (?:run )?(?<script>[a-z:]+) -- (?<rest>[^`\n]+)/g)].flatMap(
      ({ groups: { script = "", rest = "" } = {} }) =>
        [...rest.matchAll(/(?<![\w-])--[a-z-]+/g)].map(([option]) => [script, option] as const),
    );
    for (const [script, option] of uses)
      expect([script, await helpOf(script)]).toEqual([script, expect.stringContaining(option)]);
  });
});

/** Lines and spans of code, without tables. */
function codeOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => !line.startsWith("|"));
  return lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code).concat(line.startsWith("  ") ? line : [])); // prettier-ignore
}

it("no example sends the lines that npm prints into a file or a program", () => {
  const all = [
    "README.md",
    "CONTRIBUTING.md",
    "registry",
    "content",
    "docs",
    "generator/tools/vocabulary/begin/files",
  ].flatMap((name) =>
    name.endsWith(".md")
      ? [name]
      : readdirSync(name, { recursive: true, encoding: "utf8" })
          .filter((file) => /\.(?:md|njk|yaml)$/.test(file))
          .map((file) => path.join(name, file)),
  );
  expect(all.length).toBeGreaterThan(100);
  const piped = /\bnpm (?!run (?:-s|--silent)\b)(?:run|start)\b.* (?:\||>>?) \S/;
  expect(piped.test("npm run export -- --format csv > words.csv")).toBe(true);
  const found = all.flatMap((file) => codeOf(read(file)).filter((code) => piped.test(code)).map((code) => [file, code])); // prettier-ignore
  expect(found).toEqual([]);
});

it("what README says of a new concept can be done word by word, after a release", async () => {
  const [, section = ""] = /\n## Add a concept\n([\s\S]*?)\n## /.exec(read(README)) ?? [];
  const steps = [...section.matchAll(/`(npm (?:run )?([a-z:]+)(?: -- ([^`]*))?)`/g)];
  expect(steps.map(([, , script]) => script)).toEqual(["add", "lint:registry", "start", "release:registry"]);
  const home = folderOf({});
  copyStarter(path.join(home, "registry"));
  const here = (...args: string[]) => runHere(args, { cwd: home });
  const following = (at: number, values: Readonly<Record<string, string>> = {}) => {
    const [, , script = "", rest = ""] = steps[at] ?? [];
    const [, command = ""] = /main\.js (\S+)$/.exec(scripts[script] ?? "") ?? [];
    const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    return here(command, ...words.map((word) => values[word] ?? word));
  };
  expect(await here("release-registry", "--version", "2026.11.1")).toMatchObject({ code: 0, stderr: "" });
  const permit = { EXPRESSION: "parking permit", NAME: "Parking permit", TEXT: "It allows a car to stay." };
  const added = await following(0, { ...permit, DOMAIN: "billing", ROLE: "editor", DATE: "2026-11-28" });
  expect(added.code, added.stderr).toBe(0);
  const [code = ""] = /\bC-[0-9A-Z]{6}\b/.exec(added.stdout + added.stderr) ?? [];
  const linted = await following(1);
  expect([linted.code, linted.stderr]).toEqual([
    0,
    expect.stringMatching(/this is a draft of (\S+), shown as \1-draft/),
  ]);
  const [, version = ""] = /this is a draft of ([^\s,]+)/.exec(linted.stderr) ?? [];
  const options = ["--registry", "--content", "--out"].flatMap((option) => [option, path.join(option === "--content" ? "." : home, option.slice(2))]); // prettier-ignore
  const served = await serve("lib/generator/main.js", ["start", ...options], {});
  const answer = await fetch(`http://127.0.0.1:${served.port}/api/v1/resolve`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"expression":"parking permit"}' }); // prettier-ignore
  expect(await answer.json()).toMatchObject({ data: { concept: { code, registryVersion: `${version}-draft` } } });
  served.child.kill();
  await served.exit;
  expect(await following(3, { V: version })).toMatchObject({ code: 0, stderr: "" });
  const again = await following(1);
  expect([again.code, again.stderr]).toEqual([0, ""]);
});

describe("docs/operations.md", () => {
  const text = read("docs/operations.md");

  it("lists the environment of the service", async () => {
    const named = firstCells(text, "variable | default |");
    const taken = (await helpOf("serve")).match(/\b[A-Z]+(?:_[A-Z]+)+\b|\bHOST\b|\bPORT\b/g);
    expect(named.toSorted()).toEqual([...new Set(taken)].toSorted());
  });

  it("lists the options that a build takes, which the help prints with angle brackets", async () => {
    const taken = [...(await helpOf("build")).matchAll(/^  (--\w+) <(\w+)>/gm)].map(
      ([, name, value]) => `${name} ${value}`,
    );
    expect(taken.length).toBeGreaterThan(3);
    expect(firstCells(text, "option | means")).toEqual(taken);
  });
});

it("docs/performance.md and docs/scale.md name the parts that the bench has", () => {
  const named = [
    ...`${read("docs/performance.md")}${read("docs/scale.md")}`.matchAll(/npm run bench -- ([a-z]+)/g),
  ].map(([, name = ""]) => name);
  const [, sections = ""] = /const sections.*?= \{\n([\s\S]*?)\n\};/.exec(read("bench/main.ts")) ?? [];
  const parts = [...sections.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name);
  expect([...new Set(named)].toSorted()).toEqual(parts.toSorted());
});

describe.each(pages)("%s", (file) => {
  it("links to files that exist", () => {
    const links = [...read(file).matchAll(/\]\(([^)#:]*)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    const missing = links.filter((target) => target !== "" && !existsSync(path.join(path.dirname(file), target)));
    expect(missing).toEqual([]);
  });

  it("names sources that exist, unless another page replaced it", () => {
    if (/^> Replaced by /m.test(read(file))) return;
    const named = [...read(file).matchAll(/`((?:runtime|generator|test|bench|content)\/[\w./-]+)`/g)].map(
      ([, name = ""]) => name,
    );
    // The compile step writes some.
    expect(named.filter((name) => !existsSync(name) && !existsSync(path.join("lib", name)))).toEqual([]);
  });
});
