/** The same release by other versions of Node, each from the package that pins ours: one digest. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { npx, reasonToSkip } from "../support/npx.ts";
import { copyProject } from "../support/project.ts";

const VERSIONS = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"] as const;
const pack = (version: string): string => `node-${process.platform}-${process.arch}@${version}`;

const home = mkdtempSync(path.join(tmpdir(), "node-versions-"));
const skipped: string[] = [];
for (const version of VERSIONS) {
  const probe = await npx(pack(version), ["node", "--version"], { cwd: home });
  const reason = reasonToSkip(pack(version), probe, "once, for about 60 MB");
  if (reason !== undefined) skipped.push(version);
  else if (probe.stdout.trim() !== `v${version}`) throw new Error(`${version} is ${probe.stdout}`);
}

describe("a build", () => {
  it.skipIf(skipped.length > 0)("A18: gives the same bytes by Node 20, 22, 24 and 26", async () => {
    const digests: [string, string][] = [];
    for (const version of VERSIONS) {
      const project = path.join(home, version);
      copyProject(project);
      const line = ["node", "lib/generator/main.js", "build", "--origin", "https://registry.example"];
      const { code, stderr } = await npx(pack(version), line, { cwd: project, env: { SERVICE_ORIGIN: "" } });
      expect([version, code, stderr]).toEqual([version, 0, ""]);
      const sums = readFileSync(path.join(project, "dist/SHA256SUMS"));
      digests.push([version, createHash("sha256").update(sums).digest("hex")]);
    }
    expect(digests).toEqual(VERSIONS.map((version) => [version, digests[0]?.[1]]));
    rmSync(home, { recursive: true });
  });
});
