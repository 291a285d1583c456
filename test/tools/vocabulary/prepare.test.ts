/** generator/compile.js, with a compiler that fails at once. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { folder, run } from "../../support/command.ts";

it("removes what killed runs left, nothing of a running one, and its own folder", async () => {
  const left = (process: number): string => `lib.making-${process}-Ab3dEf`;
  const clone = folder({
    "generator/compile.js": readFileSync("generator/compile.js"),
    "node_modules/typescript/bin/tsc": "process.exit(1);",
    "package.json": '{ "type": "module" }',
    "package-lock.json": "",
    "tsconfig.json": "",
    "runtime/package.json": "",
    [`${left(process.ppid)}/file`]: "",
    [`${left(999_999_999)}/below/file`]: "",
    "lib.making-notes/file": "",
  });
  expect(await run(path.join(clone, "generator/compile.js"), [])).toEqual({ code: 1, stdout: "", stderr: "" });
  const kept = readdirSync(clone).filter((name) => name.startsWith("lib"));
  expect(kept.sort()).toEqual([left(process.ppid), "lib.making-notes"].sort());
});
