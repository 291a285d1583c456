/**
 * Writes a release as a Cloudflare Worker. Its modules are unchanged compiled files; its static
 * assets are the files of the release; files that are too large for an asset go to a bucket.
 * Deploying needs nothing but this folder.
 */
import path from "node:path";
import { ASSET_MAX_BYTES } from "./portable/edge.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { PROGRAM } from "../../effects/closure.ts";
import { encoded } from "../../text/chunks.ts";
import { type Effects, readText } from "../../effects/effects.ts";

const BUCKET = "semantic-resolution-registry";
/** The files and folders that are written for a Worker; the first says that `host` wrote them. */
export const WORKER_PLACES = ["wrangler.jsonc", "worker", "assets"];

const ENTRY = "generator/tools/hosts/portable/worker.js";

/** The platform behaves as on this day, for which the Worker was last tested. */
const COMPATIBILITY_DATE = "2026-07-01";

interface WorkerProject {
  /** Texts by their names below the folder. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files of dist that are assets; large ones are in `stored`, with their keys. */
  readonly assets: readonly string[];
  readonly stored: Readonly<Record<string, string>>;
}

/** Writes the project next to an existing one, then replaces that. Returns the lines to print. */
export function writeWorker(
  effects: Effects,
  { directory, target, manifest }: { readonly directory: string; readonly target: string; readonly manifest: Manifest },
): string[] {
  const making = path.join(target, ".making");
  const { texts, assets, stored } = workerProject(manifest, effects);
  try {
    effects.remove(making);
    for (const [name, text] of texts) effects.write(path.join(making, name), encoded(text));
    for (const name of assets)
      effects.write(path.join(making, "assets", name), effects.chunks(path.join(directory, name)));
    // The file that says who wrote the folder is first and never gone, so that a stopped run can be
    // repeated.
    for (const name of WORKER_PLACES) {
      if (name !== "wrangler.jsonc") effects.remove(path.join(target, name));
      effects.rename(path.join(making, name), path.join(target, name));
    }
  } finally {
    effects.remove(making);
  }
  const puts = Object.entries(stored).map(
    ([name, key]) => `  npx wrangler r2 object put ${BUCKET}/${key} --file ${path.join(directory, name)} --remote`,
  );
  return [
    `Wrote ${target}: wrangler.jsonc, worker and assets`,
    ...(isDomain(manifest.origin)
      ? []
      : [
          `A Worker cannot answer at ${manifest.origin}: build with --origin https:// and a domain of yours, or with that of its workers.dev address`,
        ]),
    ...(puts.length > 0 ? ["Too large for assets; put these files into the bucket before you deploy:", ...puts] : []),
  ];
}

export function workerProject(manifest: Manifest, effects: Effects): WorkerProject {
  const large = manifest.files.filter(({ bytes }) => bytes > ASSET_MAX_BYTES);
  // A new release has new keys, so that the running one keeps its own until the next takes over.
  const stored = Object.fromEntries(large.map(({ path: file, sha256 }) => [file, `${file}.${sha256.slice(0, 16)}`]));
  const texts = new Map([
    ["wrangler.jsonc", settings(manifest, stored)],
    ["worker/index.js", INDEX],
    ["worker/release.js", `/** The release that this Worker serves. */\nexport const release = ${JSON.stringify({ manifest, stored }, null, 2)};\n`],
    ...modules(effects),
  ]); // prettier-ignore
  return { texts, assets: manifest.files.flatMap(({ path: file }) => (file in stored ? [] : [file])), stored };
}

const INDEX = [
  "/** The service as a Worker; the folders next to this file have the unchanged compiled modules. */",
  'import { release } from "./release.js";',
  `import { createWorker } from "./${ENTRY}";`,
  "",
  "export default createWorker(release);",
  "",
].join("\n");

/**
 * The Worker answers every request: assets by themselves have neither negotiation nor our
 * preconditions.
 */
function settings({ origin }: Manifest, stored: WorkerProject["stored"]): string {
  const value = {
    name: "semantic-resolution",
    main: "worker/index.js",
    compatibility_date: COMPATIBILITY_DATE,
    no_bundle: true,
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    assets: { directory: "assets", binding: "ASSETS", run_worker_first: true, html_handling: "none", not_found_handling: "none" },
    ...(Object.keys(stored).length > 0 && { r2_buckets: [{ binding: "REGISTRY", bucket_name: BUCKET }] }),
    ...(isDomain(origin) && { routes: [{ pattern: new URL(origin).host, custom_domain: true }], workers_dev: false }),
  }; // prettier-ignore
  return `// ${origin} as a Worker: npx wrangler deploy\n${JSON.stringify(value, null, 2)}\n`;
}

/** Whether the platform can serve an origin as a domain of its owner: https, without a port. */
function isDomain(origin: string): boolean {
  return /^https:\/\/(?:[\w-]+\.)+[a-z][\w-]*\.?$/.test(origin);
}

/** The entry and everything that it imports, by their names in the project. */
function modules(effects: Effects): [name: string, text: string][] {
  const found = new Map<string, string>();
  const load = (name: string): void => {
    if (found.has(name)) return;
    const text = readText(effects, path.join(PROGRAM, name));
    found.set(name, text);
    for (const [, from = ""] of text.matchAll(/^(?:import|export) .*\bfrom "(.+)";$/gm)) {
      if (!from.startsWith(".")) throw new Error(`${name} imports ${from}, which a Worker does not have`);
      load(path.posix.join(path.posix.dirname(name), from));
    }
  };
  load(ENTRY);
  return [...found].map(([name, text]) => [`worker/${name}`, text]);
}
