/**
 * For the tests of diff: builds part of the starter registry with an edit, and compares releases.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { comparePair } from "../../generator/tools/compare/compare.ts";
import type { Comparison, ConceptChange } from "../../generator/tools/compare/comparison.ts";
import type { ResolutionChange } from "../../generator/contract/changes.ts";
import { formatJson } from "../../generator/tools/compare/json-report.ts";
import { formatText } from "../../generator/tools/compare/report.ts";
import { type Effects } from "../../generator/effects/effects.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { readContent } from "../../generator/content/read.ts";
import { buildInto } from "./build.ts";
import { copyStarter, project } from "./project.ts";
import { registryIn } from "./registry.ts";
import { ORIGIN } from "./release.ts";
import { Copy } from "./tamper.ts";

/** Removed when the process of the tests ends. */
const scratch = mkdtempSync(path.join(tmpdir(), "test-diff-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export function newFolder(): string {
  return mkdtempSync(path.join(scratch, "x"));
}

/** What edits a copy of the registry and content. */
export interface Workplace {
  /** The file of a concept, which is read, changed and written. */
  readonly concept: (code: string, change: (yaml: string) => string) => void;
  readonly file: (name: string, change: (text: string) => string) => void;
  readonly add: (name: string, text: string) => void;
  readonly remove: (code: string) => void;
}

/** A few concepts of the starter, without its history, so that a version may have any content. */
const starter = newFolder();
const CONCEPTS = ["C-2R799X", "C-3NXVYZ", "C-4D62GS", "C-DFM7YZ"].map((code) => `support/${code}`);
copyStarter(path.join(starter, "registry"), CONCEPTS);
cpSync(path.join(project, "content"), path.join(starter, "content"), { recursive: true });

export async function buildStarter(
  edit: (place: Workplace) => void = () => undefined,
  origin = ORIGIN,
): Promise<string> {
  const folder = newFolder();
  cpSync(starter, folder, { recursive: true });
  edit(workplace(folder));
  const { content } = readContent(fileSystem, path.join(folder, "content"));
  if (content === undefined) throw new Error("The content has findings");
  const registry = registryIn(path.join(folder, "registry"));
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
  const conceptFile = (code: string): string => path.join(folder, `registry/concepts/support/${code}.yaml`);
  return {
    concept: (code, edit) => change(conceptFile(code), edit),
    file: (name, edit) => change(path.join(folder, name), edit),
    add: (name, text) => writeFileSync(path.join(folder, name), text),
    remove: (code) => rmSync(conceptFile(code)),
  };
}

/** A comparison whose lists can be looked into. */
export interface Compared extends Comparison {
  readonly resolutions: readonly ResolutionChange[];
  readonly concepts: readonly ConceptChange[];
}

/** Compares two sides as the command does; nothing that is made for them may stay. */
export async function compare(a: string, b: string): Promise<Compared> {
  const place = newFolder();
  const effects: Effects = { ...fileSystem, makeTemporary: (name) => mkdtempSync(path.join(place, name)) };
  try {
    const comparison = await comparePair(effects, [a, b], () => undefined);
    return { ...comparison, resolutions: [...comparison.resolutions], concepts: [...comparison.concepts] };
  } finally {
    expect(readdirSync(place)).toEqual([]);
  }
}

/** A comparison as its JSON says it. */
export const inJson = (comparison: Comparison): Compared =>
  JSON.parse([...formatJson(comparison)].join("\n")) as Compared;

export const compared = async (a: string, b: string): Promise<Compared> => inJson(await compare(a, b));

/** The comparison in words. */
export const inWords = (comparison: Comparison): string => [...formatText(comparison)].join("\n");

/** A copy of a release with one file changed; `sums` says whether SHA256SUMS is written again. */
export function tampered(
  dist: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  sums = false,
): string {
  const copy = new Copy(dist);
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(copy.at(name));
    else copy.write(name, content);
  }
  if (sums) copy.resignSums();
  return copy.directory;
}
