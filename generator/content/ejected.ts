/**
 * `ejected.yaml` lists which of an owner's files were copied from the package, and the digest of
 * each original. It has one line for each file, in order, so that it merges well. After an upgrade,
 * it shows which files should be reviewed.
 */
import path from "node:path";
import { Sha256 } from "../../runtime/contract/document.ts";
import * as Type from "../../runtime/contract/type.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { BASE_CONTENT, documentPath } from "../effects/closure.ts";
import { digestIfFile, type Effects } from "../effects/effects.ts";
import { type Folder, readRecord } from "../registry/record-file.ts";
import { compareCodePoints } from "../text/order.ts";
import { UsageError } from "../text/usage-error.ts";

export const EJECTED_FILE = "ejected.yaml";

const parse = compileSchema(Type.Record(Type.String(), Sha256));

/**
 * Digests by file name, for files that still exist. Throws UsageError if the list cannot be read.
 */
export function readEjected(effects: Effects, content: string): ReadonlyMap<string, string> {
  if (effects.kind(path.join(content, EJECTED_FILE)) === "none") return new Map();
  const folder: Folder = {
    effects,
    directory: content,
    guide: documentPath("content/README.md"),
    findings: [],
    lost: [],
  };
  const record = readRecord(folder, EJECTED_FILE, parse);
  if (record === undefined)
    throw new UsageError(`${path.join(content, EJECTED_FILE)}: ${folder.findings.map(({ text }) => text).join(". ")}`);
  return new Map(Object.entries(record).filter(([file]) => effects.kind(path.join(content, file)) === "file"));
}

/**
 * Lowercase hex SHA-256 of a file of the package's content; undefined if the package has no such
 * file.
 */
export function baseDigest(effects: Effects, file: string): string | undefined {
  return digestIfFile(effects, path.join(BASE_CONTENT, file));
}

/** Files whose original is different in this package, and those whose original is gone. */
export interface OutdatedCopies {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

export function outdatedCopies(effects: Effects, content: string): OutdatedCopies {
  const [changed, gone]: [string[], string[]] = [[], []];
  for (const [file, sha256] of readEjected(effects, content)) {
    const base = baseDigest(effects, file);
    if (base === undefined) gone.push(file);
    else if (base !== sha256) changed.push(file);
  }
  return { changed, gone };
}

export function formatEjected(digests: ReadonlyMap<string, string>): string {
  const lines = [...digests]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([file, sha256]) => `${file}: "${sha256}"\n`);
  return `# Files copied from the package, with the SHA-256 of each original. "srs eject" writes this list.\n${lines.join("")}`;
}
