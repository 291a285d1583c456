/** `mint`: codes for concepts that are written by hand. */
import { describe, expect, it } from "vitest";
import { isConceptCode } from "../../../../../runtime/contract/code.ts";
import { fileSystem } from "../../../../../generator/effects/file-system.ts";
import { mintForNames, mintUnnamed } from "../../../../../generator/tools/vocabulary/import/mint.ts";
import { concept, expression, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";

const registry = (...codes: string[]) =>
  renamable(registryFiles({ concepts: codes.map((code) => concept(code, [expression("en", `word of ${code}`)])) }));

describe("mint", () => {
  it("gives the same code to the same name, in the form of the registry's codes, and writes nothing", async () => {
    const effects = registry("C-DFM7YZ", "C-743XWT");
    const before = textsOf(effects);
    const { code, stdout } = await said(effects, ["mint", "--name", "Refund request", "--name", "Invoice"]);
    expect(code).toBe(0);
    const [one = "", other = ""] = stdout.split("\n");
    expect([one, other].map((minted) => /^C-[2-9BCDFGHJKMNPQRSTVWXYZ]{6}$/.test(minted))).toEqual([true, true]);
    expect(one).not.toBe(other);
    expect((await said(effects, ["mint", "--name", "Invoice"])).stdout).toBe(other);
    expect(textsOf(effects)).toEqual(before);
  });

  it("gives it however the name is composed or spaced, and none to a name of spaces", async () => {
    const effects = registry("C-DFM7YZ");
    const minted = async (name: string) => (await said(effects, ["mint", "--name", name])).stdout;
    expect(await minted(" Cafe\u0301\tbar")).toBe(await minted("Caf\u00E9 bar"));
    await expect(minted(" ")).rejects.toThrow("A name must not be empty");
  });

  it("passes by a code that is active, retired, mapped or was released", async () => {
    const [first = ""] = mintForNames(new Set(["C-DFM7YZ"]), ["Invoice"]);
    const [second = ""] = mintForNames(new Set(["C-DFM7YZ", first]), ["Invoice"]);
    expect(second).not.toBe(first);
    const minted = async (effects: ReturnType<typeof registry>) =>
      (await said(effects, ["mint", "--name", "Invoice"])).stdout;
    expect(await minted(registry("C-DFM7YZ"))).toBe(first);
    expect(await minted(registry("C-DFM7YZ", first))).toBe(second);
    const retired = registry("C-DFM7YZ");
    retired.files.set(
      "registry/retired.yaml",
      Buffer.from(JSON.stringify([{ code: first, retiredIn: "2026.11.1", replacedBy: null }])),
    );
    expect(await minted(retired)).toBe(second);
    const released = registry("C-DFM7YZ", first);
    await said(released, ["release-registry", "--version", "2026.11.1"]);
    released.files.delete(`registry/concepts/test/${first}.yaml`);
    expect(await minted(released)).toBe(second);
    expect(mintForNames(new Set(["C-DFM7YZ", first.toLowerCase()]), ["Invoice"])).toEqual([second]);
  });

  it("gives none while a file of the registry cannot be read, as in a merge: it may hold the code", async () => {
    // Without the refusal it printed the code of the entry, which is retired.
    const effects = registry("C-DFM7YZ");
    const { stdout: first } = await said(effects, ["mint", "--name", "Invoice"]);
    const entry = JSON.stringify({ code: first, retiredIn: "2026.11.1", replacedBy: null });
    effects.files.set("registry/retired.yaml", Buffer.from(`- ${entry}\n<<<<<<< HEAD\n`));
    const { code, stdout, stderr } = await said(effects, ["mint", "--name", "Invoice"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^registry\/retired\.yaml: error yaml-syntax\n/);
  });

  it("takes a form from the codes of the registry, and the usual one where they have none", () => {
    const form = (...codes: string[]) => mintForNames(new Set(codes), ["a"])[0]?.replaceAll(/[^-]/g, "x");
    expect(form("TERM-23456789B", "TERM-CDFGHJKMN", "C-234567")).toBe("xxxx-xxxxxxxxx");
    expect(form("G-1", "G-2")).toBe("x-xxxxxxxx");
    expect(form()).toBe("x-xxxxxxxx");
  });

  it("gives as many as are asked for, all of them codes, and others once they are used", async () => {
    const { stdout } = await said(fileSystem, ["mint", "--count", "1000"]);
    const codes = stdout.split("\n");
    expect([new Set(codes).size, codes.every((code) => isConceptCode(code))]).toEqual([1000, true]);
    const [used = ""] = mintUnnamed(new Set(["C-234567"]), 1);
    expect(mintUnnamed(new Set(["C-234567", used]), 3)).not.toContain(used);
  });

  it.each([
    [["--count", "0"], '--count "0" is not a whole number from 1 to 10000'],
    [["--count", "ten"], '--count "ten" is not a whole number'],
    [["--count", "2", "--name", "a"], "--count cannot be used with names"],
    [["--registry", "nowhere"], "--registry nowhere is not a directory"],
  ])("refuses %j", async (args, message) => {
    await expect(said(registry("C-1"), ["mint", ...args])).rejects.toThrow(message);
  });
});
