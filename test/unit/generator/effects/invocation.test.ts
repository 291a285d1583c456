/** How a hint names a command where npx fetched the package; the module is copied there. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Invocation from "../../../../generator/effects/invocation.ts";
import { project } from "../../../support/project.ts";

it("runs a command by the package's own name if npx fetched it, because srs is another package", async () => {
  const home = mkdtempSync(path.join(tmpdir(), "invocation-"));
  const lib = path.join(home, "_npx/0/node_modules/p/lib");
  for (const name of ["package.json", "generator/text", "generator/effects", "runtime"])
    cpSync(path.join(project, "lib", name), path.join(lib, name), { recursive: true });
  const file = pathToFileURL(path.join(lib, "generator/effects/invocation.js"));
  const { invocation } = (await import(file.href)) as typeof Invocation;
  rmSync(home, { recursive: true });
  expect(invocation("lint", "--registry words")).toBe("npx semantic-resolution-service lint --registry words");
});
