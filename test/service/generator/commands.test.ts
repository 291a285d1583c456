import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/effects.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { folder, type Outcome, run, type RunOptions } from "../../support/command.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { type Service, startService } from "../../support/service.ts";

const command = (name: string, args: readonly string[] = [], options?: RunOptions): Promise<Outcome> =>
  run("lib/generator/main.js", [name, ...args], options);

/** A folder with a registry, and the options that name it and the project's content. */
function project(files = registryFiles(nasty)): { directory: string; out: string; options: string[] } {
  const directory = folder(files);
  const out = path.join(directory, "dist");
  return {
    directory,
    out,
    options: ["--registry", path.join(directory, "registry"), "--content", path.resolve("content"), "--out", out],
  };
}

/** Every file below a folder with its bytes, as text that compares. */
function tree(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => [
      path.relative(directory, path.join(entry.parentPath, entry.name)),
      readFileSync(path.join(entry.parentPath, entry.name), "base64"),
    ]),
  );
}

describe("build", () => {
  it("writes a dist that verifies, by our check and by sha256sum", async () => {
    const { out, options } = project();
    const built = await command("build", [...options, "--origin", "https://example.org"]);
    expect(built).toMatchObject({ code: 0, stderr: "" });
    expect(built.stdout).toMatch(/^Built .*: 29 concepts, .* registry 2026\.11\.1, origin https:\/\/example\.org/);
    expect(await command("verify", ["--out", out])).toMatchObject({ code: 0, stderr: "" });
    execFileSync("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: out });
    expect(readdirSync(path.dirname(out)).sort()).toEqual(["dist", "registry"]);
  });

  it("leaves the previous dist as it was when the registry has errors, and prints every one with exit code 1", async () => {
    const { directory, out, options } = project();
    await command("build", options);
    const before = tree(out);
    const bad = { ...concept("BAD", [expression("en", " a"), expression("xx", "b")]), definition: "" };
    writeFileSync(path.join(directory, "registry/concepts/test/BAD.yaml"), JSON.stringify(bad));
    const failed = await command("build", options);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("concepts/test/BAD.yaml#/definition: error definition-missing");
    expect(failed.stderr).toContain("#/expressions/0/expression: error expression-spaces");
    expect(failed.stderr).toContain("#/expressions/1/language: error language-not-registered");
    expect(failed.stderr).toMatch(/3 errors in .*: nothing was written\n$/);
    expect(tree(out)).toEqual(before);
    expect(await command("lint", options.slice(0, 2))).toMatchObject({ code: 1 });
  });

  it("builds an empty registry, even without a concepts folder", async () => {
    const { out, options } = project(registryFiles(empty));
    expect(await command("build", options)).toMatchObject({ code: 0 });
    expect(await command("verify", ["--out", out])).toMatchObject({ code: 0 });
    const answer = await command("resolve", ["x", "--out", out]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ data: { status: "abstained", reason: "registry_empty" } });
  });

  it("start serves nothing of a registry with errors, and keeps the release that a killed build had moved aside", async () => {
    const { directory, out, options } = project();
    await command("build", options);
    mkdirSync(`${out}.building`);
    writeFileSync(`${out}.building/process`, "999999999");
    renameSync(out, `${out}.building/previous`);
    writeFileSync(path.join(directory, "registry/concepts/bad.yaml"), "bad");
    expect(await command("start", options)).toMatchObject({ code: 1 });
    expect(readdirSync(path.dirname(out)).sort()).toEqual(["dist", "registry"]);
  });
});

describe("builds of one folder", () => {
  it("exclude each other: one line for the second, and the release is always whole", async () => {
    const { out, options } = project();
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => command("build", options)));
    for (const { code, stderr } of outcomes)
      expect([code, stderr.trimEnd().split("\n").length]).toEqual([code === 0 ? 0 : 2, 1]);
    expect(outcomes.some(({ code }) => code === 0)).toBe(true);
    expect(await command("verify", ["--out", out])).toMatchObject({ code: 0 });
  });

  it("survive being killed at any moment", { timeout: 240_000 }, async () => {
    const { out, options } = project();
    const start = performance.now();
    await command("build", options);
    const whole = performance.now() - start;
    // Up to its end, where files are written and folders change their names.
    for (const part of [0.6, 0.85, 0.95, 1]) {
      spawnSync(process.execPath, ["lib/generator/main.js", "build", ...options], {
        timeout: Math.round(whole * part),
        killSignal: "SIGKILL",
      });
      if (existsSync(out)) expect(await verifyRelease(fileSystem, out)).toEqual([]);
    }
    expect(await command("build", options)).toMatchObject({ code: 0 });
    expect(readdirSync(path.dirname(out)).sort()).toEqual(["dist", "registry"]);
  });
});

describe("a wrong option, directory or value", () => {
  const OPTIONS = ["--registry", "test/golden/registry", "--content", "content", "--out", "/nonexistent/dist"];
  it.each<[string, string[], RegExp, Record<string, string>?]>([
    ["build", ["--nope"], /Unknown option '--nope'/],
    ["build", ["--registry", "/nonexistent"], /--registry \/nonexistent is not a directory/],
    ["build", ["--content", "/nonexistent"], /--content \/nonexistent is not a directory/],
    ["build", ["--registry"], /--registry/],
    ["build", ["--registry", ""], /--registry needs a value/],
    ["build", ["extra"], /Unexpected argument "extra"/],
    ["build", [...OPTIONS, "--origin", "example.org"], /--origin "example\.org" is not an absolute http\(s\) origin/],
    ["build", OPTIONS, /PORT "http" is not a port number/, { PORT: "http" }],
    ["build", OPTIONS, /SERVICE_ORIGIN "ftp:\/\/x"/, { SERVICE_ORIGIN: "ftp://x" }],
    ["verify", ["--out", "/nonexistent"], /--out \/nonexistent is not a directory/],
    ["resolve", ["--out", "/nonexistent"], /Name the expression/],
    ["resolve", ["a", "b", "--out", "/nonexistent"], /Name one expression/],
    ["resolve", ["a", "--out", "/nonexistent"], /manifest\.json does not exist: build first/],
    ["lint", ["--out", "/nonexistent"], /Unknown option '--out'/],
    ["nonsense", [], /Unknown command "nonsense"/],
  ])("gets one clear line and exit code 2: %s %j", async (...[name, args, message, env = {}]) => {
    const outcome = await command(name, args, { env });
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) as string });
    expect(outcome.stderr.trimEnd().split("\n").length).toBe(1);
  });

  it.each(["start", "build", "verify", "release", "diff", "resolve", "explain", "lint"])(
    "is helped by --help: %s",
    async (name) => {
      const stdout = expect.stringContaining("npm") as string;
      expect(await command(name, ["--help"])).toMatchObject({ code: 0, stderr: "", stdout });
    },
  );

  it("is helped by --help: the server", async () => {
    const stdout = expect.stringContaining("HOST") as string;
    expect(await run("lib/runtime/main.js", ["--help"])).toMatchObject({ code: 0, stdout });
  });
});

describe("verify", () => {
  it("names every file that differs or is too many, a line each", async () => {
    const { out, options } = project(registryFiles(empty));
    await command("build", options);
    writeFileSync(path.join(out, "api/v1/status"), "{}");
    writeFileSync(path.join(out, "extra"), "x");
    symlinkSync("/nonexistent", path.join(out, "dangling"));
    const { code, stdout, stderr } = await command("verify", ["--out", out]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^api\/v1\/status: differs from its digest in SHA256SUMS$/m);
    expect(stderr).toMatch(/^extra: not listed in SHA256SUMS$/m);
    expect(stderr).toMatch(/^dangling: not a regular file/m);
  });
});

describe("resolve and explain", () => {
  const { out, options } = project();
  let service: Service;
  beforeAll(async () => {
    await command("build", [...options, "--origin", "https://registry.example"]);
    service = await startService(checkedRegistry(nasty));
    return () => service.close();
  });

  it.each<[string, string | undefined, number]>([
    ["taxi", undefined, 0], ["bank", undefined, 0], ["Gift", "de", 0], ["sort of", undefined, 0], ["no such", undefined, 0],
    ["", undefined, 1], ["taxi", "en_US", 1], ["cafe\u0301", undefined, 0],
  ])("A13: resolve prints the JSON that the service answers: %j in %s", async (text, language, code) => {
    const tag = language === undefined ? [] : ["--language", language];
    const outcome = await command("resolve", [text, ...tag, "--out", out]);
    const reply = await service.resolve({ expression: text, language });
    expect([outcome.code, outcome.stdout]).toEqual([code, reply.body.toString()]);
  }); // prettier-ignore

  async function story(args: string[]): Promise<string> {
    const outcome = await command("explain", [...args, ...options.slice(0, 2), ...options.slice(4)]);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    return outcome.stdout;
  }

  it.each<[string, string[], RegExp]>([
    ["the form", ["cafe\u0301"], /compared as "café" \(NFC of what was given\)[\s\S]*resolved to N-ACCENTS/],
    ["language levels", ["Gift", "--language", "de-AT-x-y"], /Language de-AT-x-y: no published.*\nLanguage de-AT: does not have the expression\nLanguage de: N-POISON Name of N-POISON \(de, strength 1\); the lookup stops here/],
    ["another language", ["poison", "--language", "fr"], /Published: N-POISON Name of N-POISON \(en, strength 1\)\nLanguage fr: does not have[\s\S]*abstained \(language_not_matched\)/],
    ["ambiguity", ["bank"], /at strength 1: N-MONEY, N-RIVER; only below it: none\nOutcome: abstained \(ambiguous_expression\)/],
    ["strength", ["sort of"], /abstained \(equivalence_not_exact\)/],
    ["review status", ["one in review"], /Review status: in_review for N-REVIEW \(en\) in the source, so it is not published\nOutcome: abstained \(no_reviewed_exact_match\)/],
  ])("explain names the rule: %s", async (_rule, args, told) => {
    expect(await story(args)).toMatch(told);
  }); // prettier-ignore

  it("explain says it as JSON", async () => {
    const outcome = { status: "abstained", reason: "ambiguous_expression" };
    expect(JSON.parse(await story(["bank", "--json"]))).toMatchObject({ outcome });
  });

  it("explain refuses a registry that is not there", async () => {
    const outcome = await command("explain", ["taxi", "--out", out, "--registry", "/nonexistent"]);
    const stderr = expect.stringMatching(/^--registry \/nonexistent is not a directory\n$/) as string;
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr });
  });

  it("explain refuses what the service refuses", async () => {
    expect(await command("explain", ["taxi", "--language", "en_US", "--out", out])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("invalid_language") as string,
    });
  });
});

describe("the project", () => {
  it("has a lint command that lists notices and the content digest", async () => {
    const outcome = await command("lint");
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(/^0 errors, \d+ notices\nStarter registry .* content SHA-256 [0-9a-f]{64}\n$/);
    expect(outcome.stderr).toMatch(/notice ambiguous-expression/);
    expect(existsSync("registry/README.md")).toBe(true);
  });
});

describe("odd folders", () => {
  it("get one clear line or a finding, never a stack trace", async () => {
    const { directory, out, options } = project();
    const concepts = path.join(directory, "registry/concepts");
    symlinkSync("/nonexistent", path.join(concepts, "broken.yaml"));
    symlinkSync(concepts, path.join(concepts, "loop.yaml"));
    const outcome = await command("build", options);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(
      /concepts\/broken\.yaml: error file-missing[\s\S]*concepts\/loop\.yaml: error file-missing/,
    );
    expect(await command("start", options)).toMatchObject({ code: 1 });
    expect(existsSync(out)).toBe(false);
    const unwritable = await command("build", [
      ...project().options.slice(0, 4),
      "--out",
      path.join(directory, "registry/registry.yaml/dist"),
    ]);
    expect([unwritable.code, unwritable.stderr.trimEnd().split("\n").length]).toEqual([1, 1]);
  });
});
