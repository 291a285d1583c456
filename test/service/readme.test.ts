/**
 * README, CONTRIBUTING, docs/ and decisions/ say what is so: the request has the answer that is
 * shown, the proof prints what is shown, and commands, options, variables, paths and links exist.
 * What they print of MCP is run by mcp/printed.test.ts.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { run, runHere } from "../support/command.ts";
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

  it("gives commands only the options that they take", async () => {
    const uses = [...read(file).matchAll(/npm (?:run )?(?<script>[a-z:]+) -- (?<rest>[^`\n]+)/g)].flatMap(
      ({ groups: { script = "", rest = "" } = {} }) =>
        [...rest.matchAll(/(?<![\w-])--[a-z-]+/g)].map(([option]) => [script, option] as const),
    );
    for (const [script, option] of uses)
      expect([script, await helpOf(script)]).toEqual([script, expect.stringContaining(option)]);
  });
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
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });
});
