/** The diff command: its exit codes and its one line. */
import { mkdtempSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { type Outcome, runHere } from "../../support/command.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { newFolder, tampered } from "../../support/diff.ts";

const registry = (code: string): ReturnType<typeof checkedRegistry> =>
  checkedRegistry({ concepts: [concept(code, [expression("en", "a")]), concept("B", [expression("de", "zwei")])] });

let one: string;
let two: string;
let less: string;
beforeAll(async () => {
  one = await buildRelease(registry("A"));
  two = await buildRelease(registry("C"));
  less = await buildRelease(checkedRegistry({ concepts: [concept("B", [expression("de", "zwei")])] }));
});

/** The command with a folder for temporary things of its own, which must be empty in the end. */
async function diff(args: readonly string[]): Promise<Outcome> {
  const place = newFolder();
  const effects: Effects = { ...fileSystem, makeTemporary: (name) => mkdtempSync(path.join(place, name)) };
  const outcome = await runHere(["diff", ...args], { effects });
  expect(readdirSync(place)).toEqual([]);
  return outcome;
}

describe("the diff command", () => {
  it.each<[string, () => readonly string[], Partial<Record<keyof Outcome, unknown>>]>([
    ["0 where every byte is the same", () => [one, path.dirname(one)], { code: 0, stdout: expect.stringMatching(/The same: every file, byte for byte\.\n$/) }],
    ["1 where something differs", () => [one, tampered(one, { extra: "x" }), "--json"], { code: 1, stdout: expect.stringContaining('"verdict": "different"') }],
    ["1 where a manifest is not JSON", () => [one, tampered(one, { "manifest.json": "x" })], { code: 1, stderr: "", stdout: expect.stringMatching(/manifest\.json changed the whole: \{.*… → null\n/) }],
    ["0 with --fail-on where the update is not so bad", () => [one, tampered(one, { extra: "x" }), "--fail-on", "editorial"], { code: 0, stdout: expect.stringContaining("Compatibility: none, ") }],
    ["1 with --fail-on where the update is as bad", () => [one, less, "--fail-on", "breaking"], { code: 1, stdout: expect.stringContaining("Compatibility: breaking, ") }],
    ["3 with --fail-on where an expression was reassigned", () => [one, two, "--fail-on", "breaking"], { code: 3, stdout: expect.stringContaining("Compatibility: breaking, ") }],
    ["2 for a level that there is not", () => [one, two, "--fail-on", "bad"], { code: 2, stderr: expect.stringContaining("none of breaking, additive, editorial") }],
    ["3 where an expression was reassigned", () => [one, two, "--json"], { code: 3, stdout: expect.stringContaining('"verdict": "reassigned"') }],
    ["2 where there is nothing to compare", () => ["/nonexistent", one], { code: 2, stdout: "", stderr: expect.stringMatching(/^"\/nonexistent" is not a folder[^\n]*\n$/) }],
    ["2 for an option that it does not have", () => ["--output=x", one], { code: 2, stdout: "", stderr: expect.stringMatching(/^Unknown option[^\n]*\n$/i) }],
    ["2 for no releases", () => [], { code: 2, stdout: "", stderr: "Name two releases: npm run diff -- A B\n" }],
    ["2 for one release", () => [one], { code: 2, stdout: "", stderr: "Name two releases: npm run diff -- A B\n" }],
    ["0 for --help, which lists them", () => ["--help"], { code: 0, stdout: expect.stringMatching(/Exit codes: 0 .* 1 .* 2 .* 3 /) }],
  ])("ends with exit code %s", async (_what, args, outcome) => {
    expect(await diff(args())).toMatchObject(outcome);
  }); // prettier-ignore

  it("ends with exit code 2 where the operating system refuses to read", async () => {
    const refuse = (): never => {
      throw Object.assign(new Error("EIO: i/o error, read"), { syscall: "read" });
    };
    const outcome = await runHere(["diff", one, two], { effects: { ...fileSystem, digest: refuse } });
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: "EIO: i/o error, read\n" });
  });
});
