/** A copy of this project in a folder of its own, with the packages that are installed here. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

export const project = path.resolve(import.meta.dirname, "../..");

const FEW = ["billing/C-3XCWD4", "billing/C-85JMHQ", "billing/C-PT28T3", "billing/C-RJGCYX"];

/** Copies a few concepts of the starter registry, without what was recorded of the whole. */
export function copyStarter(target: string, concepts: readonly string[] = FEW): void {
  for (const name of ["registry.yaml", "retired.yaml", ...concepts.map((one) => `concepts/${one}.yaml`)])
    cpSync(path.join(project, "registry", name), path.join(target, name));
  writeFileSync(path.join(target, "history.yaml"), "[]\n");
}

const FOLDERS = ["lib", "content"];
const FILES = ["package.json", "package-lock.json", "LICENSE"];

export interface CopyOptions {
  /** The folder of the registry to copy; a small one, where a test has no other. */
  readonly registry?: string;
  /** Writes the last file first, so that the file system lists them in another order. */
  readonly reversed?: boolean;
}

/** Copies into `target`, which is made. */
export function copyProject(
  target: string,
  { registry = path.join(project, "test/golden/registry"), reversed = false }: CopyOptions = {},
): void {
  const sources = [...FOLDERS.map((name) => [path.join(project, name), name]), [registry, "registry"]];
  const files = sources.flatMap(([from = "", to = ""]) =>
    readdirSync(from, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file): [string, string] => [file, path.join(to, path.relative(from, file))]),
  );
  for (const name of FILES) files.push([path.join(project, name), name]);
  for (const [source, name] of reversed ? files.toReversed() : files) {
    mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
    writeFileSync(path.join(target, name), readFileSync(source));
  }
  symlinkSync(path.join(project, "node_modules"), path.join(target, "node_modules"));
}
