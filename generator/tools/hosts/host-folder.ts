/** Writes the folder of a host; only files that `host` wrote itself may be replaced there. */
import { countOf } from "../../effects/print.ts";
import path from "node:path";
import type { Served } from "../../../runtime/release/served.ts";
import { encoded } from "../../text/chunks.ts";
import { PROGRAM } from "../../effects/closure.ts";
import type { Effects } from "../../effects/effects.ts";
import { UsageError } from "../../text/usage-error.ts";
import { claim } from "../../effects/claim.ts";
import { WORKER_PLACES, writeWorker } from "./cloudflare.ts";
import { type Host, HOSTS } from "./hosts.ts";
import type { HostName } from "../../commands/service-file.ts";
import { expectedAnswers } from "./law.ts";
import { PRERENDERED, prerender } from "./prerender.ts";
import { type HostOptions, hostTable, RESOLVER_FILES } from "./table.ts";

interface HostFolder extends HostOptions {
  readonly name: HostName;
  /** The built release. */
  readonly directory: string;
  /** The folder to write to. */
  readonly target: string;
  /** Whether concepts and their lists are written as files too. */
  readonly isPrerendered: boolean;
}

/** A host of files cannot prove what runs. */
const UNVERIFIED = { verified: false, failureCategory: "identity_document_missing_or_unsafe", detail: "" } as const;

/**
 * Writes the files that the host needs for a release, and yields lines to print. Throws UsageError
 * before it writes anything.
 */
export async function* writeHost(
  effects: Effects,
  { name, directory, target, isPrerendered, ...options }: HostFolder,
  release: Served,
): AsyncGenerator<string, void> {
  const { make, scripts = [] } = HOSTS[name] as Host;
  const expected = expectedAnswers(release, UNVERIFIED);
  const made = isPrerendered ? await prerender(release, expected) : undefined;
  const digests = RESOLVER_FILES.map((file) => [file, effects.digest(path.join(directory, file)).sha256] as const);
  const table = {
    ...(await hostTable(release, expected, Object.fromEntries(digests))),
    ...(made && { prerendered: made.prerendered }),
  };
  const texts = make(table, options);
  const ofWorker = name === "cloudflare" ? WORKER_PLACES : [];
  assertOwn(effects, target, [...Object.keys(texts), ...scripts, ...ofWorker, ...(made ? [PRERENDERED] : [])]);
  const end = claim(effects, target);
  const write = (file: string, chunks: Iterable<Uint8Array>): string => {
    const place = path.join(target, file);
    try {
      effects.write(`${place}.part`, chunks);
      effects.rename(`${place}.part`, place);
    } finally {
      effects.remove(`${place}.part`);
    }
    return `Wrote ${place}`;
  };
  const folder = path.join(target, PRERENDERED);
  const making = `${folder}.making`;
  try {
    if (name === "cloudflare") yield* writeWorker(effects, { directory, target, manifest: release.manifest });
    effects.remove(making);
    for (const [file, bytes] of made?.files ?? [])
      effects.write(path.join(making, path.relative(PRERENDERED, file)), [bytes]);
    // Before any folder, because it says who wrote this: a run that was stopped can be repeated.
    for (const [file, content] of Object.entries(texts)) yield write(file, encoded(content));
    for (const script of scripts)
      yield write(script, effects.chunks(path.join(PROGRAM, "generator/tools/hosts/files", script)));
    if (made === undefined) return;
    // No file of another release may remain.
    effects.remove(folder);
    effects.rename(making, folder);
    yield `Wrote ${countOf(made.files.size, "file")} below ${folder}`;
  } finally {
    effects.remove(making);
    end();
  }
}

/** How the main file of each host begins. */
const WRITTEN =
  /^(?:# (?:nginx|Apache httpd|Caddy) as a host of |\/\/ https?:\S+ as a Worker|# Fields of |\{\n {2}"origin": )/;

/**
 * Throws UsageError if one of these files or folders exists, and no file says that `host` wrote it.
 */
function assertOwn(effects: Effects, target: string, names: readonly string[]): void {
  const taken = names.filter((name) => effects.kind(path.join(target, name)) !== "none");
  const isOurs = (name: string): boolean => {
    const place = path.join(target, name);
    if (effects.kind(place) !== "file") return false;
    const [beginning] = effects.chunks(place);
    return WRITTEN.test(decoder.decode(beginning?.subarray(0, 100)));
  };
  if (taken.length === 0 || effects.names(target).some(isOurs)) return;
  throw new UsageError(
    `--into ${target} has ${taken.join(", ")}, which \`host\` did not write, so nothing is replaced: name another folder`,
  );
}

const decoder = new TextDecoder();
