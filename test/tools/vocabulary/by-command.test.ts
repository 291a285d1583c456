/** The whole way of a new user who edits by commands alone, in a repository that `init` wrote. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { textsIn } from "../../support/files.ts";

const BY = ["--as", "terminology board", "--on", "2026-12-01"];

async function begun(): Promise<{ directory: string; here: (...args: string[]) => Promise<Outcome> }> {
  const directory = path.join(folder({}), "words");
  expect((await runHere(["init", directory, "--yes"])).code).toBe(0);
  const here = (...args: string[]): Promise<Outcome> => runHere(args, { cwd: directory });
  rmSync(path.join(directory, "registry/concepts"), { recursive: true });
  writeFileSync(path.join(directory, "registry/retired.yaml"), "[]\n");
  return { directory, here };
}

async function answer(here: (...args: string[]) => Promise<Outcome>, expression: string): Promise<string> {
  const { data } = JSON.parse((await here("resolve", expression)).stdout) as {
    data: { reason: string | null; concept: { code: string } | null };
  };
  return data.concept?.code ?? data.reason ?? "";
}

describe("a new repository", () => {
  it("gets from add over review and release to an answer, and from a wrong accept back", async () => {
    const { here } = await begun();
    const added = await here("add", "refund request", "--language", "en", "--name", "Refund request", "--definition", "A message that asks for money back.", "--domain", "support"); // prettier-ignore
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const [, code = ""] = /^New: (C-[^ ]+) "Refund request"/.exec(added.stdout) ?? [];
    const [, review = ""] = / review .*?(--accept .*)$/m.exec(added.stdout) ?? [];
    const decide = review.replace("ROLE", "board").replace("DATE", "2026-12-01").split(" ");
    expect(await here("review", ...decide)).toMatchObject({ code: 0, stderr: "" });
    expect(await here("release-registry", "--version", "2026.12.1")).toMatchObject({ code: 0, stderr: "" });
    expect(await here("build")).toMatchObject({ code: 0, stderr: "" });
    expect(await answer(here, "refund request")).toBe(code);

    await here("add", "refund", "--language", "en", "--to", code, ...BY);
    expect((await here("reject", "refund", ...BY)).code).toBe(0);
    expect((await here("release-registry", "--version", "2026.12.2")).stdout).toContain("Every expression resolves");
    await here("retire", code);
    expect((await here("release-registry", "--version", "2026.12.3")).code).toBe(0);
    await here("build");
    expect(await answer(here, "refund request")).toBe("registry_empty");
  });

  it("keeps a code that its first release has as retired: it neither vanishes nor comes back", async () => {
    const { directory, here } = await begun();
    const file = path.join(directory, "registry/retired.yaml");
    writeFileSync(file, "- { code: C-3HB9TD, retiredIn: 2026.12.1, replacedBy: null }\n");
    await here("add", "one", "--language", "en", "--name", "One", "--definition", "The first.", "--domain", "n", ...BY);
    expect((await here("release-registry", "--version", "2026.12.1")).code).toBe(0);
    writeFileSync(file, "[]\n");
    const again = JSON.stringify({ code: "C-3HB9TD", name: "Two", definition: "The second.", domain: "n", expressions: [] }); // prettier-ignore
    for (const records of ["", `${again}\n`]) {
      writeFileSync(path.join(directory, "registry/concepts/n.ndjson"), records);
      const { code, stderr } = await here("release-registry", "--version", "2026.12.2");
      expect([code, stderr]).toEqual([1, expect.stringContaining("error retired-gone")]);
    }
  });
});

describe("--dry-run", () => {
  const dry = async (
    here: (...args: string[]) => Promise<Outcome>,
    directory: string,
    args: readonly string[],
  ): Promise<readonly [Outcome, Outcome]> => {
    const before = textsIn(directory);
    const tried = await here(...args, "--dry-run");
    expect(textsIn(directory)).toEqual(before);
    return [tried, await here(...args)];
  };

  it("of import, review and release-registry gives the same report, and writes nothing", async () => {
    const { directory, here } = await begun();
    writeFileSync(path.join(directory, "list.csv"), "sourceId,language,expression\nx:1,en,one\nx:2,en,two \n");
    const from = ["import", "--format", "csv", "--from", "list.csv", "--into", "registry", "--domain", "numbers"];
    const [imported, real] = await dry(here, directory, from);
    expect(imported).toEqual({ ...real, stdout: `${real.stdout}Nothing was written (--dry-run) into registry\n` });

    const [reviewed, decided] = await dry(here, directory, ["review", "--accept", ...BY]);
    expect(decided.stdout).toContain("\nWrote 1 file in registry\n");
    expect(reviewed.stdout).toBe(decided.stdout.replace("Wrote 1 file in registry", "Nothing was written (--dry-run)"));

    const [prepared, recorded] = await dry(here, directory, ["release-registry", "--version", "2026.12.1"]);
    expect(recorded.stdout).toContain("\nRecorded 2026.12.1: 1 concept, content SHA-256 ");
    expect(prepared.stdout).toBe(
      recorded.stdout
        .replace("Recorded", "To be recorded as")
        .replace("Wrote ", "Nothing was written (--dry-run); to change: "),
    );
    const asJson = await here("release-registry", "--version", "2026.12.2", "--dry-run", "--json");
    expect(JSON.parse(asJson.stdout)).toMatchObject({ status: "not_recorded", registryVersion: "2026.12.2" });
  });
});

it("a release that is taken back by git leaves no trace: the same version can be released with other content", async () => {
  const { directory, here } = await begun();
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", "-C", directory, ...args], {
      encoding: "utf8",
    });
  const NEW = ["--definition", "A number.", "--domain", "n", "--language", "en", ...BY];
  git("init", "-q");
  await here("add", "one", "--name", "One", ...NEW);
  await here("release-registry", "--version", "2026.12.1");
  git("add", ".");
  git("commit", "-qm", "first");
  await here("add", "tow", "--name", "Two", ...NEW);
  await here("release-registry", "--version", "2026.12.2");
  git("add", ".");
  git("commit", "-qm", "wrong");
  git("revert", "--no-edit", "HEAD");
  await here("add", "two", "--name", "Two", ...NEW);
  expect(await here("release-registry", "--version", "2026.12.2")).toMatchObject({ code: 0, stderr: "" });
  git("restore", "registry");
  git("clean", "-qf", "registry");
  expect((await here("release-registry", "--version", "2026.12.1")).stdout).toContain("already recorded");
});
