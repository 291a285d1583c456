/**
 * service.yaml and the place where the user is: what a command reads and writes without an option.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";

const words = (name: string): Record<string, string | Uint8Array> =>
  Object.fromEntries(
    Object.entries(registryFiles({ concepts: [concept("A-1", [expression("en", "one")])] })).map(([file, text]) => [
      file.replace(/^registry/, name),
      text,
    ]),
  );

/** A repository with a registry named `vocabulary`, and this service.yaml. */
function repository(yaml: string | Uint8Array | undefined): string {
  const files = { ...words("vocabulary"), ".git/HEAD": "", "deep/er/note.txt": "" };
  return realpathSync(folder(yaml === undefined ? files : { ...files, "service.yaml": yaml }));
}

const command = (cwd: string, args: readonly string[], env = {}): Promise<Outcome> => runHere(args, { cwd, env });

const originOf = (dist: string): unknown =>
  (JSON.parse(readFileSync(path.join(dist, "manifest.json"), "utf8")) as { origin: unknown }).origin;

describe("service.yaml", () => {
  const yaml = "origin: https://words.example\nregistry: vocabulary\nout: made\n";

  it("is found upwards, and its folders are relative to it", async () => {
    const root = repository(yaml);
    const { code, stdout, stderr } = await command(path.join(root, "deep/er"), ["build"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Built \.\.\/\.\.\/made: 1 concept,/);
    expect(originOf(path.join(root, "made"))).toBe("https://words.example");
    expect(await command(path.join(root, "deep"), ["resolve", "one"])).toMatchObject({ code: 0 });
    const explained = await command(path.join(root, "deep"), ["explain", "ONE"]);
    expect(explained.stdout).toContain('Near, not the same: "one", the same in lower case, score 0.7: A-1 ');
    expect(await command(root, ["verify"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("gives way to SERVICE_ORIGIN, and that to an option", async () => {
    const root = repository(yaml);
    const env = { SERVICE_ORIGIN: "https://variable.example" };
    await command(root, ["build"], env);
    expect(originOf(path.join(root, "made"))).toBe("https://variable.example");
    await command(root, ["build", "--origin", "https://option.example", "--out", "other"], env);
    expect(originOf(path.join(root, "other"))).toBe("https://option.example");
    expect(await command(root, ["lint", "--registry", "nowhere"])).toMatchObject({
      code: 2,
      stderr: "--registry nowhere is not a directory\n",
    });
  });

  it("is not looked for above the root of the repository", async () => {
    const root = repository(yaml);
    mkdirSync(path.join(root, "inner/.git"), { recursive: true });
    const { code, stderr } = await command(path.join(root, "inner"), ["lint"]);
    expect([code, stderr]).toEqual([2, "--registry registry is not a directory\n"]);
  });

  it("may hold comments alone: all of its keys are optional", async () => {
    const { code, stderr } = await command(repository("# origin: https://a.example\n\n#out: dist"), ["lint"]);
    expect([code, stderr]).toEqual([2, "--registry registry is not a directory\n"]);
  });

  it.each([
    [
      "an unknown key",
      "orgin: https://a.example\n",
      /^service\.yaml: .*has the unknown property "orgin" \(did you mean origin\?\)\. See .*\n$/,
    ],
    [
      "each of several faults",
      "out: 7\norigin: words.example\nregisty: r\n",
      /^service\.yaml: .*unknown property "registy".*\/out .*must be a string\. .*origin "words\.example" is not .*\n$/,
    ],
    ["another encoding", Buffer.from([0xff]), /^service\.yaml: The file is not UTF-8\. Save it as UTF-8\n$/],
    ["no YAML", "origin: [\n", /^service\.yaml: Not readable as YAML at line \d+, column \d+: .*\n$/],
    ["a value of another type", "out: 7\n", /^service\.yaml: \/out .*must be a string\. See .*\n$/],
    [
      "an origin with a path",
      "origin: https://a.example/words\n",
      /^service\.yaml: origin "https:\/\/a\.example\/words" has a path: .*\n$/,
    ],
    [
      "no origin",
      "origin: a.example\n",
      /^service\.yaml: origin "a\.example" is not an absolute http\(s\) origin .*\n$/,
    ],
  ] satisfies [string, string | Uint8Array, RegExp][])(
    "is refused in one line with %s",
    async (_what, text, message) => {
      const { code, stdout, stderr } = await command(repository(text), ["build"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(message);
    },
  );
});

it("npm --prefix means the folders of the user, not those of the tool, and finds the user's service.yaml", () => {
  const cwd = path.join(repository("registry: vocabulary\n"), "deep");
  const args = ["--silent", "--prefix", project, "run", "lint:registry"];
  expect(execFileSync("npm", args, { cwd, encoding: "utf8", stdio: "pipe" })).toMatch(/: 1 concept,/);
});

it("what npm --prefix starts means the registry of the user, not that of the tool, also without a service.yaml", () => {
  const env = { ...process.env, INIT_CWD: folder(words("registry")), npm_package_json: path.join(project, "package.json") }; // prettier-ignore
  const args = ["lib/generator/main.js", "lint"];
  expect(execFileSync(process.execPath, args, { cwd: project, env, encoding: "utf8" })).toMatch(/: 1 concept,/);
});

it("npm run in a folder of a package means the registry of the package, and paths as the user wrote them", () => {
  const root = realpathSync(folder({ ...words("registry"), ".git/HEAD": "", "deep/note.txt": "" }));
  const main = path.join(project, "lib/generator/main.js");
  const scripts = { export: `node ${main} export --format csv` };
  writeFileSync(path.join(root, "package.json"), JSON.stringify({ name: "words", private: true, scripts }));
  execFileSync("npm", ["--silent", "run", "export", "--", "--into", "out.csv"], {
    cwd: path.join(root, "deep"),
    stdio: "pipe",
  });
  expect(readFileSync(path.join(root, "deep/out.csv"), "utf8")).toContain("A-1");
});

it("npm run that names a package of a workspace means its service.yaml, where the user has none", () => {
  const root = realpathSync(
    folder({ ...words("words/vocabulary"), "words/service.yaml": "registry: vocabulary\n", ".git/HEAD": "" }),
  );
  const scripts = { export: `node ${path.join(project, "lib/generator/main.js")} export --format csv` };
  writeFileSync(path.join(root, "words/package.json"), JSON.stringify({ name: "words", private: true, scripts }));
  writeFileSync(path.join(root, "package.json"), JSON.stringify({ private: true, workspaces: ["words"] }));
  const run = (): string =>
    execFileSync("npm", ["--silent", "-w", "words", "run", "export"], { cwd: root, encoding: "utf8", stdio: "pipe" });
  expect(run()).toContain("A-1");
  writeFileSync(path.join(root, "service.yaml"), "registry: elsewhere\n");
  expect(run).toThrow(/--registry elsewhere is not a directory/);
});
