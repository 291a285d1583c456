/**
 * The temporary folder of a run, and in it that of the releases that its tests share (release.ts):
 * made before the first test, removed after the last, with whatever tests leave. A release that a
 * test has changed fails the run, also where the user may write what is read-only.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeShared, SHARED_RELEASES } from "./release.ts";
import { sha256 } from "./sha256.ts";

export default function setup(): () => void {
  const temporary = mkdtempSync(path.join(tmpdir(), "service-tests-"));
  process.env["TMPDIR"] = temporary;
  const folder = mkdtempSync(path.join(temporary, "releases-"));
  process.env[SHARED_RELEASES] = folder;
  return () => {
    const changed = readdirSync(folder).flatMap((name) => changesOf(path.join(folder, name, "dist")));
    removeShared(folder);
    // A browser that is ending may still write there.
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    if (changed.length === 0) return;
    // The error alone would be printed, and the run would pass.
    process.exitCode = 1;
    throw new Error(`Tests have changed shared releases: ${changed.join(", ")}`);
  };
}

/** Files that are not as SHA256SUMS says, or that it does not list. */
function changesOf(dist: string): string[] {
  const sums = readFileSync(path.join(dist, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  const listed = new Map(sums.map((line) => [line.slice(66), line.slice(0, 64)]));
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== "SHA256SUMS" && statSync(path.join(dist, name)).isFile())
    .filter((name) => listed.get(name) !== sha256(readFileSync(path.join(dist, name))));
  const missing = [...listed.keys()].filter((name) => statSync(path.join(dist, name), { throwIfNoEntry: false }) === undefined); // prettier-ignore
  return [...files, ...missing].map((name) => path.join(dist, name));
}
