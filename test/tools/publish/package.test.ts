/**
 * The packed package, unpacked below another folder's node_modules: it does what the clone does,
 * with the packages that its package.json names and no others. A real installation by npm is in
 * test/external/package.external.ts.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { product } from "../../../runtime/contract/product.ts";
import type { runAndReport as RunAndReport } from "../../../generator/program.ts";
import type * as Api from "../../../generator/api.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { type Outcome, runHere, serve } from "../../support/command.ts";
import { project } from "../../support/project.ts";

const NAME = "semantic-resolution-service";
const home = realpathSync(mkdtempSync(path.join(tmpdir(), "a package ")));
const owner = path.join(home, "owner's");
const installed = path.join(owner, "node_modules", NAME);
const main = path.join(installed, "lib/generator/main.js");
const ORIGIN = ["--origin", "https://words.example"];

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(path.join(project, "package.json"), "utf8")) as Manifest;

/** Runs the package's program in this process and the owner's folder; below, once as a process. */
async function srs(...args: string[]): Promise<Outcome> {
  const load = (name: string): Promise<object> => import(path.join(installed, "lib/generator", name));
  const { runAndReport } = (await load("program.js")) as { runAndReport: typeof RunAndReport };
  const { fileSystem } = (await load("effects/file-system.js")) as { fileSystem: Effects };
  return runHere(args, { cwd: owner, effects: fileSystem, program: runAndReport });
}
const sums = (dist: string): string => readFileSync(path.join(dist, "SHA256SUMS"), "utf8");

beforeAll(async () => {
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", home], { cwd: project });
  mkdirSync(installed, { recursive: true });
  const [archive = ""] = readdirSync(home).filter((name) => name.endsWith(".tgz"));
  await unpack(path.join(home, archive), installed);
  // Next to the package, where npm puts them too.
  for (const name of Object.keys(manifest.dependencies)) {
    const link = path.join(owner, "node_modules", name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(project, "node_modules", name), link);
  }
  cpSync(path.join(project, "test/golden/registry"), path.join(owner, "registry"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true }));

/** Unpacks a tarball of npm, whose files all lie in one folder. */
async function unpack(archive: string, into: string): Promise<void> {
  const entries = extract();
  entries.end(gunzipSync(readFileSync(archive)));
  for await (const entry of entries) {
    const file = path.join(into, entry.header.name.replace(/^[^/]*\//, ""));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await buffer(entry), { mode: entry.header.mode ?? 0o644 });
  }
}

describe("the package", () => {
  it("has the version of the release label, and no tests, sources or tools of the clone", () => {
    expect(manifest.version).toBe(product.packageVersion.replace(/^v(\d+)/, "$1.0.0"));
    expect(readdirSync(installed).sort()).toEqual(
      ["LICENSE", "README.md", "SECURITY.md", "content", "docs", "lib", "package.json", "registry"].sort(),
    );
    expect(readdirSync(path.join(installed, "lib")).sort()).toEqual(
      ["generator", "package-lock.json", "package.json", "runtime"].sort(),
    );
  });

  it("has a program that a shell can run, under both names", () => {
    expect(Object.keys(manifest.bin)).toEqual([NAME, "srs"]);
    for (const file of Object.values(manifest.bin))
      expect(readFileSync(path.join(installed, file), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it("has no script that npm runs when it installs", () => {
    const { scripts = {} } = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as {
      scripts?: Record<string, string>;
    };
    const run = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
    expect(run.filter((name) => name in scripts)).toEqual([]);
  });

  it("names itself in its help", async () => {
    expect((await srs("--help")).stdout).toMatch(/^Usage: npx srs COMMAND[\s\S]*^ {2}npx srs build {2}/m);
  });

  it("A18: builds the bytes that the clone builds of the same registry for the same origin", async () => {
    expect(await srs("build", ...ORIGIN)).toMatchObject({ code: 0, stderr: "" });
    const out = path.join(home, "by the clone");
    const folders = ["--registry", path.join(owner, "registry"), "--content", path.join(project, "content")];
    expect(await runHere(["build", ...folders, "--out", out, ...ORIGIN])).toMatchObject({ code: 0 });
    expect(sums(path.join(owner, "dist"))).toBe(sums(out));
  });

  it("says in one line what to install where the optional package for agents was left out", async () => {
    const [[name, version] = []] = Object.entries(manifest.optionalDependencies);
    const stderr = `mcp needs ${name}, which is not installed: npm install ${name}@${version}\n`;
    expect(await srs("mcp")).toEqual({ code: 2, stdout: "", stderr });
  });

  it("imports, reviews, records, exports, resolves and explains", async () => {
    const from = path.join(home, "words.csv");
    expect(await srs("export", "--format", "csv", "--into", from)).toMatchObject({ code: 0 });
    const registry = ["--registry", "imported"];
    const imported = await srs("import", "--format", "csv", "--from", from, "--into", "imported");
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
    expect(imported.stdout).toContain("  npx srs review --registry imported --list\n");
    const accepted = await srs("review", ...registry, "--accept", "--as", "terminology team", "--on", "2026-11-21");
    expect([accepted.code, accepted.stderr]).toEqual([0, ""]);
    expect(await srs("release-registry", ...registry, "--version", "2026.12.1")).toMatchObject({ code: 0, stderr: "" });
    expect(await srs("lint", ...registry)).toMatchObject({ code: 0 });
    expect((await srs("explain", "no such")).stdout).toContain("abstained");
    expect((await srs("resolve", "no such")).stdout).toContain("no_reviewed_exact_match");
  });

  it("A18: writes a release without the checks of the clone, rebuilt elsewhere, which equals the dist", async () => {
    // What is released was recorded before.
    expect(await srs("release-registry", "--version", "2026.12.1")).toMatchObject({ code: 0 });
    expect(await srs("release", ...ORIGIN)).toMatchObject({ code: 0, stderr: "" });
    const [version = ""] = readdirSync(path.join(owner, "release"));
    expect(await srs("diff", "dist", `release/${version}`)).toMatchObject({ code: 0, stderr: "" });
  });

  it("begins a repository, and serves it", async () => {
    const words = path.join(owner, "my-words");
    // npm did not install it, so it cannot know where from.
    const tool = ["--package", "file:../package.tgz"];
    expect(await srs("init", "my-words", "--yes", ...tool)).toMatchObject({ code: 0, stderr: "" });
    const served = await serve(main, ["start", "--registry", path.join(words, "registry"), "--content", path.join(words, "content"), "--out", path.join(words, "dist")], {}); // prettier-ignore
    const reply = await fetch(`http://127.0.0.1:${served.port}/api/v1/resolve`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ expression: "Öffnungszeiten", language: "de" }),
    });
    expect(await reply.json()).toMatchObject({ data: { status: "resolved", concept: { code: "C-7KQ2MX" } } });
    served.child.kill();
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
  });
});

describe("the public module", () => {
  it("builds, verifies, compares and resolves; everything else is private", async () => {
    // A program of the owner, which imports the package by its name.
    const program = path.join(owner, "node_modules/own/program.mjs");
    mkdirSync(path.dirname(program));
    writeFileSync(program, `export * from "${NAME}"; export const other = () => import("${NAME}/lib/generator/build.js");`);
    const { other, ...api } = (await import(program)) as typeof Api & { readonly other: () => Promise<unknown> };
    expect(Object.keys(api)).toEqual(["build", "diff", "openRelease", "verify"]);
    await expect(other()).rejects.toMatchObject({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
    const [registry, out, dist] = ["registry", "by-api", "dist"].map((name) => path.join(owner, name)) as [string, string, string];
    expect(await api.build({ registry, out, origin: "https://words.example" })).toEqual([]);
    expect(await api.verify(out)).toEqual([]);
    expect((await api.diff(dist, out)).verdict).toBe("same");
    expect(api.openRelease(out).resolve({ expression: "no such" })).toMatchObject({ data: { reason: "no_reviewed_exact_match" } });
    expect(await api.build({ registry: "none", out: "x", origin: "words.example" })).toHaveLength(1);
    expect(sums(out)).toBe(sums(dist));
  }); // prettier-ignore

  it("has the service as a plugin for Fastify, whose declarations need only Fastify's", async () => {
    const program = path.join(owner, "node_modules/own/app.mjs");
    writeFileSync(program, `export { service } from "${NAME}/fastify";`);
    const { service } = (await import(program)) as { readonly service: unknown };
    expect(typeof service).toBe("function");
    const text = readFileSync(path.join(installed, "lib/runtime/plugin.d.ts"), "utf8");
    expect(text.match(/from "[^"]*"/g)).toEqual(['from "fastify"']);
  });

  it("has declarations that need no other file", () => {
    const text = readFileSync(path.join(installed, "lib/generator/api.d.ts"), "utf8");
    expect(text).not.toMatch(/\bimport\b|\bfrom "/);
    for (const name of ["build", "diff", "openRelease", "verify"])
      expect(text).toContain(`export declare function ${name}(`);
  });
});
