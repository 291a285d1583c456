/**
 * Parses the command line and the environment, once. A wrong value throws a SettingError, whose
 * message is one line for the operator. docs/operations.md lists the variables.
 */
import { parseArgs } from "node:util";
import { KEEP_ALIVE_TIMEOUT_MS, RATE_LIMIT_BURST, RATE_LIMIT_PER_SECOND } from "../contract/limits.ts";
import { parseOrigin, quoteOrigin } from "../http/origin.ts";
import { isLoopbackAddress } from "../http/caller.ts";
import type { RateLimit } from "../http/token-bucket.ts";
import { MEMORY_MAX_BYTES } from "../release/registry-files.ts";

/** A wrong option or variable. */
export class SettingError extends Error {
  override name = "SettingError";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where to listen, as node:net takes it: an address, a Unix socket, or an inherited socket. */
export type Address =
  | { readonly host: string; readonly port: number; readonly reusePort?: boolean }
  | { readonly path: string }
  | { readonly fd: number };

export interface Settings {
  readonly address: Address;
  /** Undefined if there is no admin listener. */
  readonly admin: Address | undefined;
  readonly indexMemoryMaxBytes: number;
  /** The URLs of the registry's store; empty if the registry is in the release. */
  readonly store: readonly string[];
  readonly storeCacheBytes: number;
  /** Undefined if there is no limit. */
  readonly rate: RateLimit | undefined;
  /** As written; proxies.ts parses it. */
  readonly trustedProxies: string;
  readonly keepAliveTimeoutMs: number;
  readonly drainDelayMs: number;
  readonly logsJson: boolean;
}

/** Default size of the store's cache in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** No load balancer keeps an idle connection longer. */
const KEEP_ALIVE_MAX_MS = 3_600_000;

/** No load balancer takes longer to notice that a server is not ready. */
const DRAIN_DELAY_MAX_MS = 600_000;

/** `program` is how the operator runs it. */
export const helpOf = (program: string): string => `${program} [options]

Serves the built release. Environment: HOST (127.0.0.1, or unix:/path), PORT (8080), SERVICE_ORIGIN (the built origin),
INDEX_MEMORY_MAX_BYTES (${MEMORY_MAX_BYTES}; a larger registry is read from its files by position),
RATE_LIMIT_PER_SECOND (${RATE_LIMIT_PER_SECOND} requests to resolve and /mcp per second for each client; on a loopback
address 0: no limit), RATE_LIMIT_BURST (${RATE_LIMIT_BURST}, or the former if that is more: requests at once),
TRUSTED_PROXIES (addresses, prefixes or unix, whose Forwarded or X-Forwarded-For names the client to limit),
KEEP_ALIVE_TIMEOUT_MS (${KEEP_ALIVE_TIMEOUT_MS}: how long an idle connection stays open; every proxy in front must close it sooner),
ADMIN_ADDRESS (off; 127.0.0.1:9464 or unix:/path for /livez, /readyz and /metrics), DRAIN_DELAY_MS (0: how long the
service is not ready before the listener closes), REUSE_PORT (1: several processes on one port), LOG_FORMAT (text or
json). LISTEN_FDS and LISTEN_PID of a supervisor: one listening socket, which overrides HOST and PORT.
STORE_URL (redis://host:port, several separated by commas, or https://host/dist/: bundle and index are there and not
in the release), STORE_CACHE_BYTES (${CACHE_BYTES}: how much of them is cached in memory).

  --out DIR        the built release (dist)
  --port PORT      PORT
  --store URL      STORE_URL
  --origin URL     the origin this deployment answers for (SERVICE_ORIGIN, else the built one)
  --strict         do not start, and resolve nothing, while the deployment identity is unavailable
  --help           this text
`;

type Process = Pick<NodeJS.Process, "pid" | "platform" | "versions">;

/** Throws SettingError. */
export function readSettings(env: Environment, process: Process): Settings {
  const address = readAddress(env, process);
  const trustedProxies = env["TRUSTED_PROXIES"] ?? "";
  const max = Number.MAX_SAFE_INTEGER;
  return {
    address,
    admin: readAdmin(env["ADMIN_ADDRESS"], process),
    indexMemoryMaxBytes: readInteger(env, "INDEX_MEMORY_MAX_BYTES", { fallback: MEMORY_MAX_BYTES, max }),
    store: env["STORE_URL"] ? readStore("STORE_URL", env["STORE_URL"]) : [],
    storeCacheBytes: readInteger(env, "STORE_CACHE_BYTES", { fallback: CACHE_BYTES, min: 1024 * 1024, max }),
    rate: readRateLimit(env, isLocal(address) && trustedProxies === ""),
    trustedProxies,
    keepAliveTimeoutMs: readInteger(env, "KEEP_ALIVE_TIMEOUT_MS", {
      fallback: KEEP_ALIVE_TIMEOUT_MS,
      // Node reads 0 as no limit.
      min: 1000,
      max: KEEP_ALIVE_MAX_MS,
    }),
    drainDelayMs: readInteger(env, "DRAIN_DELAY_MS", { fallback: 0, max: DRAIN_DELAY_MAX_MS }),
    logsJson: readChoice(env, "LOG_FORMAT", ["text", "json"]) === "json",
  };
}

/** The addresses of a store. Throws SettingError, which must not quote a password. */
export function readStore(name: string, text: string): string[] {
  const written = text.split(",").map((one) => one.trim());
  const urls = written.flatMap((one) => (URL.canParse(one) ? [new URL(one)] : []));
  const [protocol = "", ...others] = new Set(urls.map((url) => url.protocol));
  const isHttp = /^https?:$/.test(protocol) && urls.length === 1;
  const isRedis = /^rediss?:$/.test(protocol) && urls.every(({ hostname }) => hostname !== "");
  if (urls.length < written.length || others.length > 0 || !(isHttp || isRedis))
    throw new SettingError(
      `${name} is neither addresses redis://host:port, separated by commas, nor one address such as https://host/dist/`,
    );
  if (isHttp && urls.some(({ username, password, search }) => username + password + search !== ""))
    throw new SettingError(`${name}: an http(s) address must not have a user, password or query`);
  try {
    // The Redis client decodes both, and would fail at each read.
    for (const { username, password } of urls) decodeURIComponent(`${username}:${password}`);
  } catch {
    throw new SettingError(`${name}: the user or password is not valid percent-encoding; write a percent sign as %25`);
  }
  return urls.map(({ href }) => href);
}

/** A socket passed by a supervisor overrides HOST and PORT (sd_listen_fds(3)). */
function readAddress(env: Environment, { pid, versions, platform }: Process): Address {
  const port = readInteger(env, "PORT", { fallback: 8080, max: 65_535 });
  const reusePort = readChoice(env, "REUSE_PORT", ["0", "1"]) === "1";
  if (reusePort && !canReusePort(versions.node))
    throw new SettingError(`REUSE_PORT needs Node.js 22.12, 23.1 or newer, and this is ${versions.node}`);
  if (env["LISTEN_FDS"] && Number(env["LISTEN_PID"]) === pid) {
    if (env["LISTEN_FDS"] === "1") return { fd: FIRST_FD };
    throw new SettingError(`LISTEN_FDS ${JSON.stringify(env["LISTEN_FDS"])}: the service takes one socket`);
  }
  const host = env["HOST"] || "127.0.0.1";
  if (host.startsWith(UNIX)) return readPath("HOST", host, platform);
  return { host, port, ...(reusePort && { reusePort }) };
}

const FIRST_FD = 3;
const UNIX = "unix:";

/** Older versions of Node ignore the option. */
function canReusePort(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12);
}

function readAdmin(text = "", { platform }: Process): Address | undefined {
  if (text === "") return undefined;
  if (text.startsWith(UNIX)) return readPath("ADMIN_ADDRESS", text, platform);
  const [, host, port] = /^(?:\[([\d:a-f]+)\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  if (Number(port) <= 65_535) return { host: host ?? text.slice(0, text.lastIndexOf(":")), port: Number(port) };
  throw new SettingError(`ADMIN_ADDRESS ${JSON.stringify(text)} is not an address such as 127.0.0.1:9464`);
}

function readPath(name: string, text: string, platform: NodeJS.Platform): Address {
  const path = text.slice(UNIX.length);
  // The size of sun_path without the terminating byte; a longer path would be truncated.
  const most = platform === "linux" ? 107 : 103;
  if (Buffer.byteLength(path) > most)
    throw new SettingError(`${name} ${JSON.stringify(text)} is longer than ${most} bytes, and the system would cut it`);
  if (path.startsWith("/") && !path.includes("\0")) return { path };
  throw new SettingError(`${name} ${JSON.stringify(text)} is not an absolute path such as unix:/run/words/http.sock`);
}

/** Whether only this machine can reach an address; of an inherited socket that is unknown. */
function isLocal(address: Address): boolean {
  if ("host" in address) return address.host === "localhost" || isLoopbackAddress(address.host);
  return "path" in address;
}

/** The limit for each client; undefined if it is 0, or not set and clients are local. */
function readRateLimit(env: Environment, local: boolean): RateLimit | undefined {
  const max = 1_000_000;
  const fallback = local ? 0 : RATE_LIMIT_PER_SECOND;
  const perSecond = readInteger(env, "RATE_LIMIT_PER_SECOND", { fallback, max });
  const burst = readInteger(env, "RATE_LIMIT_BURST", { fallback: Math.max(RATE_LIMIT_BURST, perSecond), min: 1, max });
  return perSecond === 0 ? undefined : { perSecond, burst };
}

function readChoice(env: Environment, name: string, [first, second]: readonly [string, string]): string {
  const text = env[name] || first;
  if (text === first || text === second) return text;
  throw new SettingError(`${name} ${JSON.stringify(text)} is not ${first} or ${second}`);
}

function readInteger(
  env: Environment,
  name: string,
  { fallback, min = 0, max }: { fallback: number; min?: number; max: number },
): number {
  const text = env[name] || String(fallback);
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value;
  throw new SettingError(`${name} ${JSON.stringify(text)} is not a whole number from ${min} to ${max}`);
}

const OPTIONS = {
  out: { type: "string" },
  port: { type: "string" },
  origin: { type: "string" },
  store: { type: "string" },
  strict: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads a command line. Throws SettingError. */
export function readArguments(args: readonly string[]) {
  const values = parseOptions(args);
  const { help, origin } = values;
  if (help !== true && origin !== undefined && parseOrigin(origin) === undefined)
    throw new SettingError(
      `--origin ${quoteOrigin(origin)} is not an absolute http(s) origin such as https://example.org`,
    );
  return values;
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new SettingError((error as Error).message.split(". ")[0] ?? "Wrong option");
  }
}
