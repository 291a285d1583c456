/** `eject` copies a file of the package's content; a notice follows if the package changes it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { namesIn } from "../../support/files.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { sha256 } from "../../support/sha256.ts";

const SITE = "name: Own\nsecurity: { contact: mailto:a@b.example, expires: 2027-01-01T00:00:00Z }\n";
const GUIDE = readFileSync("content/guides/mcp-guide.md");
const LIST = `# Files copied from the package, with the SHA-256 of each original. "srs eject" writes this list.\n`;

let directory: string;
beforeEach(() => {
  const concepts = [concept("A-1", [expression("en", "one")])];
  directory = folder({ ...registryFiles({ concepts }), "content/site.yaml": SITE });
});

const at = (name: string): string => path.join(directory, name);
const text = (name: string): string => readFileSync(at(name), "utf8");
const eject = (...args: string[]): Promise<Outcome> => runHere(["eject", "--content", at("content"), ...args]);
const build = (): Promise<Outcome> =>
  runHere(["build", "--registry", at("registry"), "--content", at("content"), "--out", at("dist")]);

describe("eject", () => {
  it("copies a file and records the digest of its base, a line a file, in order", async () => {
    expect(await eject("guides/mcp-guide.md")).toMatchObject({ code: 0, stderr: "" });
    expect(await eject("./answers/10-what-is-it.md")).toMatchObject({ code: 0, stderr: "" });
    expect(text("content/guides/mcp-guide.md")).toBe(GUIDE.toString());
    const first = sha256(readFileSync("content/answers/10-what-is-it.md"));
    const lines = `answers/10-what-is-it.md: "${first}"\nguides/mcp-guide.md: "${sha256(GUIDE)}"\n`;
    expect(text("content/ejected.yaml")).toBe(LIST + lines);
    expect(readdirSync(at("content")).sort()).toEqual(["answers", "ejected.yaml", "guides", "site.yaml"]);
  });

  it("never overwrites a file; --keep records its base of today, and a build is quiet again", async () => {
    await eject("guides/mcp-guide.md");
    const own = text("content/guides/mcp-guide.md").replace("This guide is", "Ours is");
    writeFileSync(at("content/guides/mcp-guide.md"), own);
    expect(await build()).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(at("content/ejected.yaml"), `guides/mcp-guide.md: "${"0".repeat(64)}"\npages/index.njk: "${"0".repeat(64)}"\n`); // prettier-ignore
    const { code, stderr } = await build();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Notice: the package has changed since you copied it: guides\/mcp-guide\.md\. Compare with \S+content, then run npm run eject -- FILE --keep --content \S+\n$/); // prettier-ignore
    expect(await eject("guides/mcp-guide.md")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/mcp-guide\.md already exists: nothing was written; --keep/) as string }); // prettier-ignore
    expect(await eject("guides/mcp-guide.md", "--keep")).toMatchObject({ code: 0 });
    expect(text("content/ejected.yaml")).toBe(`${LIST}guides/mcp-guide.md: "${sha256(GUIDE)}"\n`);
    expect(text("content/guides/mcp-guide.md")).toBe(own);
    expect(await build()).toMatchObject({ code: 0, stderr: "" });
    expect(text("dist/mcp-guide.html")).toContain("Ours is");
  });

  it("that is killed before a step is done by the same command later", async () => {
    for (const step of ["write", "write", "rename", "rename"].keys()) {
      let calls = 0;
      const killed = <T>(call: () => T): T => {
        if (calls++ === step) throw Object.assign(new Error("killed"), { syscall: "kill" });
        return call();
      };
      const effects: Effects = {
        ...fileSystem,
        write: (file, chunks) => (writeFileSync(file, ""), killed(() => fileSystem.write(file, chunks))),
        rename: (from, to) => killed(() => fileSystem.rename(from, to)),
        remove: () => undefined,
      };
      mkdirSync(at("content/guides"), { recursive: true });
      const args = ["eject", "--content", at("content"), "guides/mcp-guide.md"];
      expect(await runHere(args, { effects })).toMatchObject({ code: 1, stderr: "killed\n" });
      expect(await eject("guides/mcp-guide.md")).toMatchObject({ code: 0, stderr: "" });
      expect(text("content/guides/mcp-guide.md")).toBe(GUIDE.toString());
      expect(namesIn(at("content"))).toEqual(["ejected.yaml", "guides/mcp-guide.md", "site.yaml"]);
      for (const file of ["ejected.yaml", "guides"]) rmSync(at(`content/${file}`), { recursive: true });
    }
  });

  it.each([
    [[], /^Name one file, such as pages\/index\.njk$/],
    [["pages/indexx.njk"], /^The package's content has no "pages\/indexx\.njk"; it has .*pages\/index\.njk/],
    [["../package.json"], /^The package's content has no "\.\.\/package\.json"; it has /],
    [["--content", "content", "pages/index.njk"], /^content is the package's own content: /],
  ])("refuses %j", async (args, says) => {
    const { code, stdout, stderr } = await eject(...args);
    expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toMatch(new RegExp(says.source, "m"));
  });

  it("of what the package has under another name now is told with what to do, and so is its id", async () => {
    writeFileSync(at("content/ejected.yaml"), `answers/09-what-it-is.md: "${"0".repeat(64)}"\n`);
    mkdirSync(at("content/answers"));
    const base = readFileSync("content/answers/10-what-is-it.md", "utf8");
    writeFileSync(at("content/answers/09-what-it-is.md"), base);
    const taken = await build();
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/content\/answers\/09-what-it-is\.md: error id-taken\n {2}The id "what-is-it" is already the id of the package's answers\/10-what-is-it\.md\. Rename it to 10-what-is-it\.md to replace that file, or /); // prettier-ignore
    writeFileSync(at("content/answers/09-what-it-is.md"), base.replace("id: what-is-it", "id: what-it-is"));
    const { code, stderr } = await build();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Notice: the package has removed or renamed since you copied it: answers\/09-what-it-is\.md\. .* remove its line from ejected\.yaml to keep it/)]); // prettier-ignore
  });

  it("says when its list cannot be read, before anything is built", async () => {
    writeFileSync(at("content/ejected.yaml"), "pages/index.njk: 1\n");
    expect(await build()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\S+ejected\.yaml: .*\n$/) as string,
    });
    expect(readdirSync(directory)).not.toContain("dist");
  });
});
