/**
 * A clean release directory for a test, a copy to restore it from, and servers that run from it.
 */
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { type Identity, isExtra } from "../../runtime/release/identity.ts";
import { identityCheck } from "../../runtime/release/identity-check.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { serve, type Served } from "./command.ts";
import { project } from "./project.ts";
import { buildRelease, copyRelease, ORIGIN } from "./release.ts";
import { listen } from "./service.ts";
import { sha256 } from "./sha256.ts";
import { filesIn } from "./files.ts";

export const IDENTITY_PATH = "/.well-known/service-semantics-deployment.json";

const SOURCES = ["package.json", "package-lock.json", "runtime"] as const;
const PARTS = [...SOURCES, "dist"] as const;

export interface Deployment {
  /** The release directory. */
  readonly root: string;
  readonly dist: string;
  /** A file of it, by its path below the release directory. */
  readonly at: (name: string) => string;
  /** The identity document. */
  readonly document: string;
  /** Puts the whole release back as it was made. */
  readonly restore: () => void;
  /** Puts another release for these sources into a folder. */
  readonly build: (out: string, registry: CheckedRegistry, origin?: string) => Promise<void>;
  readonly remove: () => void;
}

/** Copies the sources of the runtime, or some of them, and a release that is to run from them. */
export async function deploy(
  registry: CheckedRegistry,
  { origin = ORIGIN, some = /^/ }: { readonly origin?: string; readonly some?: RegExp } = {},
): Promise<Deployment> {
  const above = mkdtempSync(path.join(tmpdir(), "deployment-"));
  const root = path.join(above, "release");
  const clean = path.join(above, "clean");
  mkdirSync(root);
  const lib = path.join(project, "lib");
  const isCopied = (file: string): boolean => lstatSync(file).isDirectory() || some.test(path.relative(lib, file));
  for (const name of SOURCES)
    cpSync(path.join(lib, name), path.join(root, name), {
      recursive: true,
      filter: name === "runtime" ? isCopied : () => true,
    });
  // Packages are found from above, and are no part of the release.
  symlinkSync(path.join(project, "node_modules"), path.join(above, "node_modules"));
  const sources = digestFiles(root).filter(({ path: name }) => !isExtra(name));
  const dist = path.join(root, "dist");
  const build: Deployment["build"] = async (out, other, otherOrigin = origin) =>
    copyRelease(await buildRelease(other, otherOrigin, sources), out);
  await build(dist, registry);
  cpSync(root, clean, { recursive: true });
  const whole = new Map<string, string>();
  return {
    root,
    dist,
    at: (name) => path.join(root, name),
    document: path.join(dist, IDENTITY_PATH),
    restore: () => PARTS.forEach((name) => restore(path.join(clean, name), path.join(root, name), whole)),
    build,
    remove: () => rmSync(above, { recursive: true, force: true }),
  };
}

/**
 * Makes `place` what `clean` is, and touches nothing that is that already. `whole` has the state of
 * the files that were compared before: whoever changes a file changes its ctime.
 */
function restore(clean: string, place: string, whole: Map<string, string>): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  const stateOf = (stats = lstatSync(place)): string => `${stats.ino} ${stats.ctimeMs}`;
  if (found?.isFile() === true && whole.get(place) === stateOf(found)) return;
  const wanted = lstatSync(clean);
  const isSame = wanted.isDirectory()
    ? found?.isDirectory() === true
    : found?.isFile() === true && readFileSync(place).equals(readFileSync(clean));
  if (!isSame) {
    rmSync(place, { recursive: true, force: true });
    cpSync(clean, place, { recursive: true });
  }
  if (found?.mode !== wanted.mode) chmodSync(place, wanted.mode);
  if (!wanted.isDirectory()) whole.set(place, stateOf());
  if (!isSame || !wanted.isDirectory()) return;
  const names = readdirSync(clean);
  for (const name of readdirSync(place)) {
    if (!names.includes(name)) rmSync(path.join(place, name), { recursive: true });
  }
  for (const name of names) restore(path.join(clean, name), path.join(place, name), whole);
}

/** Every plain file below a folder, as anybody would find and hash it. */
export function digestFiles(root: string): FileDigest[] {
  return Object.entries(filesIn(root)).map(([name, bytes]) => ({
    path: name,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }));
}

/** The service as a process that runs from the release directory. */
export function startDeployment({ root, dist }: Deployment, env: Record<string, string> = {}): Promise<Served> {
  return serve(path.join(root, "runtime/main.js"), ["--out", dist], env);
}

export interface Watched {
  readonly port: number;
  /** What the operator was told. */
  readonly told: Identity[];
  /** Makes what was found so far old. */
  readonly later: (seconds?: number) => void;
  readonly ask: (init?: RequestInit, target?: string) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The same service in this process, with a clock of the test's own. */
export async function watchDeployment(
  deployment: Deployment,
  configured?: string,
  extras?: ReadonlySet<string>,
): Promise<Watched> {
  const release = openRelease(deployment.dist);
  const told: Identity[] = [];
  let time = 0;
  const identity = identityCheck(release, {
    configured,
    now: () => time,
    onChange: (state) => told.push(state),
    project: deployment.root,
    extras,
  });
  const { port, faults, close } = await listen(release, { identity });
  return {
    port,
    told,
    later: (seconds = 1) => void (time += seconds),
    ask: (init = {}, target = IDENTITY_PATH) => fetch(`http://127.0.0.1:${port}${target}`, init),
    async close() {
      await close();
      release.close();
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** What is answered while the document is not there. */
export async function askWithoutDocument({ document, at }: Deployment, { ask, later }: Watched): Promise<Response> {
  renameSync(document, at("document"));
  later();
  try {
    return await ask();
  } finally {
    renameSync(at("document"), document);
    later();
  }
}
