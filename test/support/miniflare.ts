/**
 * workerd by Miniflare, of an npm package that is not ours: it runs a Worker project as `host
 * cloudflare` wrote it, on a port of this machine. Too large for a devDependency, it is run as the
 * other programs are (npx.ts).
 */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { npx, reasonToSkip } from "./npx.ts";

const PACK = "miniflare@4.20260730.0";

interface Bucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
  delete(key: string): Promise<void>;
}

interface Miniflare {
  readonly ready: Promise<URL>;
  getR2Bucket(binding: string): Promise<Bucket>;
  dispose(): Promise<void>;
}

/** Undefined, with a warning, where it cannot be had. */
export async function findMiniflare(): Promise<(new (options: object) => Miniflare) | undefined> {
  const probe = await npx(PACK, ["sh", "-c", 'realpath "$(command -v miniflare)"'], {
    cwd: tmpdir(),
    timeout: 170_000,
  });
  if (reasonToSkip(PACK, probe, "once, for about 180 MB") !== undefined) return undefined;
  const main = path.join(path.dirname(probe.stdout.trim()), "dist/src/index.js");
  const { Miniflare } = (await import(/* @vite-ignore */ pathToFileURL(main).href)) as {
    Miniflare: new (options: object) => Miniflare;
  };
  return Miniflare;
}

interface Settings {
  readonly main: string;
  readonly compatibility_date: string;
  readonly rules: readonly { readonly type: string; readonly globs: readonly string[] }[];
  readonly assets: Readonly<Record<"directory" | "binding" | "html_handling" | "not_found_handling", string>> & {
    readonly run_worker_first: boolean;
  };
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
}

export interface EdgeHost {
  readonly bucket: Bucket | undefined;
  /** The process of workerd; undefined where the system does not say. */
  readonly processId: number | undefined;
  /** From the start of workerd to its first answer to anybody, in milliseconds. */
  readonly startMs: number;
  close(): Promise<void>;
}

/** Runs the project in `folder`, by its own settings. */
export async function serveWorker(
  Miniflare: new (options: object) => Miniflare,
  { folder, port }: { readonly folder: string; readonly port: number },
): Promise<EdgeHost> {
  const text = readFileSync(path.join(folder, "wrangler.jsonc"), "utf8");
  const { main, assets, rules, r2_buckets = [], compatibility_date } = JSON.parse(text.replaceAll(/^\/\/.*$/gm, "")) as Settings; // prettier-ignore
  const before = workerds();
  const started = performance.now();
  const miniflare = new Miniflare({
    // The way in that Miniflare itself adds compresses, also what must not be transformed.
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
    rootPath: folder,
    modules: true,
    scriptPath: main,
    modulesRoot: path.dirname(main),
    modulesRules: rules.map(({ type, globs }) => ({ type, include: globs })),
    compatibilityDate: compatibility_date,
    assets: {
      directory: path.join(folder, assets.directory),
      binding: assets.binding,
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: assets.run_worker_first },
      assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
    },
    r2Buckets: Object.fromEntries(r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name])),
    // What the Worker says to its operator is not for this terminal.
    handleRuntimeStdio: (...streams: { resume(): void }[]) => streams.forEach((stream) => stream.resume()),
  });
  await miniflare.ready;
  return {
    bucket: r2_buckets[0] && (await miniflare.getR2Bucket(r2_buckets[0].binding)),
    processId: workerds().find((id) => !before.includes(id)),
    startMs: performance.now() - started,
    close: () => miniflare.dispose(),
  };
}

/** Children of this process that are called workerd. */
function workerds(): number[] {
  try {
    return readdirSync("/proc").filter((id) => /^\d+$/.test(id)).filter(isWorkerd).map(Number); // prettier-ignore
  } catch {
    return [];
  }
}

function isWorkerd(id: string): boolean {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    return name === "workerd" && Number(parent) === process.pid;
  } catch {
    return false;
  }
}

/** Processor time of a process and its threads so far, in milliseconds. */
export function processorTime(id: number): number {
  const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
