/** The module that other programs import: what it needs, and that it verifies. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verifyProof } from "../../../../generator/tools/log/module.ts";

const SOURCES = ["module.ts", "verifier.ts", "policy.ts", "c2sp.ts"];
const textOf = (name: string): string => readFileSync(`generator/tools/log/${name}`, "utf8");

it("imports its own files alone, and no Node API", () => {
  const imports = SOURCES.flatMap((name) => [...textOf(name).matchAll(/from "([^"]+)"/g)].map(([, from]) => from));
  expect(imports.filter((from) => !SOURCES.some((name) => from === `./${name}`))).toEqual([]);
  for (const name of SOURCES) expect(textOf(name), name).not.toMatch(/\b(?:Buffer|process|require)\b/);
});

it("refuses a policy without a log", async () => {
  await expect(verifyProof("", "quorum none\n")).rejects.toThrow("names no log");
});
