/** README shows a request and its real answer, a proof and what it prints, and names commands that exist. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { starterRegistry } from "../support/documents.ts";
import { unpackKits } from "../support/kits.ts";
import { startService } from "../support/service.ts";

const readme = readFileSync("README.md", "utf8");

it("README's curl gives the answer that README shows", async () => {
  const service = await startService(starterRegistry());
  const body = /api\/v1\/resolve .* -d '([^']+)'/.exec(readme)?.[1] ?? "";
  const shown = /<!-- answer -->\n```json\n(.*)\n```/.exec(readme)?.[1];
  expect((await service.resolve(body)).body.toString()).toBe(`${shown}\n`);
  await service.close();
});

it("README's proof is what the kit prints", async () => {
  const unpacked = await unpackKits(starterRegistry(), "http://127.0.0.1:8080");
  const root = unpacked.kits.find(({ recipeId }) => recipeId === "workflow-routing")?.root ?? "";
  const shown = /<!-- proof -->\n```\n([^`]*)```/.exec(readme)?.[1];
  expect(execFileSync(process.execPath, ["node/handoff.mjs", "prove"], { cwd: root, encoding: "utf8" })).toBe(shown);
  unpacked.remove();
});

it("README's npm commands exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name);
  const others = ["ci", "run", "and", "install"];
  expect(named.filter((name) => !others.includes(name) && !(name in scripts))).toEqual([]);
});
