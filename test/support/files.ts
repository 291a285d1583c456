/** Folders as values: the regular files below one, by their names there, in order. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "./sha256.ts";

export function namesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

export function filesIn(directory: string): Record<string, Buffer> {
  return Object.fromEntries(namesIn(directory).map((name) => [name, readFileSync(path.join(directory, name))]));
}

/** The files as text; Latin-1 keeps every byte. */
export function textsIn(directory: string, encoding: "utf8" | "latin1" = "latin1"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesIn(directory)).map(([name, bytes]) => [name, bytes.toString(encoding)]),
  );
}

/** The SHA-256 of each file. */
export function digestsIn(directory: string): Record<string, string> {
  return Object.fromEntries(Object.entries(filesIn(directory)).map(([name, bytes]) => [name, sha256(bytes)]));
}
