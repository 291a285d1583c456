/**
 * Serves a built release: the life of the process, from its settings (operations/settings.ts) to
 * its last request.
 */
import { randomInt } from "node:crypto";
import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { Extras } from "./extras.ts";
import { TokenBuckets } from "./http/token-bucket.ts";
import { prepareDrain, REQUESTS } from "./node/drain.ts";
import { TIME_LIMITS } from "./node/time-limits.ts";
import type { Admin } from "./extras/admin/admin.ts";
import { Health } from "./operations/health.ts";
import { ListenError, listenOn } from "./operations/listen.ts";
import { type Log, logError, makeLog } from "./operations/log.ts";
import { nonce, seconds, stopSignal } from "./operations/system.ts";
import {
  type Address,
  helpOf,
  readArguments,
  readSettings,
  SettingError,
  type Settings,
} from "./operations/settings.ts";
import type { Identity } from "./release/identity.ts";
import { identityCheck } from "./release/identity-check.ts";
import { untilHeld } from "./registry/block-source.ts";
import { ReleaseError } from "./release/plain-file.ts";
import { openRelease, type Release } from "./release/release.ts";
import { createServer, type ServerOptions } from "./server.ts";

export interface Claim {
  /** The origin that the deployment answers for; undefined if none is configured. */
  readonly origin: string | undefined;
  /** Whether nothing is resolved while the deployment identity is unavailable. */
  readonly strict?: boolean;
}

/** Serves the release until SIGTERM or SIGINT. Returns the exit code. */
export async function serve(
  directory: string,
  { origin, strict = false }: Claim,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const settings = readSettings(env, process);
  const log = makeLog(process, settings.logsJson);
  const onError = (error: unknown): void => logError(log, error);
  const extras = new Extras();
  const release = await open(directory, settings, { log, extras });
  const health = new Health(release.store);
  const onChange = (state: Identity): void => {
    // Before a strict service is ready, it ends with an error that reports the same.
    if (!strict || health.phase !== "starting") logIdentity(log, state);
  };
  const claim = { configured: origin, now: seconds, onChange, extras: extras.running };
  const identity = identityCheck(release, claim);
  const rate = settings.rate && { ...settings.rate, now: seconds, buckets: new TokenBuckets(settings.rate) };
  let admin: Admin | undefined;
  try {
    if (settings.admin !== undefined) {
      const { openAdmin } = await extras.admin();
      const sources = { release, health, identity, buckets: rate?.buckets, now: seconds, memory: process.memoryUsage };
      admin = await openAdmin(settings.admin, sources);
    }
    const clientAddress = await readProxies(settings.trustedProxies, extras);
    // When everything that runs is loaded.
    if (strict) await health.watch(identity, onError);
    const mayResolve = strict ? health.mayResolve : undefined;
    const observer = admin?.observer;
    const limits = { ...TIME_LIMITS, keepAliveMs: settings.keepAliveTimeoutMs };
    const app = createServer(release, { onError, nonce, identity, rate, mayResolve, clientAddress, observer, limits });
    // Requests are counted, never logged one by one.
    let requests = 0;
    for (const event of REQUESTS) app.server.on(event, () => requests++);
    const drain = prepareDrain(app.server);
    // Set up before listening: a signal may arrive as soon as the service can be reached.
    const stopped = stopSignal();
    const listening = await listen(app, settings.address);
    health.phase = "ready";
    const { registry, origin: built } = release.manifest;
    log.info("serving", `Serving ${registry.name} ${registry.registryVersion} for ${built} on ${listening}`);
    const damage = await Promise.race([stopped, examine(release, identity, { health, onError })]);
    health.phase = "stopping";
    if (damage === undefined) await sleep(settings.drainDelayMs);
    await drain();
    log.info("stopped", `Stopped after ${requests} request${requests === 1 ? "" : "s"}`);
    if (damage !== undefined) throw new ReleaseError(damage);
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    log.error("cannot_listen", error.message);
    return 1;
  } finally {
    health.stop();
    admin?.close();
    release.close();
  }
}

/** Opens the release. If its registry is in a store, tries to open the index there. */
async function open(
  directory: string,
  settings: Settings,
  { log, extras }: { readonly log: Log; readonly extras: Extras },
): Promise<Release> {
  const { store: urls, storeCacheBytes: cacheBytes, indexMemoryMaxBytes } = settings;
  if (urls.length === 0) return openRelease(directory, indexMemoryMaxBytes);
  const { openStoredRelease } = await extras.store();
  const report = (line: string): void => log.error("store", line);
  const release = await openStoredRelease(directory, {
    urls,
    cacheBytes,
    chance: () => randomInt(1000) / 1000,
    report,
  });
  // A failure was reported, and the next request tries again.
  await Promise.resolve()
    .then(() => untilHeld(() => release.index))
    .catch(() => undefined);
  return release;
}

async function readProxies(text: string, extras: Extras): Promise<ServerOptions["clientAddress"]> {
  return text === "" ? undefined : (await extras.proxies()).trustProxies(text);
}

interface Examined {
  readonly health: Health;
  readonly onError: (error: unknown) => void;
}

/**
 * Checks the deployment identity, whose state is reported to the operator, and the rest of a large
 * registry. Resolves only if the registry is damaged, to the reason.
 */
async function examine(
  release: Release,
  identity: () => Promise<Identity>,
  { health, onError }: Examined,
): Promise<string> {
  await identity().catch(onError);
  const damage = await Promise.race([release.check(), release.damage]);
  health.isChecked = damage === undefined;
  return damage ?? release.damage;
}

/**
 * Listens without Fastify's own `listen`, which starts a second server for `localhost` that the
 * drain would not stop. Returns the origin it listens on.
 */
export async function listen(app: FastifyInstance, address: Address): Promise<string> {
  await app.ready();
  return listenOn(app.server, address, "HOST");
}

/** Reports to the operator the details that the public answer withholds. */
function logIdentity(log: Log, identity: Identity): void {
  const state = identity.verified ? "verified again" : `unavailable, ${identity.failureCategory}: ${identity.detail}`;
  log.error("deployment_identity", `Deployment identity ${state}`);
}

/**
 * Runs a command line. Returns the exit code. Throws SettingError for a wrong setting, ReleaseError
 * for a release that cannot be served.
 */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { out, origin, port, store, strict = false, help } = readArguments(args);
  if (help === true) {
    process.stdout.write(helpOf(`node ${relative("", process.argv[1] ?? "")}`));
    return 0;
  }
  const claim = { origin: origin ?? (env["SERVICE_ORIGIN"] || undefined), strict };
  return serve(out ?? "dist", claim, { ...env, PORT: port ?? env["PORT"], STORE_URL: store ?? env["STORE_URL"] });
}

/** Runs the program. */
export async function start(): Promise<void> {
  // If the reader of the log is gone, or its disk is full, the service continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  try {
    process.exitCode = await main(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof ReleaseError)) throw error;
    makeLog(process, process.env["LOG_FORMAT"] === "json").error("refused", error.message);
    process.exitCode = 2;
  }
}
