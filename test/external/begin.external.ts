/**
 * "Begin" of docs/own-repository.md, line by line with the real npm: from a clone and its packed
 * file to a service, a table without lines of npm, and a release. Needs npm's registry or cache.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { execute, type Outcome, reasonToSkip } from "../support/npx.ts";
import { project } from "../support/project.ts";

const home = mkdtempSync(path.join(tmpdir(), "begin-"));
afterAll(() => rmSync(home, { recursive: true }));
const docs = readFileSync(path.join(project, "docs/own-repository.md"), "utf8");
const [, begin = ""] = /\n## Begin\n[\s\S]*?\n\n((?: {4}.*\n)+)/.exec(docs) ?? [];
const words = path.join(home, "my-vocabulary");
const env = { npm_config_prefer_offline: "true", npm_config_yes: "true", INIT_CWD: "", PORT: "0", SERVICE_ORIGIN: "" };
const sh = (line: string, cwd = words): Promise<Outcome> => execute("sh", ["-ec", line], { cwd, env });

async function run(line: string): Promise<string> {
  const { code, stdout, stderr } = await sh(line);
  expect([line, code, stderr]).toEqual([line, 0, expect.not.stringMatching(/^npm warn/m)]);
  return stdout;
}

/** Waits until the service says where it is, and ends it. */
function started(line: string): Promise<string> {
  const child = spawn("sh", ["-c", line], { cwd: words, env: { ...process.env, ...env }, detached: true });
  let stdout = "";
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error(`${line} ended: ${stdout}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (!/ on http:\S+\n/.test(stdout)) return;
      child.removeAllListeners("exit").on("exit", () => resolve(stdout));
      process.kill(-(child.pid ?? 0), "SIGTERM");
    });
  });
}

it("begins as the docs say, pipes a table, and releases what was edited", { timeout: 1_500_000 }, async ({ skip }) => {
  const lines = begin.trim().replaceAll(/^ +/gm, "").replace(" CLONE ", ` ${project} `).split("\n");
  const last = lines.pop()?.split(" && ") ?? [];
  expect(last).toEqual(["cd my-vocabulary", "npm install", "npm start"]);
  // The question that it asks on a terminal.
  const begun = await sh(lines.join("\n").replace(/ init \S+$/, "$& --yes"), home);
  const reason = reasonToSkip("the packed file", begun, "once, for its libraries");
  skip(reason !== undefined, reason);
  await run("npm install");
  expect(await started("npm start")).toMatch(/Built dist: 1 concept/);
  const [, piped = ""] = /as in `(npx srs [^`]*> words\.csv)`/.exec(docs) ?? [];
  await run(piped);
  expect(readFileSync(path.join(words, "words.csv"), "utf8")).toMatch(/^entry,code,/);
  const refused = await sh("npm run release:registry -- --version 2026.12.1");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("example-left")]);
  const file = path.join(words, "registry/concepts/example/C-7KQ2MX.yaml");
  const mine = readFileSync(file, "utf8").replace("Opening hours", "Times").replace("a place", "the zoo");
  writeFileSync(file, mine);
  writeFileSync(path.join(words, "registry/retired.yaml"), "[]\n");
  await run("npm run release:registry -- --version 2026.12.1");
  expect(await run("npx srs release --origin https://words.example")).toContain("Released release/my-vocabulary-2026.12.1");
  writeFileSync(file, mine.replace("the zoo", "the garden"));
  expect(await run("npx srs build && npx srs resolve 'opening hours'")).toContain('"registryVersion":"2026.12.2-draft"');
}); // prettier-ignore
