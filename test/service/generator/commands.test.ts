import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { COMMANDS } from "../../../generator/text/commands.ts";
import { VERSION } from "../../../generator/text/package.ts";
import { folder, type Outcome, run, runHere } from "../../support/command.ts";
import { areSumsRight } from "../../support/sums.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, copyRelease } from "../../support/release.ts";
import { type Service, startService } from "../../support/service.ts";
import { textsIn } from "../../support/files.ts";

const command = (name: string, args: readonly string[] = [], env?: Record<string, string>): Promise<Outcome> =>
  runHere([name, ...args], { ...(env && { env }) });

interface Place {
  readonly directory: string;
  readonly out: string;
  readonly options: string[];
}

/** A folder with a registry, and the options that name it and the project's content. */
function project(files = registryFiles(nasty)): Place {
  const directory = folder(files);
  const out = path.join(directory, "dist");
  return {
    directory,
    out,
    options: ["--registry", path.join(directory, "registry"), "--content", path.resolve("content"), "--out", out],
  };
}

/** The same with a release that was built before. */
async function released(): Promise<Place> {
  const made = project();
  copyRelease(await buildRelease(checkedRegistry(nasty)), made.out);
  return made;
}

describe("build", () => {
  it("writes a dist that verifies, by our check and by sha256sum", async () => {
    const { out, options } = project();
    const built = await command("build", [...options, "--origin", "https://example.org"]);
    expect(built).toMatchObject({ code: 0, stderr: "" });
    expect(built.stdout).toMatch(/^Built .*: 29 concepts, .* registry 2026\.11\.1, origin https:\/\/example\.org/);
    expect(await command("verify", ["--out", out])).toMatchObject({ code: 0, stderr: "" });
    expect(areSumsRight(out)).toBe(true);
    expect(readdirSync(path.dirname(out)).sort()).toEqual(["dist", "registry"]);
  });

  it("leaves the previous dist as it was when the registry has errors, and prints every one with exit code 1", async () => {
    const { directory, out, options } = await released();
    const before = textsIn(out);
    const bad = { ...concept("BAD", [expression("en", " a"), expression("xx", "b")]), definition: "" };
    writeFileSync(path.join(directory, "registry/concepts/test/BAD.yaml"), JSON.stringify(bad));
    const failed = await command("build", options);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("concepts/test/BAD.yaml#/definition: error definition-missing");
    expect(failed.stderr).toContain("#/expressions/0/expression: error expression-spaces");
    expect(failed.stderr).toContain("#/expressions/1/language: error language-not-registered");
    expect(failed.stderr).toMatch(/3 errors in .*: nothing was written\n$/);
    expect(textsIn(out)).toEqual(before);
    expect(await command("lint", options.slice(0, 2))).toMatchObject({ code: 1 });
  });

  it("builds an empty registry, even without a concepts folder", async () => {
    const { out, options } = project(registryFiles(empty));
    expect(await command("build", options)).toMatchObject({ code: 0 });
    expect(await command("verify", ["--out", out])).toMatchObject({ code: 0 });
    const answer = await command("resolve", ["x", "--out", out]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ data: { status: "abstained", reason: "registry_empty" } });
  });

  it("is preceded by what start brings back: the release that a killed build had moved aside", async () => {
    const { directory, out, options } = await released();
    const before = textsIn(out);
    mkdirSync(`${out}.building/next`, { recursive: true });
    writeFileSync(`${out}.building/process`, "999999999");
    renameSync(out, `${out}.building/previous`);
    writeFileSync(path.join(directory, "registry/concepts/bad.yaml"), "bad");
    expect(await command("start", options)).toMatchObject({ code: 1 });
    expect(textsIn(out)).toEqual(before);
    expect(readdirSync(path.dirname(out)).sort()).toEqual(["dist", "registry"]);
  });
});

describe("a wrong option, directory or value", () => {
  it("gets one clear line and exit code 2", async () => {
    const { options, out } = await released();
    const notes = path.join(folder({ "notes/README.md": "" }), "notes");
    const cases: [string, string[], RegExp, Record<string, string>?][] = [
      ["build", ["--nope"], /Unknown option '--nope'/],
      ["build", ["--registry", "/nonexistent"], /--registry \/nonexistent is not a directory/],
      ["build", ["--content", "/nonexistent"], /--content \/nonexistent is not a directory/],
      ["build", ["--registry"], /--registry/],
      ["build", ["--registry", ""], /--registry needs a value/],
      ["build", ["extra"], /Unexpected argument "extra"/],
      ["import", ["--format", "skos", "--delimiter", ";"], /--delimiter goes with --format csv/],
      ["import", ["--format", "json", "--language-columns", "en"], /--language-columns goes with --format csv/],
      ["store", ["push", "--dry-run"], /--dry-run goes with gc/],
      ["store", ["push", "--keep", out], /--keep goes with gc/],
      ["store", ["push", "--yes"], /--yes goes with gc/],
      ["store", ["gc", "--keep", out, "--check", "all"], /--check goes with push/],
      ["store", ["gc", "--keep", out, "--out", out], /--out goes with push/],
      ["build", [...options, "--origin", "example.org"], /--origin "example\.org" is not an absolute http\(s\) origin/],
      ["build", options, /PORT "http" is not a port number/, { PORT: "http" }],
      ["build", options, /SERVICE_ORIGIN "ftp:\/\/x"/, { SERVICE_ORIGIN: "ftp://x" }],
      ["verify", ["--out", "/nonexistent"], /--out \/nonexistent is not a directory/],
      ["resolve", ["--out", out], /Name the expression: npm run resolve -- "/],
      ["explain", ["--out", out], /Name the expression: npm run explain -- "/],
      ["resolve", ["a", "b", "--out", out], /Name one expression/],
      ["resolve", ["a", "--out", "/nonexistent"], /manifest\.json does not exist: build first/],
      ["explain", ["a", "--out", out, "--registry", "/nonexistent"], /--registry \/nonexistent is not a directory/],
      ["explain", ["a", "--out", out, "--registry", notes], /--registry .*notes has no registry\.yaml$/m],
      ["lint", ["--out", out], /Unknown option '--out'/],
      ["build", ["--registri", "x"], /Unknown option '--registri' \(did you mean --registry\?\)$/m],
      [
        "build",
        ["--out", "--origin", "http://x"],
        /--out needs a value; one that begins with - is written --out=--orig/,
      ],
      ["verify-origin", ["--relaese", "x"], /Unknown option '--relaese' \(did you mean --release\?\)$/m],
      ["lint", ["--prot", "x"], /Unknown option '--prot'; an argument/],
      ["resolve", ["-x"], /Unknown option '-x'; an argument that begins with - goes after --/],
      ["verify", ["a", "b"], /Name the release once/],
      ["import", ["--format", "xls"], /--format "xls" is none of skos, csv/],
      ["buidl", [], /Unknown command 'buidl' \(did you mean build\?\)/],
      ["nonsense", [], /Unknown command 'nonsense': init, eject, start, dev, build, .*, diff$/m],
    ];
    for (const [name, args, message, env] of cases) {
      const outcome = await command(name, args, env);
      expect([name, args, outcome.code, outcome.stdout]).toEqual([name, args, 2, ""]);
      expect(outcome.stderr).toMatch(message);
      expect(outcome.stderr.trimEnd().split("\n").length).toBe(1);
    }
  });

  it("is answered by --help with the usage of each command, and by --version with the version", async () => {
    const all = await command("--help");
    expect(all).toMatchObject({ code: 0, stderr: "" });
    const scripts = [...all.stdout.matchAll(/^ {2}(npm (?:run )?(?:--silent )?\S+) {2,}\S/gm)].map(
      ([, script]) => script ?? "",
    );
    const commands = Object.entries(COMMANDS);
    expect(scripts.length).toBe(commands.length);
    for (const [i, [name]] of commands.entries()) {
      const script = scripts[i] ?? "";
      const help = await command(name, ["-h"]);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toContain(`Usage: ${script} -- `);
      expect(help).toEqual(await command(name, ["--help"]));
    }
    const meanings = await Promise.all(["import", "release", "export"].map((name) => command(name, ["-h"])));
    expect(meanings.map(({ stdout }) => /^ +(--into .*)/m.exec(stdout)?.[1]?.replace(/ {2,}/, " "))).toEqual([
      "--into <DIR> the registry to import into, new or not",
      "--into <DIR> the folder to write releases into (release)",
      "--into <FILE> the file to write (standard output)",
    ]);
    expect(await command("--version")).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
    expect(await run("lib/runtime/main.js", ["--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/HOST[^]*RATE_LIMIT_PER_SECOND \(100\b[^]*RATE_LIMIT_BURST \(200\b/) as string,
    });
  });
});

describe("verify", () => {
  it("names every file that differs, is missing or is too many", async () => {
    const { out } = await released();
    chmodSync(path.join(out, "api/v1/status"), 0o644);
    writeFileSync(path.join(out, "api/v1/status"), "{}");
    writeFileSync(path.join(out, "extra"), "x");
    const outcome = await command("verify", ["--out", out]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/api\/v1\/status: differs from its digest in SHA256SUMS/);
    expect(outcome.stderr).toMatch(/extra: not listed in SHA256SUMS/);
    writeFileSync(path.join(out, ".hidden"), "x");
    symlinkSync("/nonexistent", path.join(out, "dangling"));
    const more = (await command("verify", ["--out", out])).stderr;
    expect(more).toMatch(/\.hidden: not listed in SHA256SUMS/);
    expect(more).toMatch(/dangling: not a regular file/);
    rmSync(path.join(out, "SHA256SUMS"));
    expect((await command("verify", ["--out", out])).stderr).toMatch(/SHA256SUMS: missing/);
  });
});

describe("resolve and explain", () => {
  const { options } = project();
  let out: string;
  let service: Service;
  beforeAll(async () => {
    out = await buildRelease(checkedRegistry(nasty));
    service = await startService(checkedRegistry(nasty));
    return () => service.close();
  });

  it("A13: resolve prints the JSON that the service answers, for answers and refusals alike", async () => {
    for (const [text, tag, code] of [
      ["taxi"],
      ["bank"],
      ["Gift", "de"],
      ["sort of"],
      ["no such"],
      ["", undefined, 1],
      ["taxi", "en_US", 1],
      ["cafe\u0301"],
    ] as const) {
      const args = [text, ...(tag === undefined ? [] : ["--language", tag]), "--out", out];
      const outcome = await command("resolve", args);
      expect([args, outcome.code]).toEqual([args, code ?? 0]);
      const reply = await service.resolve({ expression: text, language: tag });
      expect(outcome.stdout).toBe(reply.body.toString());
    }
  });

  async function story(args: string[]): Promise<string> {
    const outcome = await command("explain", [...args, ...options.slice(0, 2), "--out", out]);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    return outcome.stdout;
  }

  it("explain names the rule: form, language levels, ambiguity, strength, review status", async () => {
    expect(await story(["cafe\u0301"])).toMatch(
      /compared as "café" \(NFC of what was given\)[\s\S]*resolved to N-ACCENTS/,
    );
    expect(await story(["Gift", "--language", "de-AT-x-y"])).toMatch(
      /Language de-AT-x-y: no published.*\nLanguage de-AT: does not have the expression\nLanguage de: N-POISON Name of N-POISON \(de, strength 1\); the lookup stops here/,
    );
    expect(await story(["poison", "--language", "fr"])).toMatch(
      /Published: N-POISON Name of N-POISON \(en, strength 1\)\nLanguage fr: does not have[\s\S]*abstained \(language_not_matched\)/,
    );
    expect(await story(["bank"])).toMatch(
      /at strength 1: N-MONEY, N-RIVER; only below it: none\nOutcome: abstained \(ambiguous_expression\)/,
    );
    expect(await story(["bank", "--language", "de"])).toMatch(
      /Near, not the same: in another language: [^\n]*\nNear expressions are evidence/,
    );
    expect(await story(["sort of"])).toMatch(/abstained \(equivalence_not_exact\)/);
    expect(await story(["one in review"])).toMatch(
      /Review status: in_review for N-REVIEW \(en\) in the source, so it is not published\nOutcome: abstained \(no_reviewed_exact_match\)/,
    );
    expect(JSON.parse(await story(["bank", "--json"]))).toMatchObject({
      outcome: { status: "abstained", reason: "ambiguous_expression" },
    });
  });

  it("explain says that the release was built before what is reviewed now", async () => {
    const added = concept("N-NEW", [expression("en", "new word"), expression("en", "taxi")]);
    const later = project(registryFiles({ ...nasty, concepts: [...nasty.concepts, added] })).options.slice(0, 2);
    const { stdout } = await command("explain", ["new word", ...later, "--out", out]);
    expect(stdout).toContain(
      "Review status: reviewed for N-NEW (en) in the source, but this release was built without it: build again\n",
    );
    expect((await command("explain", ["taxi", ...later, "--out", out])).stdout.match(/Review status/g)).toHaveLength(1);
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

describe.skipIf(!existsSync("/dev/full"))("a full disk behind standard output", () => {
  it.each([
    { args: ["--help"], code: 1 },
    { args: ["diff", "--help"], code: 2 },
  ])("is one line, and the exit code of $args is $code", ({ args, code }) => {
    const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
    const ended = spawnSync(process.execPath, ["lib/generator/main.js", ...args], { stdio: [...stdio] });
    expect(ended.stderr.toString()).toMatch(/^ENOSPC: [^\n]+: free space on the disk it writes to[^\n]+\n$/);
    expect(ended.status).toBe(code);
  });
});

describe("odd folders", () => {
  it.each([
    ["EACCES: permission denied", "name another place, or get the permission for this one"],
    ["EROFS: read-only file system", "nothing can be written there, so name another place"],
    [
      "EBUSY: resource busy or locked",
      "what is mounted cannot be replaced: name a folder inside it, or mount the folder around it",
    ],
    ["EEXIST: file already exists", "that is a file where a folder has to be, so name another folder"],
  ])("in which a build cannot write are one line: %s", async (said, remedy) => {
    const { directory, out, options } = project();
    const [code = ""] = said.split(":");
    const effects = { ...fileSystem };
    if (code === "EEXIST") writeFileSync(path.join(directory, "dist"), "");
    else
      effects.write = (file) => {
        throw Object.assign(new Error(`${said}, mkdir '${file}'`), { code, syscall: "mkdir" });
      };
    const args = ["build", ...options, "--out", path.join(out, "below")];
    const { code: ended, stdout, stderr } = await runHere(args, { effects });
    expect([ended, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(new RegExp(`^${said}, mkdir '${out}[^\n]*': ${remedy}\n$`));
  });

  it.each([
    "concepts/a.ndjson",
    "retired.yaml",
    "history.yaml",
    "code-map.ndjson",
    "vocabularies/a.ndjson",
    "concepts",
  ])("of a registry with a link that leads nowhere at %s are a finding", async (name) => {
    const { directory } = project();
    const registry = path.join(directory, "registry");
    rmSync(path.join(registry, name), { recursive: true, force: true });
    mkdirSync(path.dirname(path.join(registry, name)), { recursive: true });
    symlinkSync("/nonexistent", path.join(registry, name));
    const { code, stderr } = await command("lint", ["--registry", registry]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`registry/${name}: error file-missing\n  The link `)]);
  });

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

describe("a name or a text that would steer a terminal", () => {
  const STEERS = "a\nFAKE: 0 errors\u001B]0;x\u0007\u009B1m\u202E";
  const SHOWN = String.raw`a\u{A}FAKE: 0 errors\u{1B}]0;x\u{7}\u{9B}1m\u{202E}`;
  const long = "x".repeat(20_000);
  const home = folder({
    ...registryFiles({ concepts: [], files: { [`registry/concepts/x/${STEERS}.yaml`]: "[" } }),
    [`content/pages/${STEERS}.md`]: "x",
    "content/interface/de.yaml": JSON.stringify({ [STEERS]: "x" }),
    "tag.csv": `sourceId,language,expression,type\na,"${STEERS}",foo,bogus\nb,en,bar,\n`,
    "long.csv": `sourceId,language,expression,type\na,${long},foo,bogus\nb,en,bar,\n`,
    "esc\u001B/registry.yaml": "[",
    "out/service.yaml": JSON.stringify({ out: STEERS }),
    "good/registry/registry.yaml": registryFiles({ concepts: [] })["registry/registry.yaml"] ?? "",
  });
  const imported = (from: string): string[] => ["import", "--format", "csv", "--from", from, "--into", "new"];
  const good = ["--registry", "good/registry", "--out", "new"];

  it.each<[string, string[], string]>([
    ["a file of a registry", ["lint", "--registry", "registry"], `x/${SHOWN}.yaml: error`],
    ["a page", ["build", ...good, "--content", "content"], `pages/${SHOWN}.md: error`],
    ["a key", ["build", ...good, "--content", "content"], `de.yaml#/${SHOWN}: error`],
    ["a language tag", imported("tag.csv"), `1  ${SHOWN}`],
    ["a setting", ["build"], "service.yaml: /out"],
    ["a folder", ["lint", "--registry", STEERS], `--registry ${SHOWN} is not a directory`],
    ["a folder with findings", ["lint", "--registry", "esc\u001B"], String.raw`esc\u{1B}/registry.yaml: error`],
    ["an argument", ["lint", STEERS], String.raw`"a\nFAKE: 0 errors\u001b]0;x\u0007\u{9B}1m\u{202E}"`],
    ["an option", ["lint", `--${STEERS}`], SHOWN.replace(String.raw`\u{A}`, " ")],
  ])("is printed so that it does not: %s", async (_what, args, says) => {
    const { stdout, stderr } = await runHere(args, { cwd: args.length === 1 ? path.join(home, "out") : home });
    expect(stdout + stderr).toContain(says);
    expect(stdout + stderr).not.toMatch(/^FAKE|(?!\n)[\p{Cc}\p{Cf}]/mu);
  });

  it("is cut where it is long", async () => {
    const { code, stdout } = await runHere(imported("long.csv"), { cwd: home });
    expect([code, stdout.length < 3000]).toEqual([0, true]);
  });

  it("is printed as it is where it is data", async () => {
    const { stdout } = await runHere(["lookup", "\u009B", "--out", (await released()).out]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { identifier: "\u009B" } });
  });
});

describe("what is written", () => {
  const directory = folder({
    ...registryFiles(empty),
    "t.csv": "code,language,expression\nA,en,a\n",
    "content/a.md": "x",
  });
  symlinkSync("registry", path.join(directory, "link"));
  const before = textsIn(directory);
  const dist = path.resolve("test/golden/dist");

  it.each([
    [["import", "--format", "csv", "--from", "t.csv", "--into", "new", "--findings", "./t.csv"], "--findings ./t.csv would change t.csv"],
    [["import", "--format", "csv", "--from", "t.csv", "--into", "new", "--findings", "new/f"], "--findings new/f would change new"],
    [["export", "--format", "csv", "--registry", "registry", "--into", "link/new/f"], "--into link/new/f would change registry"],
    [["resolve", "--from", "t.csv", "--into", "t.csv", "--out", dist], "--into t.csv would change t.csv"],
    [["resolve", "--from", "t.csv", "--into", `${dist}/a`, "--out", dist], `--into ${dist}/a would change ${dist}`],
    [["build", "--registry", "registry", "--content", "content", "--out", "link/dist"], "--out link/dist would change registry"],
    [["build", "--registry", "registry", "--content", "content", "--out", "."], "--out . would change registry"],
    [["build", "--registry", "registry", "--content", "content", "--out", "content/dist"], "--out content/dist would change content"],
    [["release", "--registry", "registry", "--content", "content", "--origin", "https://a.example", "--into", "registry"], "--into registry would change registry"],
  ])("is never what is read: %j", async (args, message) => {
    const { code, stdout, stderr } = await runHere(args, { cwd: directory });
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `${message}, which is read: name another place`]);
    expect(textsIn(directory)).toEqual(before);
  }); // prettier-ignore
});
