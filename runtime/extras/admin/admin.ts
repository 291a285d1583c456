/**
 * The admin listener, for operators and not for clients: whether the process lives, whether it
 * takes requests, and its counters. It answers from memory, except for the state of the deployment
 * identity.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "../../contract/limits.ts";
import { product } from "../../contract/product.ts";
import { pathOf } from "../../http/target.ts";
import type { TokenBuckets } from "../../http/token-bucket.ts";
import { http } from "../../node/http.ts";
import type { Identity } from "../../release/identity.ts";
import type { Release } from "../../release/release.ts";
import type { Observer } from "../../node/writer.ts";
import type { Health } from "../../operations/health.ts";
import { listenOn } from "../../operations/listen.ts";
import { type Family, formatFamilies, Metrics } from "./metrics.ts";
import type { Address } from "../../operations/settings.ts";

export interface Sources {
  readonly release: Release;
  readonly health: Health;
  readonly identity: () => Promise<Identity>;
  /** Undefined if there is no limit. */
  readonly buckets: TokenBuckets | undefined;
  /** Seconds of a monotonic clock. */
  readonly now: () => number;
  readonly memory: () => { readonly rss: number; readonly heapUsed: number };
}

export interface Admin {
  readonly observer: Observer;
  close(): void;
}

/** Opens the listener. */
export async function openAdmin(address: Address, sources: Sources): Promise<Admin> {
  const metrics = new Metrics();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const answers: Readonly<Record<string, () => Reply | Promise<Reply>>> = {
    "/livez": () => [200, "live\n"],
    "/readyz": () => readiness(sources.health),
    "/metrics": async () => [200, formatFamilies([...(await measure(sources, delay)), ...metrics.families()])],
  };
  const options = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const server = http.createServer(options, ({ method = "", url = "" }, response) => {
    const send = ([status, text]: Reply): void => {
      const fields = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" };
      const allow = status === 405 && { Allow: "GET, HEAD" };
      response.writeHead(status, { ...fields, ...allow, "Content-Length": Buffer.byteLength(text) }).end(text);
    };
    // A probe or a scraper may add a query.
    const path = pathOf(url);
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer === undefined) send([404, "Not found: the paths are /livez, /readyz and /metrics\n"]);
    else if (method !== "GET" && method !== "HEAD") send([405, "Only GET and HEAD are accepted\n"]);
    else void Promise.resolve(answer()).then(send);
  });
  await listenOn(server, address, "ADMIN_ADDRESS");
  return {
    observer: { now: sources.now, answered: (...counted) => metrics.count(...counted) },
    close() {
      delay.disable();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Status and text. */
type Reply = readonly [number, string];

function readiness({ unready, isChecked }: Health): Reply {
  if (unready !== undefined) return [503, `${unready}\n`];
  return [200, isChecked ? "ready\n" : "ready, and the registry is still being checked\n"];
}

async function measure(sources: Sources, delay: IntervalHistogram): Promise<Family[]> {
  const { release, health, identity, buckets, memory } = sources;
  const { registryVersion, contentSha256 } = release.manifest.registry;
  const verified = await identity().then((one) => one.verified, () => false); // prettier-ignore
  const { rss, heapUsed } = memory();
  const [p99, max] = [delay.percentile(99) / 1e9, delay.max / 1e9];
  delay.reset();
  return [
    gauge("srs_build_info", "The program", [[{ version: product.packageVersion }, 1]]),
    gauge("srs_registry_info", "The registry that is served", [
      [{ version: registryVersion, sha256: contentSha256 }, 1],
    ]),
    gauge("srs_identity_verified", "1 while the deployment identity is verified", Number(verified)),
    gauge(
      "srs_registry_checked",
      "1 once the whole registry has been compared with its digests",
      Number(health.isChecked),
    ),
    gauge("srs_registry_blocks_checked", "Blocks that have been compared with their digests", release.blockChecks()),
    {
      ...gauge("srs_rate_limited_clients_total", "Times that a client reached its limit", buckets?.limited ?? 0),
      type: "counter",
    },
    ...storeFamilies(release.store),
    gauge("process_resident_memory_bytes", "Resident memory", rss),
    gauge("nodejs_heap_size_used_bytes", "Used heap of V8", heapUsed),
    gauge("srs_event_loop_delay_p99_seconds", "Delay of the event loop since the last scrape", p99),
    gauge("srs_event_loop_delay_max_seconds", "Longest delay of the event loop since the last scrape", max),
  ];
}

function storeFamilies(store: Release["store"]): Family[] {
  if (store === undefined) return [];
  const samples = Object.entries(store.reads).map(([outcome, count]) => [{ outcome }, count] as const);
  return [{ name: "srs_store_reads_total", help: "Reads of the store by outcome", type: "counter", samples }];
}

function gauge(name: string, help: string, sample: number | Family["samples"]): Family {
  return { name, help, type: "gauge", samples: typeof sample === "number" ? [[{}, sample]] : sample };
}
