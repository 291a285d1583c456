/** The hosts that a configuration is written for, with what none of theirs can do. */
import { caddyfile } from "./caddy.ts";
import { nginxConfiguration } from "./nginx.ts";
import type { HostOptions, HostTable } from "./table.ts";

export interface Host {
  /** The texts of files by their names. */
  make(this: void, table: HostTable, options: HostOptions): Readonly<Record<string, string>>;
  /** Files that are the same for every release, of generator/hosting/files. */
  readonly scripts: readonly string[];
  /** One line for each law that is not kept; the test of hosts holds them against the real program. */
  cannot(this: void, hasRuntime: boolean): string[];
}

const COMPUTED = "concepts, resolve, MCP, /concepts: need a runtime, and --runtime names one";
const IDENTITY = "identity: a host of files cannot prove what runs, so it answers 503 and says so";
const PAGE_DIGESTS = "digests: pages have none, because each answer has its own nonce";

const NO_NONCE = "pages: it cannot put a nonce into a page, so its policy names the own origin instead";
const FIRST_FORM = "negotiation: weights in Accept do not count, and a path of several forms gives the first";

export const HOSTS = {
  nginx: {
    make: (table, options) => ({ "nginx.conf": nginxConfiguration(table, options) }),
    scripts: ["negotiate.js"],
    cannot: (hasRuntime) => [PAGE_DIGESTS, ...(hasRuntime ? [] : [IDENTITY, COMPUTED])],
  },
  caddy: {
    make: (table, options) => ({ Caddyfile: caddyfile(table, options) }),
    scripts: [],
    cannot: (hasRuntime) => (hasRuntime ? [] : [NO_NONCE, FIRST_FORM, PAGE_DIGESTS, IDENTITY, COMPUTED]),
  },
} as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof HOSTS;
