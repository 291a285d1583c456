/**
 * The golden tree: a small registry and the dist it must give, byte for byte. A missing and an
 * unexpected file both fail. `UPDATE_GOLDEN=1` rewrites it, never in CI.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { buildInto } from "../support/build.ts";
import { textsIn } from "../support/files.ts";
import { registryIn } from "../support/registry.ts";

const golden = path.resolve(import.meta.dirname, "../golden");

function buildGolden(out: string): Promise<void> {
  // The sources change with every commit; what is golden is the form.
  const sources = [{ path: "runtime/main.js", bytes: 0, sha256: "0".repeat(64) }];
  return buildInto(out, registryIn(path.join(golden, "registry")), { sources });
}

describe("the golden tree", () => {
  it("is what the build gives, byte for byte, no file more or less", async () => {
    if (process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined) {
      await buildGolden(path.join(golden, "dist"));
    }
    const out = path.join(mkdtempSync(path.join(tmpdir(), "golden-")), "dist");
    await buildGolden(out);
    expect(textsIn(out)).toEqual(textsIn(path.join(golden, "dist")));
    rmSync(path.dirname(out), { recursive: true });
  });
});
