/**
 * Builds a release again elsewhere and compares: with another folder, depth and order of files,
 * time zone, locale, umask and home. If any of these affected `dist/`, it would differ (A18). The
 * program and its packages are those that run here.
 */
import path from "node:path";
import { parseManifest } from "../../../runtime/release/manifest.ts";
import { MANIFEST_FILE } from "../../../runtime/contract/policy.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { packageFolders, PROGRAM } from "../../effects/closure.ts";
import { digestIfFile, type Effects, isVisible } from "../../effects/effects.ts";
import { digestInputs, type Inputs } from "../../effects/inputs.ts";
import { overlaid } from "../../effects/overlay.ts";

type Sources = Pick<Inputs, "registry" | "content">;

/** The release to compare with, and the sources to build again. */
interface Rebuild extends Sources {
  readonly directory: string;
}

/** A time zone that is often a day ahead of UTC, and a language with another lower case of I. */
const ENVIRONMENT = { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" } as const;

/**
 * The differences from a rebuild for the same origin, and whether that is because the release has
 * other sources.
 */
export async function checkRebuild(effects: Effects, { directory, ...sources }: Rebuild): Promise<string[]> {
  const manifest = readManifest(effects, path.join(directory, MANIFEST_FILE));
  // The faults of the release say what is wrong with it.
  if (manifest === undefined) return [`${MANIFEST_FILE}: without it there is nothing to build again`];
  const { origin, inputsSha256 } = manifest;
  const differing = await compareRebuild(effects, { directory, ...sources }, origin);
  if (differing.length === 0 || inputsSha256 === digestInputs(effects, { ...sources, origin })) return differing;
  return [
    `${MANIFEST_FILE}: it was built from other inputs than these; --registry and --content name them, and its own revision has the sources`,
    ...differing,
  ];
}

function readManifest(effects: Effects, file: string) {
  const json = parseJson(effects.kind(file) === "file" ? effects.read(file) : new Uint8Array());
  const reading = json.ok ? parseManifest(json.value) : undefined;
  return reading?.ok === true ? reading.value : undefined;
}

/** The differences, one string each; none if both are the same byte for byte. */
async function compareRebuild(effects: Effects, input: Rebuild, origin: string): Promise<string[]> {
  const place = effects.makeTemporary("rebuild");
  try {
    const project = path.join(place, ...FOLDERS);
    copyProject(effects, input, project);
    const out = path.join(place, "release");
    const script = 'umask 077 && exec "$0" "$@"';
    const folders = ["--registry", "registry", "--content", "content", "--out", out];
    const build = ["lib/generator/main.js", "build", "--origin", origin, ...folders];
    const { code, stderr } = await effects.run({
      program: "sh",
      args: ["-c", script, effects.node, ...build],
      directory: project,
      environment: { ...ENVIRONMENT, HOME: place, SERVICE_ORIGIN: "", PORT: "", INIT_CWD: "" },
    });
    if (code !== 0) return [`it cannot be built again: ${stderr.trim()}`];
    return compareFolders(effects, input.directory, out);
  } finally {
    effects.remove(place);
  }
}

/** The folders that lead to the project, below a temporary one. */
const FOLDERS = ["another", "and deeper", "project"];

/**
 * Copies everything that a build reads, last file first. The packages are linked in as many folders
 * as this program uses.
 */
function copyProject(effects: Effects, { registry, content }: Sources, project: string): void {
  const folders = { registry, content, lib: PROGRAM };
  const read = overlaid(effects, content);
  for (const [name, folder] of Object.entries(folders)) {
    for (const file of read.list(folder).filter(isVisible).toReversed()) {
      const source = path.join(folder, file);
      if (read.kind(source) === "file") effects.write(path.join(project, name, file), read.chunks(source));
    }
  }
  for (const [i, modules] of packageFolders(effects).slice(0, FOLDERS.length).entries())
    effects.link(modules, path.resolve(project, ...Array.from({ length: i }, () => ".."), "node_modules"));
}

function compareFolders(effects: Effects, first: string, second: string): string[] {
  const digests = (folder: string): Map<string, string> =>
    new Map(effects.list(folder).map((name) => [name, digestIfFile(effects, path.join(folder, name)) ?? "no file"]));
  const [built, again] = [digests(first), digests(second)];
  return [...new Set([...built.keys(), ...again.keys()])].flatMap((name) => {
    if (!again.has(name)) return [`${name}: the rebuild does not have it`];
    if (!built.has(name)) return [`${name}: only the rebuild has it`];
    return built.get(name) === again.get(name) ? [] : [`${name}: the rebuild gives other bytes`];
  });
}
