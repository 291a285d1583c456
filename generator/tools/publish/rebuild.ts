/**
 * Builds a release again from registry and content, and compares every byte: pages and prose too.
 * Here, or elsewhere, with another folder, depth and order of files, time zone, locale, umask and
 * home. If any of these affected `dist/`, it would differ (A18). The program and its packages are
 * those that run here.
 */
import path from "node:path";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { MANIFEST_FILE } from "../../../runtime/contract/files.ts";
import { parseManifest } from "../../../runtime/release/manifest.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { runBuild } from "../../commands/build.ts";
import type { BuildOptions } from "../../commands/options.ts";
import { packageFolders, PROGRAM } from "../../effects/closure.ts";
import { digestIfFile, type Effects, isVisible } from "../../effects/effects.ts";
import { overlaid } from "../../effects/overlay.ts";

/** What to build again, and where. */
export interface Sources extends Pick<BuildOptions, "registry" | "content"> {
  readonly isElsewhere: boolean;
}

/** A time zone that is often a day ahead of UTC, and a language with another lower case of I. */
const ENVIRONMENT = { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" } as const;

/**
 * The differences from a rebuild for the same origin, and whether that is because the release has
 * other sources.
 */
export async function checkRebuild(effects: Effects, directory: string, sources: Sources): Promise<string[]> {
  const manifest = readManifest(effects, directory);
  // The faults of the release say what is wrong with it.
  if (manifest === undefined) return [`${MANIFEST_FILE}: without it there is nothing to build again`];
  const place = effects.makeTemporary("rebuild");
  try {
    const out = path.join(place, "release");
    const options = { ...sources, out, origin: manifest.origin };
    const failure = await (sources.isElsewhere ? buildElsewhere(effects, place, options) : buildHere(effects, options));
    const again = readManifest(effects, out);
    if (again === undefined) return [`it cannot be built again: ${failure.trim()}`];
    if (again.registry.contentSha256 !== manifest.registry.contentSha256)
      return [
        `${MANIFEST_FILE}: the release is of ${nameOf(manifest)}, and ${sources.registry} holds ${nameOf(again)}; ` +
          "name the registry as it was at the revision that the release was made from",
      ];
    const differing = compareFolders(effects, directory, out);
    if (differing.length === 0 || again.inputsSha256 === manifest.inputsSha256) return differing;
    return [
      `${MANIFEST_FILE}: it was built from other inputs than these; --registry and --content name them, and its own revision has the sources`,
      ...differing,
    ];
  } finally {
    effects.remove(place);
  }
}

function readManifest(effects: Effects, directory: string): Manifest | undefined {
  const file = path.join(directory, MANIFEST_FILE);
  const json = parseJson(effects.kind(file) === "file" ? effects.read(file) : new Uint8Array());
  const reading = json.ok ? parseManifest(json.value) : undefined;
  return reading?.ok === true ? reading.value : undefined;
}

function nameOf({ registry }: Manifest): string {
  return `${registry.name} ${registry.registryVersion} with digest ${registry.contentSha256}`;
}

/** Returns what the build says of its failure. */
async function buildHere(effects: Effects, options: BuildOptions): Promise<string> {
  const said: string[] = [];
  const console = { print: () => undefined, progress: () => undefined, error: (line: string) => void said.push(line) };
  await runBuild({ effects, console, env: {} }, options);
  return said.join("\n");
}

/** The same of a build by another process, in a copy of the project below `place`. */
async function buildElsewhere(effects: Effects, place: string, { origin, out, ...sources }: BuildOptions) {
  const project = path.join(place, ...FOLDERS);
  copyProject(effects, sources, project);
  const script = 'umask 077 && exec "$0" "$@"';
  const folders = ["--registry", "registry", "--content", "content", "--out", out];
  const build = ["lib/generator/main.js", "build", "--origin", origin, ...folders];
  const { stderr } = await effects.run({
    program: "sh",
    args: ["-c", script, effects.node, ...build],
    directory: project,
    environment: { ...ENVIRONMENT, HOME: place, SERVICE_ORIGIN: "", PORT: "", INIT_CWD: "" },
  });
  return stderr;
}

/** The folders that lead to the project, below a temporary one. */
const FOLDERS = ["another", "and deeper", "project"];

/**
 * Copies everything that a build reads, last file first. The packages are linked in as many folders
 * as this program uses.
 */
function copyProject(
  effects: Effects,
  { registry, content }: Omit<BuildOptions, "out" | "origin">,
  project: string,
): void {
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
