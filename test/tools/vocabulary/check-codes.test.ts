/**
 * The action and the hook that check codes in data, run as their hosts run them: with a repository
 * of git, and with programs for npx and gh that say how they were called.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { load } from "js-yaml";
import { beforeEach, describe, expect, it } from "vitest";
import { folder } from "../../support/command.ts";
import { project } from "../../support/project.ts";

const files = path.join(project, "generator/tools/vocabulary/begin/files");
const yaml = (name: string): unknown => load(readFileSync(path.join(files, name), "utf8"));
const dist = path.join(project, "test/golden/dist");
const [{ code: CODE }] = [JSON.parse(readFileSync(path.join(dist, "registry/bundle.ndjson"), "utf8").split("\n")[0] ?? "") as { code: string }]; // prettier-ignore

let home: string;
let env: NodeJS.ProcessEnv;
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd: home,
    encoding: "utf8",
  });
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  writeFileSync(path.join(home, name), text);
};
const commit = (): string => {
  git("add", "-A");
  git("commit", "-qm", "data");
  return git("rev-parse", "HEAD").trim();
};

beforeEach(() => {
  home = folder({});
  const bin = folder({
    npx: `#!/bin/sh\ntest "$1 $2" = "--no-install srs" || exit 9\nshift 2\nexec "${process.execPath}" "${project}/lib/generator/main.js" "$@"\n`,
    gh: '#!/bin/sh\necho "$@" > "$RUNNER_TEMP/gh"\ncat > "$RUNNER_TEMP/body"\n',
  });
  for (const name of ["npx", "gh"]) chmodSync(path.join(bin, name), 0o755);
  const PATH = `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`;
  env = { ...process.env, PATH, RUNNER_TEMP: folder({}), GITHUB_REPOSITORY: "o/r", GITHUB_SHA: "s", GITHUB_REF: "r" };
  git("init", "-q");
  write("old.csv", "code\nNO-SUCH\n");
  write("notes.md", "# no data\n");
});

describe("the action", () => {
  interface Action {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>;
    readonly runs: { readonly steps: readonly { readonly run: string; readonly shell: string }[] };
  }
  const { inputs, runs } = yaml("check-codes-action.yaml") as Action;
  const [{ run, shell } = { run: "", shell: "" }] = runs.steps;
  const act = (BASE: string, more: Record<string, string> = {}) => {
    const script = path.join(env["RUNNER_TEMP"] ?? "", "script");
    writeFileSync(script, run);
    const FILES = inputs["files"]?.default;
    const all = { ...env, FILES, BASE, OPTIONS: `--out ${dist}`, UPLOAD: "true", ...more };
    const { status, stdout } = spawnSync(process.execPath, [script], { cwd: home, env: all, encoding: "utf8" });
    return { status, last: stdout.trimEnd().split("\n").at(-1) };
  };
  interface Uploaded {
    readonly runs: readonly {
      readonly results: readonly { readonly ruleId: string; readonly locations: unknown[] }[];
    }[];
  }
  const uploaded = (): Uploaded => {
    const body = JSON.parse(readFileSync(path.join(env["RUNNER_TEMP"] ?? "", "body"), "utf8")) as { sarif: string };
    return JSON.parse(gunzipSync(Buffer.from(body.sarif, "base64")).toString()) as Uploaded;
  };

  it("fails for changed files alone, and uploads one run with the findings of all of them", () => {
    const base = commit();
    write("data/-b c.csv", `code\n${CODE}\nNO-SUCH\n`);
    write("-new.csv", "code\nnot a code\n");
    write("gone.csv", "code\n");
    commit();
    rmSync(path.join(home, "gone.csv"));
    commit();
    expect(act(base)).toEqual({ status: 1, last: "Checked 2 changed files" });
    expect(shell).toBe("node {0}");
    expect(uploaded().runs.map(({ results }) => results.map(({ ruleId }) => ruleId))).toEqual([
      ["not_a_code", "unknown_code"],
    ]);
    expect(readFileSync(path.join(env["RUNNER_TEMP"] ?? "", "gh"), "utf8")).toBe("api --method POST repos/o/r/code-scanning/sarifs --input -\n"); // prettier-ignore
  });

  it("checks every file if the commit before is not known, and uploads nothing if it is told so", () => {
    commit();
    expect(act("0".repeat(40), { UPLOAD: "false" })).toEqual({ status: 1, last: "Checked 1 changed files" });
    expect(existsSync(path.join(env["RUNNER_TEMP"] ?? "", "body"))).toBe(false);
  });

  it("succeeds if the codes agree or are allowed, or if no data changed", () => {
    const base = commit();
    expect(act(base)).toEqual({ status: 0, last: "Checked 0 changed files" });
    write("good.csv", `code\n${CODE}\nNO-SUCH\n`);
    commit();
    expect(act(base, { OPTIONS: `--out ${dist}  --allow unknown_code` }).status).toBe(0);
  });
});

describe("the hook", () => {
  const [{ entry, files: pattern } = { entry: "", files: "" }] = yaml("pre-commit-hooks.yaml") as { entry: string; files: string }[]; // prettier-ignore
  const hook = (...args: string[]): number | null =>
    spawnSync("sh", ["-c", `${entry} "$@"`, "hook", ...args], { cwd: home, env }).status;

  it("checks each named file with the options, and fails if one does not agree", () => {
    write("good.csv", `code\n${CODE}\n`);
    expect(["a/b.csv", "c.ndjson", "d.csv.md"].map((name) => new RegExp(pattern).test(name))).toEqual([
      true,
      true,
      false,
    ]);
    expect(hook(`--out=${dist}`, "good.csv")).toBe(0);
    expect(hook(`--out=${dist}`, "old.csv", "good.csv")).toBe(1);
    expect(hook(`--out=${dist}`, "--allow=unknown_code", "old.csv", "good.csv")).toBe(0);
  });
});
