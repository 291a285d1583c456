/** content/README.md names every rule of content, and every value that templates may print. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const readme = readFileSync("content/README.md", "utf8");

it("content/README.md names every rule", () => {
  const code = ["generator/content/read.ts", "generator/registry/record-file.ts"].map((file) =>
    readFileSync(file, "utf8"),
  );
  const rules = [...code.join("\n").matchAll(/rule: "([a-z-]+)"/g)].map(([, rule = ""]) => rule);
  expect(new Set(rules).size).toBeGreaterThan(5);
  // No record of content is a line of a file, or JSON.
  expect(rules.filter((rule) => !/^(?:line|json)-syntax$/.test(rule) && !readme.includes(`\`${rule}\``))).toEqual([]);
});

it("content/README.md names every value that templates may print", () => {
  const code = readFileSync("generator/documents/page-globals.ts", "utf8");
  const globals = /function pageGlobals[\s\S]*?return \{\n([\s\S]*?)\n {2}\};/.exec(code)?.[1] ?? "";
  const names = [...globals.matchAll(/^ {4}(\w+)/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
