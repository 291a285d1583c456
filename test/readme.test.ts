/** README shows a request and its real answer, and names commands that exist. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileSystem } from "../generator/effects.ts";
import { checkRegistry } from "../generator/registry/check.ts";
import { readRegistry } from "../generator/registry/read.ts";
import { startService } from "./support/service.ts";

const readme = readFileSync("README.md", "utf8");

it("README's curl gives the answer that README shows", async () => {
  const { registry } = checkRegistry(readRegistry(fileSystem, "registry", () => undefined));
  if (registry === undefined) throw new Error("The starter registry has errors");
  const service = await startService(registry);
  const body = /api\/v1\/resolve .* -d '([^']+)'/.exec(readme)?.[1] ?? "";
  const shown = /<!-- answer -->\n```json\n(.*)\n```/.exec(readme)?.[1];
  expect((await service.resolve(body)).body.toString()).toBe(`${shown}\n`);
  await service.close();
});

it("README's npm commands exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name);
  const others = ["ci", "run", "and", "install"];
  expect(named.filter((name) => !others.includes(name) && !(name in scripts))).toEqual([]);
});
