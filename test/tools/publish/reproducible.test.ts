/** The same input gives the same bytes for any place, time and user; a difference is noticed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { runAndReport as RunAndReport } from "../../../generator/program.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { folder, runHere } from "../../support/command.ts";
import { areSumsRight } from "../../support/sums.ts";
import { copyProject, project } from "../../support/project.ts";
import { digestsIn, namesIn, textsIn } from "../../support/files.ts";

const home = mkdtempSync(path.join(tmpdir(), "reproducible-"));
afterAll(() => rmSync(home, { recursive: true }));

const ORIGIN = "https://registry.example";

/** A copy in a deep folder of an odd name, written in another order, with files of another year. */
const copy = path.join(home, "a/b c/ü/d/e/f/project of somebody");

/** The place of the build: Eleventy's settings under both names, a package, an ignore file. */
const CWD = {
  "eleventy.config.js": "export default (config) => config.addTransform('x', (text) => `${text}SETTINGS`);",
  ".eleventy.js": "module.exports = (config) => { config.addGlobalData('origin', 'SETTINGS'); };",
  ".eleventyignore": "**/*.njk",
  "package.json": '{"name":"other","type":"commonjs"}',
};

/** Another user, far west, without a locale; verify and release rebuild in the east in Turkish. */
const ENVIRONMENT = { TZ: "Etc/GMT+12", LC_ALL: "C", LANG: "", HOME: "/nonexistent", USER: "somebody", LOGNAME: "somebody", HOSTNAME: "elsewhere", SOURCE_DATE_EPOCH: "1000000000", DEBUG: "Eleventy*", NODE_ENV: "production" }; // prettier-ignore

/** Built by this process. */
const out = path.join(home, "dist");
const registry = path.join(project, "test/golden/registry");
await runHere(["build", "--origin", ORIGIN, "--registry", registry, "--out", out]);

describe("a build", () => {
  it("A18: gives the same bytes wherever, whenever and by whomever it is made", () => {
    copyProject(copy, { reversed: true });
    for (const name of namesIn(copy)) utimesSync(path.join(copy, name), new Date(0), Date.UTC(2030, 5, 15) / 1000);
    const made = path.join(copy, "dist");
    const places = ["--registry", path.join(copy, "registry"), "--content", path.join(copy, "content"), "--out", made];
    const args = [path.join(copy, "lib/generator/main.js"), "build", "--origin", ORIGIN, ...places];
    execFileSync("sh", ["-c", 'umask 000; exec "$0" "$@"', process.execPath, ...args], {
      cwd: folder(CWD),
      env: { ...process.env, SERVICE_ORIGIN: "", ...ENVIRONMENT },
      stdio: "pipe",
    });
    expect(areSumsRight(made)).toBe(true);
    expect(digestsIn(made)).toEqual(digestsIn(out));
  });

  it("A18: has nothing of its place in its bytes", () => {
    for (const [name, bytes] of Object.entries(textsIn(out))) {
      expect([name, bytes.includes(home), /localhost|127\.0\.0\.1/.test(bytes)]).toEqual([name, false, false]);
    }
  });
});

describe("verify --rebuild", () => {
  // Where nothing differs: test/tools/publish/package.test.ts.
  it("A18: names each document that the surroundings of a build show in", async () => {
    const leaks = {
      answers: "Date.now()",
      discovery: "Math.random()",
      capabilities: "new Date(0).getTimezoneOffset()",
      "agent-connect": "new Intl.NumberFormat().resolvedOptions().locale",
      "adoption-guide": "import.meta.dirname",
      "integration-readiness": "process.env.HOME",
    };
    const leaking = path.join(home, "leaking");
    copyProject(leaking);
    const view = path.join(leaking, "lib/generator/view/view.js");
    const text = readFileSync(view, "utf8");
    const cases = Object.entries(leaks).map(([name, leak]) => `${JSON.stringify(name)}: ${leak}`);
    const leak = `        description: \`\${about.description} \${{ ${cases.join(", ")} }[name] ?? ""}\`,\n`;
    expect(text.split("        ...about,\n").length).toBe(2);
    writeFileSync(
      view,
      text.replace("        ...about,\n", (found) => found + leak),
    );
    const load = (name: string): Promise<object> => import(path.join(leaking, "lib/generator", name));
    const { runAndReport: program } = (await load("program.js")) as { runAndReport: typeof RunAndReport };
    const { fileSystem: effects } = (await load("effects/file-system.js")) as { fileSystem: Effects };
    const options = { cwd: leaking, program, effects };
    expect(await runHere(["build", "--origin", ORIGIN], options)).toMatchObject({ code: 0 });
    const { code, stderr } = await runHere(["verify", "--rebuild"], options);
    const named = stderr.match(/^.*(?=: the rebuild gives other bytes$)/gm) ?? [];
    expect([code, named]).toEqual([
      1,
      expect.arrayContaining([
        ".well-known/service-semantics-discovery.json",
        ".well-known/service-semantics.json",
        "answers.json",
        "api/v1/adoption-guide",
        "api/v1/agent/connect",
        "api/v1/capabilities",
        "api/v1/integration-readiness/index.json",
      ]),
    ]);
    // What follows from them: the list of digests, the identity of that, the sums of it all, and
    // MCP's copy.
    expect(named).not.toContain("openapi.json");
    expect(named).not.toContain("registry.index");
  });
});
