/**
 * Serves a built release: environment, listening, signals. HOST (127.0.0.1), PORT (8080),
 * SERVICE_ORIGIN (the built origin), INDEX_MEMORY_MAX_BYTES (32 MiB), RATE_LIMIT_PER_SECOND and
 * RATE_LIMIT_BURST (limits.ts; off on a loopback address).
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import { isLoopbackAddress } from "./http/caller.ts";
import { prepareDrain } from "./node/drain.ts";
import type { Identity } from "./release/identity.ts";
import { identityCheck } from "./release/identity-check.ts";
import { RATE_LIMIT_BURST, RATE_LIMIT_PER_SECOND } from "./contract/limits.ts";
import { parseOrigin, quoteOrigin } from "./http/origin.ts";
import { ReleaseError } from "./release/plain-file.ts";
import { MEMORY_MAX_BYTES } from "./release/registry-files.ts";
import { openRelease, type Release } from "./release/release.ts";
import { createServer, type ServerOptions } from "./server.ts";

/** A wrong option or variable; the message is one line for the operator. */
export class SettingError extends Error {
  override name = "SettingError";
}

/** Serves the release as configured for `origin` until SIGTERM or SIGINT. Returns the exit code. */
export async function serve(directory: string, origin: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  const host = env["HOST"] || "127.0.0.1";
  const port = readInteger(env, "PORT", { fallback: 8080, max: 65_535 });
  const release = openRelease(
    directory,
    readInteger(env, "INDEX_MEMORY_MAX_BYTES", { fallback: MEMORY_MAX_BYTES, max: Number.MAX_SAFE_INTEGER }),
  );
  const rate = readRateLimit(env, host);
  const identity = identityCheck(release, { configured: origin, now: seconds, onChange: reportIdentity });
  const app = createServer(release, { onError: reportError, nonce, identity, ...(rate && { rate }) });
  // Requests are counted, never logged one by one.
  let requests = 0;
  app.server.on("request", () => requests++);
  const drain = prepareDrain(app.server);
  // Set up before listening: a signal may arrive as soon as the service can be reached.
  const stopped = stopSignal();
  let listening: string;
  try {
    listening = await listen(app, { host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL")
      throw new SettingError(`HOST ${JSON.stringify(host)} is not an address of this machine`);
    process.stderr.write(
      code === "EADDRINUSE" ? `Port ${port} on ${host} is in use: set PORT\n` : `Cannot listen: ${message}\n`,
    );
    return 1;
  }
  const { registry, origin: built } = release.manifest;
  process.stdout.write(`Serving ${registry.name} ${registry.registryVersion} for ${built} on ${listening}\n`);
  const damage = await Promise.race([stopped, examine(release, identity)]);
  await drain();
  release.close();
  process.stdout.write(`Stopped after ${requests} requests\n`);
  if (damage !== undefined) throw new ReleaseError(damage);
  return 0;
}

/**
 * Checks the deployment identity, whose state is reported to the operator, and the rest of a large
 * registry. Resolves only if the registry is damaged, to the reason.
 */
async function examine(release: Release, identity: () => Promise<Identity>): Promise<string> {
  await identity().catch(reportError);
  return (await release.check()) ?? new Promise(() => undefined);
}

/**
 * Listens without Fastify's own `listen`, which starts a second server for `localhost` that the
 * drain would not stop. Returns the origin it listens on.
 */
export async function listen(
  app: FastifyInstance,
  address: { readonly host: string; readonly port: number },
): Promise<string> {
  await app.ready();
  app.server.listen(address);
  await once(app.server, "listening");
  const { address: host, port } = app.server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Reports to the operator the details that the public answer withholds. */
function reportIdentity(identity: Identity): void {
  const state = identity.verified ? "verified again" : `unavailable, ${identity.failureCategory}: ${identity.detail}`;
  process.stderr.write(`Deployment identity ${state}\n`);
}

/** Resolves at SIGTERM, SIGINT or another one that is named. */
export function stopSignal(...others: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    // The handlers stay while draining: npm forwards a signal that the terminal has already sent to
    // the whole process group.
    for (const signal of ["SIGTERM", "SIGINT", ...others] as const) process.on(signal, () => resolve());
  });
}

/** The limit for each client; undefined if it is 0, or not set and HOST is a loopback address. */
function readRateLimit(env: NodeJS.ProcessEnv, host: string): ServerOptions["rate"] {
  const local = host === "localhost" || isLoopbackAddress(host);
  const max = 1_000_000;
  const fallback = local ? 0 : RATE_LIMIT_PER_SECOND;
  const perSecond = readInteger(env, "RATE_LIMIT_PER_SECOND", { fallback, max });
  const burst = readInteger(env, "RATE_LIMIT_BURST", { fallback: Math.max(RATE_LIMIT_BURST, perSecond), min: 1, max });
  return perSecond === 0 ? undefined : { perSecond, burst, now: seconds };
}

/** A monotonic clock. */
export function seconds(): number {
  return process.uptime();
}

/** 128 random bits (CSP 3 §8.2). */
export function nonce(): string {
  return randomBytes(16).toString("base64");
}

/** Prints only the name and the stack frames: a message could quote part of a request. */
export function reportError(error: unknown): void {
  const { name, stack = "" } = error instanceof Error ? error : new Error("Not an error");
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  process.stderr.write(`${[`Unexpected error: ${name}`, ...frames].join("\n")}\n`);
}

function readInteger(
  env: NodeJS.ProcessEnv,
  name: string,
  { fallback, min = 0, max }: { fallback: number; min?: number; max: number },
): number {
  const text = env[name] || String(fallback);
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value;
  throw new SettingError(`${name} ${JSON.stringify(text)} is not a whole number from ${min} to ${max}`);
}

const HELP = `npm run serve

Serves what is built. Environment: HOST (127.0.0.1), PORT (8080), SERVICE_ORIGIN (the built origin),
INDEX_MEMORY_MAX_BYTES (${MEMORY_MAX_BYTES}; a larger registry is read from its files by position),
RATE_LIMIT_PER_SECOND (${RATE_LIMIT_PER_SECOND} requests to resolve and /mcp a second for each client; on a loopback
address 0: no limit), RATE_LIMIT_BURST (${RATE_LIMIT_BURST}, or the former where that is more: requests at once).

  --out DIR        the built release (dist)
  --origin URL     the origin this deployment answers for (SERVICE_ORIGIN, else the built one)
  --help           this text
`;

/** Runs a command line. Returns the exit code; throws SettingError or ReleaseError for a wrong setting. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { out, origin, help } = readArguments(args);
  if (help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  if (origin !== undefined && parseOrigin(origin) === undefined) {
    throw new SettingError(
      `--origin ${quoteOrigin(origin)} is not an absolute http(s) origin such as https://example.org`,
    );
  }
  return serve(out ?? "dist", origin ?? (env["SERVICE_ORIGIN"] || undefined), env);
}

function readArguments(args: readonly string[]): { out?: string; origin?: string; help?: boolean } {
  try {
    const string = { type: "string" } as const;
    const options = { out: string, origin: string, help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new SettingError((error as Error).message.split(". ")[0] ?? "Wrong option");
  }
}

/** Runs the program. */
export async function start(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof ReleaseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
