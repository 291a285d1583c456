/**
 * `verify --registry --content`: pages, prose, and whatever else nothing in a release gives again.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Outcome, runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { Copy, IDENTITY, type Loose, MANIFEST, SUMS } from "../../support/tamper.ts";

const home = mkdtempSync(path.join(tmpdir(), "sources-"));
afterAll(() => rmSync(home, { recursive: true }));

const [registry, dist] = [path.join(home, "registry"), path.join(home, "dist")];
const content = path.join(project, "content");

async function run(...args: string[]): Promise<Outcome> {
  const outcome = await runHere(args, { cwd: home });
  expect([0, 1, 3], outcome.stderr).toContain(outcome.code);
  return outcome;
}

const replace = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replaceAll(from, to));
};

const verify = (release: string, from = registry): Promise<Outcome> =>
  run("verify", release, "--registry", from, "--content", content);

/** The golden registry, after a second release. */
beforeAll(async () => {
  cpSync(path.join(project, "test/golden/registry"), registry, { recursive: true });
  writeFileSync(path.join(registry, "history.yaml"), "[]\n");
  await run("release-registry", "--version", "2026.11.1", "--on", "2026-11-21");
  replace(path.join(registry, "concepts/greetings/G-1.yaml"), '"hello"', '"hello there"');
  await run("release-registry", "--version", "2026.12.1", "--on", "2026-12-01");
  await run("build", "--origin", "https://registry.example", "--content", content, "--out", dist);
});

describe("verify with the registry and the content of a release", () => {
  it("finds nothing where they are what it was built from", async () => {
    const { code, stdout, stderr } = await verify(dist);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Built again from ${registry} and ${content}: the same bytes`);
  });

  it("names every file in which one byte is another one, with all digests adapted", async () => {
    const copy = new Copy(dist);
    const unlisted = [MANIFEST, SUMS, IDENTITY];
    const names = copy.names().filter((name) => !unlisted.includes(name));
    for (const [i, name] of names.entries()) {
      const bytes = Buffer.from(copy.read(name));
      const at = (i * 7919) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      copy.write(name, bytes);
    }
    copy.resign();
    const { code, stderr } = await verify(copy.directory);
    expect(code).toBe(1);
    const named = stderr.match(/^.*(?=: the rebuild gives other bytes$)/gm) ?? [];
    expect(named).toEqual(expect.arrayContaining(names));
  });

  it("says whose registry differs, and names no document, where it is of another release", async () => {
    const { code, stderr } = await verify(dist, path.join(project, "test/golden/registry"));
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([1, 2]);
    expect(stderr).toMatch(/^manifest\.json: the release is of Golden 2026\.12\.1 with digest [0-9a-f]{64}, and .*golden\/registry holds Golden 2026\.11\.1 with digest [0-9a-f]{64}; name the registry as it was/); // prettier-ignore
  });

  it("says what is wrong with sources that cannot be built", async () => {
    const wrong = path.join(home, "wrong");
    cpSync(registry, wrong, { recursive: true });
    writeFileSync(path.join(wrong, "registry.yaml"), "name: Wrong\n");
    const { code, stderr } = await verify(dist, wrong);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^it cannot be built again: .*wrong\/registry\.yaml/)]);
  });
});

/** docs/releases.md lists these. */
describe("what verify does not see without the sources, and sees with them", () => {
  let [unseen, outcome]: [readonly string[], Outcome | undefined] = [["not judged"], undefined];
  beforeAll(async () => {
    const [other, out] = [path.join(home, "other"), path.join(home, "lies")];
    cpSync(registry, path.join(other, "registry"), { recursive: true });
    replace(path.join(other, "registry/registry.yaml"), "CC0-1.0", "CC-BY-4.0");
    replace(path.join(other, "registry/history.yaml"), "2026-11-21", "2026-11-20");
    for (const name of ["site.yaml", "answers/10-what-is-it.md", "assets/site.css"]) {
      mkdirSync(path.dirname(path.join(other, "content", name)), { recursive: true });
      cpSync(path.join(content, name), path.join(other, "content", name));
    }
    replace(path.join(other, "content/answers/10-what-is-it.md"), "It does not guess", "It may guess");
    replace(path.join(other, "content/assets/site.css"), "{", "{\n");
    replace(path.join(other, "content/site.yaml"), "name: Semantic Resolution", "name: Another");
    const sources = ["--registry", path.join(other, "registry"), "--content", path.join(other, "content")];
    await run("build", "--origin", "https://registry.example", ...sources, "--out", out);
    const copy = new Copy(out);
    copy.edit(IDENTITY, ({ closure }: Loose) => (closure.files[0].sha256 = "0".repeat(64)));
    copy.resignIdentity();
    unseen = await copy.verify();
    outcome = await verify(copy.directory);
  });

  it.each([
    ["prose", "answers.json"],
    ["a page", "answers.html"],
    ["the looks of pages", "shell.html"],
    ["the name of the service", ".well-known/service-semantics.json"],
    ["the licence of the registry", "registry/concepts.ttl"],
    ["the day of an earlier release", "registry/changes.atom"],
    ["the list of the files that run", IDENTITY],
  ])("%s", (_what, file) => {
    expect(unseen).toEqual([]);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}: the rebuild gives other bytes`),
    });
  });
});
