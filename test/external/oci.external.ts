/**
 * The data as an OCI image, read and copied by skopeo, which checks every digest on its way, to a
 * folder and to another layout, and unpacked by GNU tar as a runtime would mount it. Skipped aloud
 * where skopeo is not here.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { replaceDirectory } from "../../generator/effects/output.ts";
import { writeImage } from "../../generator/tools/publish/oci.ts";
import { digestsIn } from "../support/files.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";

const here = spawnSync("skopeo", ["--version"]).status === 0;
if (!here) console.warn("Skipped, skopeo is not here: apt-get install skopeo");

describe.skipIf(!here)("skopeo", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "oci-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const dist = await buildRelease(checkedRegistry(nasty));
  const layout = path.join(folder, "words-2026.11.1.oci");
  const time = { seconds: 1_788_350_400, text: "2026-09-02T12:00:00Z" };
  const { digest } = await replaceDirectory(fileSystem, layout, (output) =>
    writeImage(
      fileSystem,
      { dist, title: "Words \u{65e5}\u{672c}", version: "2026.11.1", time, mtime: time.seconds },
      output,
    ),
  );
  const skopeo = (...args: string[]): string =>
    execFileSync("skopeo", ["--tmpdir", folder, "--insecure-policy", ...args], { encoding: "utf8" });
  const inspect = (place: string): Record<string, unknown> =>
    JSON.parse(skopeo("inspect", place)) as Record<string, unknown>;
  const source = `oci:${layout}:2026.11.1`;

  it("reads name, time, platform and the one layer, and gives the digest that release printed", () => {
    expect(inspect(source)).toMatchObject({
      Digest: digest,
      Created: time.text,
      Architecture: "amd64",
      Os: "linux",
      Layers: [expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
    });
  });

  it("copies it to another layout with every blob as it was", () => {
    const copy = path.join(folder, "copy");
    skopeo("copy", "--preserve-digests", source, `oci:${copy}:2026.11.1`);
    expect(inspect(`oci:${copy}:2026.11.1`)["Digest"]).toBe(digest);
    const blobs = (root: string): string[] => Object.keys(digestsIn(path.join(root, "blobs")));
    expect(blobs(copy)).toEqual(blobs(layout));
  });

  it("copies it to a plain folder, whose layer unpacks to the dist", () => {
    const copy = path.join(folder, "plain");
    skopeo("copy", "--preserve-digests", source, `dir:${copy}`);
    const manifest = readFileSync(path.join(copy, "manifest.json"));
    expect(`sha256:${createHash("sha256").update(manifest).digest("hex")}`).toBe(digest);
    const { layers } = JSON.parse(manifest.toString()) as { layers: [{ digest: string }] };
    const mounted = path.join(folder, "mounted");
    mkdirSync(mounted);
    execFileSync("tar", ["-xf", path.join(copy, layers[0].digest.slice("sha256:".length)), "-C", mounted]);
    expect(digestsIn(mounted)).toEqual(digestsIn(dist));
  });
});
