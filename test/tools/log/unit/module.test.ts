/** The module that other programs import: what it needs, and that it verifies. */
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { verifyProof } from "../../../../generator/tools/log/module.ts";

const SOURCES = ["module.ts", "verifier.ts", "policy.ts", "c2sp.ts"];
const textOf = (name: string): string => readFileSync(`generator/tools/log/${name}`, "utf8");

it("imports its own files alone, and no Node API", () => {
  const imports = SOURCES.flatMap((name) => [...textOf(name).matchAll(/from "([^"]+)"/g)].map(([, from]) => from));
  expect(imports.filter((from) => !SOURCES.some((name) => from === `./${name}`))).toEqual([]);
  for (const name of SOURCES) expect(textOf(name), name).not.toMatch(/\b(?:Buffer|process|require)\b/);
});

it("is one file that imports nothing, which a program can copy", async () => {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), "verifier-")), "verifier.mjs");
  copyFileSync("lib/generator/tools/log/module.js", copy);
  expect(readFileSync(copy, "utf8")).not.toMatch(/^import |import\(/m);
  const { verifyProof: verify } = (await import(copy)) as { verifyProof: typeof verifyProof };
  await expect(verify("", "quorum none\n")).rejects.toThrow("names no log");
});

it("refuses a policy without a log", async () => {
  await expect(verifyProof("", "quorum none\n")).rejects.toThrow("names no log");
});
