/**
 * Builds a release again somewhere else and compares: another folder, depth and order of files, time zone, locale, umask
 * and home. What of these showed in `dist/` would differ (A18). The program and its packages are those of this project.
 */
import path from "node:path";
import { PROGRAM, PROJECT } from "../effects/closure.ts";
import { type Effects, isVisible } from "../effects/effects.ts";

export interface RebuildInput {
  /** The release to compare with, and the origin it is for. */
  readonly directory: string;
  readonly origin: string;
  readonly registry: string;
  readonly content: string;
}

/** A time zone that is often in another day than UTC, and a language with another lower case of I. */
const ENVIRONMENT = { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" } as const;

/** What differs, one text each; none where both are the same to the byte. */
export async function compareRebuild(effects: Effects, input: RebuildInput): Promise<string[]> {
  const place = effects.makeTemporary("rebuild");
  try {
    const project = path.join(place, "another", "and deeper", "project");
    copyProject(effects, input, project);
    const out = path.join(place, "release");
    const script = 'umask 077 && exec "$0" "$@"';
    const build = ["lib/generator/main.js", "build", "--origin", input.origin, "--out", out];
    const { code, stderr } = await effects.run({
      program: "sh",
      args: ["-c", script, effects.node, ...build],
      directory: project,
      environment: { ...ENVIRONMENT, HOME: place, SERVICE_ORIGIN: "", PORT: "" },
    });
    if (code !== 0) return [`it cannot be built again: ${stderr.trim()}`];
    return compareFolders(effects, input.directory, out);
  } finally {
    effects.remove(place);
  }
}

/** Everything that a build reads, written last file first. */
function copyProject(effects: Effects, { registry, content }: RebuildInput, project: string): void {
  const folders = { registry, content, lib: PROGRAM };
  for (const [name, folder] of Object.entries(folders)) {
    for (const file of effects.list(folder).filter(isVisible).toReversed()) {
      const source = path.join(folder, file);
      if (effects.kind(source) === "file") effects.write(path.join(project, name, file), effects.chunks(source));
    }
  }
  effects.link(path.join(PROJECT, "node_modules"), path.join(project, "node_modules"));
}

function compareFolders(effects: Effects, first: string, second: string): string[] {
  const digests = (folder: string): Map<string, string> =>
    new Map(effects.list(folder).map((name) => [name, digestOf(effects, path.join(folder, name))]));
  const [built, again] = [digests(first), digests(second)];
  return [...new Set([...built.keys(), ...again.keys()])].flatMap((name) => {
    if (!again.has(name)) return [`${name}: the rebuild does not have it`];
    if (!built.has(name)) return [`${name}: only the rebuild has it`];
    return built.get(name) === again.get(name) ? [] : [`${name}: the rebuild gives other bytes`];
  });
}

function digestOf(effects: Effects, file: string): string {
  return effects.kind(file) === "file" ? effects.digest(file).sha256 : "no file";
}
