/** Every kit's proof, run as its manifest says by every interpreter at hand, without a network. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { FIXTURE_OUTCOMES, type HandoffLanguage } from "../../generator/contract/integration.ts";
import { handoffOf, oneOfEach, runHandoff, startStub, treeOf } from "../support/handoffs.ts";
import { execute } from "../support/npx.ts";
import { all, clients, each, inFolder, NOTHING_ELSE, offlineKits } from "./live-kits.ts";
import { proofOf, prove, withoutNetwork } from "./proofs.ts";

const made = offlineKits();

describe("a proof", () => {
  it.each(clients.all.map((client) => [client.name, client] as const))(
    "F19, F24, F27, F29: by %s, of every kit: six lines as they are declared, and no file but what was there",
    async (_name, client) => {
      await inFolder(async (home) => {
        const folder = path.dirname(made.kit.root);
        const before = treeOf(folder);
        const env = { HOME: home, TMPDIR: home };
        const said = await Promise.all(made.kits.map(async ({ root }) => [root, await prove(client, root, { env })]));
        expect(said).toEqual(made.kits.map(({ root }) => [root, { code: 0, stdout: proofOf(root), ...NOTHING_ELSE }]));
        expect(treeOf(folder)).toBe(before);
        // PowerShell keeps notes of its own start wherever it runs anything.
        if (client.language !== "powershell") expect(treeOf(home)).toBe("");
      });
    },
  );

  it("F24: has six lines, of which the first alone has a code and a registryVersion", () => {
    for (const { root } of made.kits) {
      const [first, ...others] = proofOf(root).trimEnd().split("\n");
      expect(first).toMatch(/^resolved-valid: resolved-valid \S+ \S+$/);
      expect(others).toEqual(FIXTURE_OUTCOMES.slice(1).map((id) => `${id}: ${id}`));
    }
  });

  it("is run by the oldest and the newest Python there is", () => {
    const pythons = clients.all.filter(({ language }) => language === "python").map(({ name }) => name);
    if (pythons.length > 0) console.warn(`Pythons from ${pythons[0]} to ${pythons.at(-1)}: ${pythons.length}`);
    expect(clients.few.filter(({ language }) => language === "python").map(({ name }) => name)).toEqual([
      ...new Set([...pythons.slice(0, 1), ...pythons.slice(-1)]),
    ]);
  });

  it.skipIf(withoutNetwork === undefined)("F27: is run where no connection can be made", async () => {
    const stub = await startStub();
    const script = `require("node:net").connect(${stub.port}, "127.0.0.1").on("connect", () => process.exit(0))`;
    const [command = "", ...args] = withoutNetwork ?? [];
    const { code } = await execute(command, [...args, process.execPath, "-e", script], { cwd: tmpdir() });
    expect([code, stub.connections()]).toEqual([1, 0]);
    await stub.close();
  });

  it("F27, F29: is the same from another folder, through another name and in another locale", async () => {
    await inFolder(async (folder) => {
      const odd = path.join(folder, "a kit's näme $(id)");
      mkdirSync(odd);
      execFileSync("cp", ["-R", made.kit.root, odd]);
      const root = path.join(realpathSync(odd), path.basename(made.kit.root));
      const some = oneOfEach(clients, 1);
      for (const env of [
        { LC_ALL: "C", LANG: "C" },
        { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
      ]) {
        const said = await each(some, (client) => prove(client, root, { env }));
        // A shell may warn of a locale that the machine does not have.
        const lines = Object.fromEntries(
          Object.entries(said).map(([name, { code, stdout }]) => [name, { code, stdout }]),
        );
        expect(lines).toEqual(all(some, { code: 0, stdout: proofOf(root) }));
      }
      const elsewhere = await each(some, (client) => {
        const argv = handoffOf(root, client.language).prove.map((word) =>
          word.includes("/") ? path.join(root, word) : word,
        );
        return runHandoff(client, { root: folder, argv });
      });
      expect(elsewhere).toEqual(all(some, { code: 0, stdout: proofOf(root), ...NOTHING_ELSE }));
    });
  });
});

describe("PowerShell's handoff, whether or not PowerShell is here", () => {
  const PARSER = ["tree-sitter-powershell@0.26.4", "web-tree-sitter@0.27.1"];

  interface Tree {
    readonly rootNode: { readonly hasError: boolean; toString(): string };
  }
  interface TreeSitter {
    readonly Parser: {
      init(): Promise<void>;
      new (): { setLanguage(language: unknown): void; parse(text: string): Tree };
    };
    readonly Language: { load(file: string): Promise<unknown> };
  }

  it("F29: is PowerShell by its grammar, and a version with a brace less is not", async ({ skip }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "grammar-"));
    try {
      const args = ["install", "--ignore-scripts", "--no-save", "--prefix", folder, ...PARSER];
      const { code, stderr } = await execute("npm", args, { cwd: folder, timeout: 600_000 });
      if (code !== 0) {
        console.warn(`Skipped, npm cannot install ${PARSER.join(" and ")}: ${stderr.split("\n")[0]}`);
        return skip();
      }
      const modules = path.join(folder, "node_modules");
      const main = pathToFileURL(path.join(modules, "web-tree-sitter/web-tree-sitter.js")).href;
      const { Parser, Language } = (await import(main)) as TreeSitter;
      await Parser.init();
      const parser = new Parser();
      parser.setLanguage(await Language.load(path.join(modules, "tree-sitter-powershell/tree-sitter-powershell.wasm")));
      const script = readFileSync(path.join(made.kit.root, "powershell/handoff.ps1"), "utf8");
      expect(parser.parse(script).rootNode.hasError).toBe(false);
      const last = script.lastIndexOf("\n}\n");
      expect(last).toBeGreaterThan(0);
      expect(parser.parse(script.slice(0, last) + script.slice(last + 2)).rootNode.hasError).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Of each language that nothing here runs, a warning has been given; Node runs everywhere. */
describe("the languages", () => {
  it("F29: that are run here are those of the kit's folders", () => {
    const folders: readonly HandoffLanguage[] = ["python", "node", "powershell", "curl"];
    expect(folders.filter((language) => !existsSync(path.join(made.kit.root, language)))).toEqual([]);
    expect(clients.all.map(({ language }) => language)).toContain("node");
  });
});
