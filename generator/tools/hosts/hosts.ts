/** The hosts that a configuration is written for, with the laws that each cannot keep. */
import { apacheFiles } from "./apache.ts";
import { caddyfile } from "./caddy.ts";
import { headerFiles, headersJson } from "./headers.ts";
import { nginxConfiguration } from "./nginx.ts";
import { HOST_NAMES, type HostName } from "../../commands/service-file.ts";
import type { HostOptions, HostTable } from "./table.ts";

export interface Host {
  /** The texts of files by their names. */
  make(this: void, table: HostTable, options: HostOptions): Readonly<Record<string, string>>;
  /** Files that are the same for every release, from generator/tools/hosts/files. */
  readonly scripts?: readonly string[];
  /** Whether it can serve concepts and lists as files. */
  readonly prerenders?: boolean;
  /**
   * One line for each law that is not kept; the test of hosts compares them with the real program.
   */
  cannot(this: void, from: Behind): string[];
}

/**
 * The source of answers: also a runtime, or only files, with or without concepts and lists among
 * them.
 */
export type Behind = "runtime" | "prerendered" | "files";

const computed = (from: Behind): string =>
  from === "prerendered"
    ? "filter, resolve, MCP: need a runtime, and --runtime names one"
    : "concepts, filter, resolve, MCP, /concepts: need a runtime, and --runtime names one; --prerender writes the concepts";
const IDENTITY = "identity: a host of files cannot prove what runs, so it answers 503 and says so";
const PAGE_DIGESTS = "digests: pages have none, because each answer has its own nonce";

const NO_NONCE = "pages: it cannot put a nonce into a page, so its policy names its own origin instead";
const NO_WEIGHTS = "negotiation: weights in Accept do not count; a client gets the form that it names, else the first";

const MALFORMED = "negotiation: a malformed range in Accept may count, which the service ignores";

const ONE_FORM = "negotiation: there is none; a path with several forms gives the page";
const OF_FILES = [
  PAGE_DIGESTS,
  "identity: the document would be served as if somebody had checked it, so do not upload it",
  "concepts, filter, resolve, MCP, /concepts: need a runtime at another host",
];

export const HOSTS = {
  nginx: {
    make: (table, options) => ({ "nginx.conf": nginxConfiguration(table, options) }),
    scripts: ["negotiate.js"],
    prerenders: true,
    cannot: (from) => [PAGE_DIGESTS, ...(from === "runtime" ? [] : [IDENTITY, computed(from)])],
  },
  apache: {
    make: apacheFiles,
    prerenders: true,
    cannot: (from) => (from === "runtime" ? [] : [NO_NONCE, MALFORMED, PAGE_DIGESTS, IDENTITY, computed(from)]),
  },
  caddy: {
    make: (table, options) => ({ Caddyfile: caddyfile(table, options) }),
    prerenders: true,
    cannot: (from) => (from === "runtime" ? [] : [NO_NONCE, NO_WEIGHTS, PAGE_DIGESTS, IDENTITY, computed(from)]),
  },
  cloudflare: {
    // A project instead (cloudflare.ts).
    make: () => ({}),
    cannot: () => [
      "identity: code cannot compare the files that it runs from, so it answers 503 and says so",
      "no recoding: it compresses unless a rule of the zone switches that off",
    ],
  },
  netlify: {
    make: headerFiles,
    cannot: () => [
      NO_NONCE,
      "ETag, 304: it may keep its own",
      ONE_FORM,
      "406, 412, 405: are answered in its own words",
      ...OF_FILES,
    ],
  },
  headers: {
    make: headersJson,
    cannot: () => ["verify-origin finds out what a host does with this table"],
  },
} as const satisfies Readonly<Record<HostName, Host>>;
export const PRERENDERING = HOST_NAMES.filter((name) => (HOSTS[name] as Host).prerenders);
