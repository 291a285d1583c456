/** How a hint names a command, by the place of the package: the module is copied there. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import type * as Invocation from "../../../../generator/text/invocation.ts";
import { project } from "../../../support/project.ts";

const home = mkdtempSync(path.join(tmpdir(), "invocation-"));
afterAll(() => rmSync(home, { recursive: true }));

it.each([
  ["npm in a clone", "clone", "npm run lint:registry -- --registry words"],
  ["npx, because no shell finds srs", "node_modules/p", "npx srs lint --registry words"],
  [
    "the package's own name if npx fetched it, because srs is another package",
    "_npx/0/node_modules/p",
    "npx semantic-resolution-service lint --registry words",
  ],
])("runs a command with %s", async (_, place, line) => {
  const file = path.join(home, place, "invocation.mjs");
  mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(path.join(project, "lib/generator/text/invocation.js"), file);
  const { invocation } = (await import(pathToFileURL(file).href)) as typeof Invocation;
  expect(invocation("lint", "--registry words")).toBe(line);
});
