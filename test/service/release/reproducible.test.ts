/** The same input gives the same bytes wherever, whenever and by whomever it is built; and where it does not, that is seen. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { runAndReport as RunAndReport } from "../../../generator/commands/program.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { runHere } from "../../support/command.ts";
import { areSumsRight } from "../../support/sums.ts";
import { copyProject, project } from "../../support/project.ts";
import { sha256 } from "../../support/sha256.ts";
import { namesIn, textsIn } from "../../support/files.ts";

const home = mkdtempSync(path.join(tmpdir(), "reproducible-"));
afterAll(() => rmSync(home, { recursive: true }));

const ORIGIN = "https://registry.example";

interface Variation {
  readonly folder?: string;
  readonly reversed?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: string;
  /** A year for every file of the copy. */
  readonly year?: number;
}

/** Each differs from the first in several things at once; a failing one is then tried thing by thing. */
const variations: Readonly<Record<string, Variation>> = {
  "in a deeper folder, copied in another order, with a closed umask, far in the east, in Turkish, with files of 1980": {
    folder: "a/b c/ü/d/e/f/project of somebody",
    reversed: true,
    umask: "077",
    environment: { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", LANGUAGE: "tr" },
    year: 1980,
  },
  "by another user, far in the west, without a locale, with an open umask, a time of its own and files of 2030": {
    environment: { TZ: "Etc/GMT+12", LC_ALL: "C", LANG: "", HOME: "/nonexistent", USER: "somebody", LOGNAME: "somebody", HOSTNAME: "elsewhere", SOURCE_DATE_EPOCH: "1000000000" },
    umask: "000",
    year: 2030,
  },
}; // prettier-ignore

let copies = 0;

/** Builds a varied copy; gives the digest of its SHA256SUMS. */
function build({ folder = "project", reversed = false, environment = {}, umask = "022", year }: Variation): string {
  const copy = path.join(home, String(copies++), folder);
  copyProject(copy, { reversed });
  if (year !== undefined) touch(copy, new Date(Date.UTC(year, 5, 15)));
  const made = path.join(copy, "dist");
  const args = ["lib/generator/main.js", "build", "--origin", ORIGIN];
  execFileSync("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, ...args], {
    cwd: copy,
    env: { ...process.env, SERVICE_ORIGIN: "", ...environment },
  });
  expect(areSumsRight(made)).toBe(true);
  return sha256(readFileSync(path.join(made, "SHA256SUMS")));
}

function touch(folder: string, time: Date): void {
  for (const name of namesIn(folder)) utimesSync(path.join(folder, name), time, time);
}

/** Built by this process. */
const out = path.join(home, "dist");
const registry = path.join(project, "test/golden/registry");
await runHere(["build", "--origin", ORIGIN, "--registry", registry, "--out", out]);

describe("a build", () => {
  it.each(Object.entries(variations))("A18: gives the same bytes %s", (_where, variation) => {
    expect(build(variation)).toBe(sha256(readFileSync(path.join(out, "SHA256SUMS"))));
  });

  it("A18: has nothing of its place in its bytes", () => {
    for (const [name, bytes] of Object.entries(textsIn(out))) {
      expect([name, bytes.includes(home), /localhost|127\.0\.0\.1/.test(bytes)]).toEqual([name, false, false]);
    }
  });
});

describe("verify --rebuild", () => {
  // Where nothing differs: test/service/release/release.test.ts.
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
    const { runAndReport: program } = (await load("commands/program.js")) as { runAndReport: typeof RunAndReport };
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
    // What follows from them: the list of digests, the identity of that, the sums of it all, and MCP's copy.
    expect(named).not.toContain("openapi.json");
    expect(named).not.toContain("registry.index");
  });
});
