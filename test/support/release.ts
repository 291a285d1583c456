/**
 * The releases of a run. Each is built once, by whoever asks for it first, and is read-only: every
 * file of tests that asks for the same registry and origin gets the same folder. shared-releases.ts
 * makes and removes the folder that holds them.
 */
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { FileDigest } from "../../runtime/contract/document.ts";

export const ORIGIN = "https://registry.example";

/** Names the folder of the shared releases to the processes of a run. */
export const SHARED_RELEASES = "SHARED_RELEASES";

/**
 * A release of `registry` for `origin`, read-only: a test that changes one takes ownRelease. It is
 * to run from this project, if not from `sources`.
 */
export async function buildRelease(
  registry: CheckedRegistry,
  origin = ORIGIN,
  sources?: readonly FileDigest[],
): Promise<string> {
  const shared = process.env[SHARED_RELEASES];
  if (shared === undefined) throw new Error("No folder for releases: the run has no shared-releases.ts");
  const key = createHash("sha256")
    .update(JSON.stringify([registry, Array.from(registry.concepts.withSaid(), ([, said]) => said), origin, sources]))
    .digest("hex");
  const folder = path.join(shared, key);
  const dist = path.join(folder, "dist");
  if (existsSync(folder)) return dist;
  const making = mkdtempSync(path.join(shared, "making-"));
  // Loaded here, because most files of tests find what they ask for.
  const { buildInto } = await import("./build.ts");
  await buildInto(path.join(making, "dist"), registry, { origin, ...(sources !== undefined && { sources }) });
  makeWritable(making, false);
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    removeShared(making);
  }
  return dist;
}

/** A copy that may be changed, in a folder of its own, which the test removes. */
export async function ownRelease(registry: CheckedRegistry): Promise<string> {
  const own = path.join(mkdtempSync(path.join(tmpdir(), "release-")), "dist");
  copyRelease(await buildRelease(registry), own);
  return own;
}

/** Copies a release, so that the copy may be changed. */
export function copyRelease(dist: string, target: string): void {
  cpSync(dist, target, { recursive: true });
  makeWritable(target, true);
}

export function removeShared(folder: string): void {
  makeWritable(folder, true);
  rmSync(folder, { recursive: true });
}

/** Makes a folder's contents writable or read-only; the folder can still be renamed and removed. */
function makeWritable(folder: string, isWritable: boolean): void {
  if (isWritable) chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) makeWritable(place, isWritable);
    else if (entry.isFile()) chmodSync(place, isWritable ? 0o644 : 0o444);
    if (entry.isDirectory() && !isWritable) chmodSync(place, 0o555);
  }
}
