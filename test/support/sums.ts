/** What an auditor finds by a folder's SHA256SUMS. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "./sha256.ts";

/** Asks coreutils; where they are not, such as on macOS, it compares by itself. */
export function areSumsRight(folder: string): boolean {
  const { error, status } = spawnSync("sha256sum", ["--quiet", "-c", "SHA256SUMS"], { cwd: folder });
  if (error === undefined) return status === 0;
  const lines = readFileSync(path.join(folder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  return lines.every((line) => {
    const [digest = "", name = ""] = line.split("  ");
    return existsSync(path.join(folder, name)) && sha256(readFileSync(path.join(folder, name))) === digest;
  });
}
