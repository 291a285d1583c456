/**
 * Observes the files that the service runs from: the closure of the deployment identity, and the
 * release that was opened. Links below the two folders are not followed.
 * Source: rulings O-33, O-35; requirement G05.
 */
import { constants, lstat, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { FileDigest } from "../contract/document.ts";
import { sha256 } from "../http/digest.ts";
import {
  CLOSURE_MANIFEST,
  EXTRAS_FOLDER,
  EXTRAS_SUMS,
  isExtra,
  type Observation,
  quoteName,
  SOURCE_FILES,
  SOURCE_FOLDER,
} from "./identity.ts";
import { formatSums, IDENTITY_FILE } from "./manifest.ts";
import { BUNDLE_FILE, INDEX_FILE, MANIFEST_FILE } from "../contract/files.ts";
import type { Release } from "./release.ts";
import { digestFile, WatchedFile, withFile } from "./watched-file.ts";

/** The running program's folder, with package.json and lock file, whatever the current folder. */
export const PROGRAM = path.resolve(import.meta.dirname, "../..");

/** An identity document lists about a hundred files and is never larger than this. */
const DOCUMENT_MAX_BYTES = 1024 * 1024;

/** What runs. */
export interface Running {
  /** The folder of the sources, if it is not the one they run from. */
  readonly project?: string | undefined;
  /** The extras that were loaded; more may come. */
  readonly extras?: ReadonlySet<string> | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Creates the observer of an open release. */
export function closureObserver(
  release: Release,
  { project = PROGRAM, extras = NONE }: Running,
): () => Promise<Observation> {
  const large = new Map(
    [...release.stamps].map(([name, stamp]) => {
      const known = { stamp, sha256: release.files.get(name) };
      return [name, new WatchedFile(path.join(release.directory, name), known)];
    }),
  );
  // Files that are read from a store are not checked here, even if they exist here.
  const elsewhere = release.store === undefined ? [] : [BUNDLE_FILE, INDEX_FILE];
  return async () => {
    const damage = await release.check();
    const names = (await listFiles(project, SOURCE_FOLDER)).filter((name) => !isExtra(name));
    const sources = await observeFolder(project, [...SOURCE_FILES, ...names]);
    const { manifest, drift } = await observeRelease({ directory: release.directory, large, elsewhere }, release.files);
    if (damage !== undefined) drift.push(damage);
    for (const extra of extras) drift.push(...(await observeExtra(project, extra)));
    const files = manifest === undefined ? sources.files : [...sources.files, manifest];
    const document = await observeDocument(release.directory);
    // A document can match changed sources and still not be the one that was released.
    if (document instanceof Uint8Array && sha256(document) !== release.identitySha256)
      drift.push(`dist/${IDENTITY_FILE} was changed`);
    return { document, files, drift: [...sources.drift, ...drift] };
  };
}

/** Each file waits several times for a busy event loop, so many are read at once. */
const FILES_AT_ONCE = 16;

/** Digests of the regular files among `names`; all others are drift. */
async function observeFolder(
  folder: string,
  names: readonly string[],
): Promise<{ files: FileDigest[]; drift: string[] }> {
  const files: FileDigest[] = [];
  const drift: string[] = [];
  for (let at = 0; at < names.length; at += FILES_AT_ONCE) {
    const some = names.slice(at, at + FILES_AT_ONCE);
    const digests = await Promise.all(some.map((name) => digestFile(path.join(folder, name))));
    for (const [i, name] of some.entries()) {
      const file = digests[i];
      if (file === undefined) drift.push(`${quoteName(name)} is missing or not a regular file`);
      else files.push({ path: name, ...file });
    }
  }
  return { files, drift };
}

/** How an extra differs from its digests in the file that the closure has. */
async function observeExtra(project: string, extra: string): Promise<string[]> {
  const folder = `${EXTRAS_FOLDER}/${extra}`;
  const sums = await withFile(path.join(project, EXTRAS_SUMS), (handle) => handle.readFile("utf8")).catch(() => "");
  const { files, drift } = await observeFolder(project, await listFiles(project, folder));
  const linesOf = (text: string): string[] => text.split("\n").filter((line) => nameIn(line).startsWith(`${folder}/`));
  const [listed, found] = [linesOf(sums), linesOf(formatSums(files))];
  const differing = [...listed, ...found].filter((line) => !listed.includes(line) || !found.includes(line));
  return [...drift, ...differing.map((line) => `${quoteName(nameIn(line))} differs from ${EXTRAS_SUMS}`)];
}

/** After 64 digits and two spaces. */
function nameIn(line: string): string {
  return line.slice(66);
}

interface Observed {
  readonly directory: string;
  readonly large: ReadonlyMap<string, WatchedFile>;
  readonly elsewhere: readonly string[];
}

/** Compares the files on disk with the opened release; returns the manifest for the closure. */
async function observeRelease(
  { directory, large, elsewhere }: Observed,
  opened: Release["files"],
): Promise<{ manifest: FileDigest | undefined; drift: string[] }> {
  const small = [...opened.keys()].filter((name) => !large.has(name) && !elsewhere.includes(name));
  const found = await observeFolder(directory, small);
  const drift = found.drift.map((text) => `dist/${text}`);
  for (const file of found.files) {
    if (file.sha256 !== opened.get(file.path)) drift.push(`dist/${file.path} was changed`);
  }
  for (const [name, file] of large) {
    if ((await file.digest()) !== opened.get(name)) drift.push(`dist/${name} was changed`);
  }
  for (const name of await listFiles(directory)) {
    if (!opened.has(name) && name !== IDENTITY_FILE) drift.push(`dist/${quoteName(name)} was added`);
  }
  const manifest = found.files.find((file) => file.path === MANIFEST_FILE);
  return { manifest: manifest && { ...manifest, path: CLOSURE_MANIFEST }, drift };
}

/**
 * The identity document, or why it cannot be trusted: it must be a regular file in its place, not
 * behind a link and not writable by every user.
 */
async function observeDocument(directory: string): Promise<Observation["document"]> {
  const file = path.join(directory, IDENTITY_FILE);
  try {
    const root = await realpath(directory);
    if ((await realpath(file)) !== path.join(root, IDENTITY_FILE))
      return { unsafe: `${file} is a link or is below one` };
    for (const folder of [root, path.dirname(path.join(root, IDENTITY_FILE))]) {
      if (isWritableByAll(await lstat(folder))) return { unsafe: `anybody may write to ${folder}` };
    }
    return await withFile(file, async (handle, stats) => {
      if (isWritableByAll(stats)) return { unsafe: `anybody may write to ${file}` };
      if (stats.size > DOCUMENT_MAX_BYTES) return { unsafe: `${file} is larger than ${DOCUMENT_MAX_BYTES} bytes` };
      return await handle.readFile();
    });
  } catch {
    return { unsafe: `${file} is missing, is not a regular file, or cannot be read` };
  }
}

function isWritableByAll({ mode }: { readonly mode: number }): boolean {
  return (mode & constants.S_IWOTH) !== 0;
}

/** Everything below a folder except folders, relative to `root`; empty if unreadable or a link. */
async function listFiles(root: string, below = ""): Promise<string[]> {
  try {
    if (below !== "" && !(await lstat(path.join(root, below))).isDirectory()) return [];
    const entries = await readdir(path.join(root, below), { withFileTypes: true });
    const names = entries.map(async (entry) => {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, name) : [name];
    });
    return (await Promise.all(names)).flat();
  } catch {
    return [];
  }
}
