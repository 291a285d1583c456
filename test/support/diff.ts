/** For the tests of diff: the starter registry with a scripted edit, built, and the command over two releases. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import type { Comparison } from "../../generator/diff/comparison.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { readContent } from "../../generator/content/read.ts";
import { checkRegistry } from "../../generator/registry/check.ts";
import { readRegistry } from "../../generator/registry/read.ts";
import { formatSums } from "../../runtime/release/sums.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { type Outcome, run, type RunOptions } from "./command.ts";
import { buildInto } from "./build.ts";
import { ORIGIN } from "./release.ts";

const project = path.resolve(import.meta.dirname, "../..");

/** A folder of the test's own that is removed with `removeScratch`. */
const scratch = mkdtempSync(path.join(tmpdir(), "test-diff-"));
let made = 0;

export function newFolder(): string {
  return mkdtempSync(path.join(scratch, `${made++}-`));
}

export function removeScratch(): void {
  rmSync(scratch, { recursive: true, force: true });
}

/** What edits a copy of the starter registry and content. */
export interface Workplace {
  /** The file of a concept, which is read, changed and written. */
  readonly concept: (code: string, change: (yaml: string) => string) => void;
  readonly file: (name: string, change: (text: string) => string) => void;
  readonly add: (name: string, text: string) => void;
  readonly remove: (code: string) => void;
}

/** As it was when the test began: a build later must not find another one. */
const starter = newFolder();
for (const name of ["registry", "content"])
  cpSync(path.join(project, name), path.join(starter, name), { recursive: true });

/** Builds the starter with an edit; the history is left out, so that a version may have any content. */
export async function buildStarter(
  edit: (place: Workplace) => void = () => undefined,
  origin = ORIGIN,
): Promise<string> {
  const folder = newFolder();
  cpSync(starter, folder, { recursive: true });
  writeFileSync(path.join(folder, "registry/history.yaml"), "[]\n");
  edit(workplace(folder));
  const { registry, findings } = checkRegistry(
    readRegistry(fileSystem, path.join(folder, "registry"), () => undefined),
  );
  const { content } = readContent(fileSystem, path.join(folder, "content"));
  if (registry === undefined || content === undefined) throw new Error(JSON.stringify(findings));
  await buildInto(path.join(folder, "dist"), registry, { origin, content });
  return path.join(folder, "dist");
}

function workplace(folder: string): Workplace {
  const change = (file: string, edit: (text: string) => string): void => {
    const before = readFileSync(file, "utf8");
    const after = edit(before);
    expect(after, `the edit of ${file} changes it`).not.toBe(before);
    writeFileSync(file, after);
  };
  const conceptFile = (code: string): string => {
    const concepts = path.join(folder, "registry/concepts");
    const found = readdirSync(concepts, { recursive: true, encoding: "utf8" }).find(
      (name) => path.basename(name) === `${code}.yaml`,
    );
    if (found === undefined) throw new Error(`No concept ${code}`);
    return path.join(concepts, found);
  };
  return {
    concept: (code, edit) => change(conceptFile(code), edit),
    file: (name, edit) => change(path.join(folder, name), edit),
    add: (name, text) => writeFileSync(path.join(folder, name), text),
    remove: (code) => rmSync(conceptFile(code)),
  };
}

export const diff = (args: readonly string[], options?: RunOptions): Promise<Outcome> =>
  run("lib/generator/main.js", ["diff", ...args], options);

/** The comparison as JSON, and the exit code that goes with it. */
export async function compared(a: string, b: string): Promise<Comparison & { readonly code: number }> {
  const { code, stdout, stderr } = await diff([a, b, "--json"]);
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Comparison), code };
}

/** A copy of a release in which a file is another one; `sums` says whether SHA256SUMS is made anew. */
export function tampered(
  dist: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  sums = false,
): string {
  const copy = path.join(newFolder(), "dist");
  cpSync(dist, copy, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(path.join(copy, name));
    else writeFileSync(path.join(copy, name), content);
  }
  if (!sums) return copy;
  const names = fileSystem.list(copy).filter((name) => name !== "SHA256SUMS");
  const digests = names.map((name) => ({ path: name, sha256: sha256(readFileSync(path.join(copy, name))) }));
  writeFileSync(path.join(copy, "SHA256SUMS"), formatSums(digests));
  return copy;
}

/** What a run of the command has left in the place for temporary folders. */
export function leftovers(place: string): string[] {
  return existsSync(place) ? readdirSync(place) : [];
}
