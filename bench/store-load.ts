/**
 * Resolves at several servers in turn, in slots of random order. Prints for each server the
 * requests per second and the median and 99th-percentile latency, for expressions that were asked
 * before and for others.
 */
import http from "node:http";
import type { ConceptDetail } from "../runtime/contract/concept.ts";
import { openRelease } from "../runtime/release/release.ts";

const CONNECTIONS = 32;
const SLOTS = 12;
const SLOT_MS = 400;
/** The number of expressions that are asked again and again. */
const KNOWN = 200;
/** Coprime to every number of concepts here, so that each is asked once before any repeats. */
const STRIDE = 7919;
const [out = "", ...ports] = process.argv.slice(2);
const { index } = openRelease(out);

function bodyOf(n: number): string {
  const bytes = index.read(index.concept((n * STRIDE) % index.conceptCount).detail);
  const { expressions } = JSON.parse(Buffer.from(bytes).toString()) as ConceptDetail;
  const { expression = "" } = expressions[n % expressions.length] ?? {};
  return JSON.stringify({ expression });
}

function ask(agent: http.Agent, port: string, body: string): Promise<number | undefined> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    http
      .request({ agent, port, host: "127.0.0.1", method: "POST", path: "/api/v1/resolve", headers })
      .on("error", reject)
      .on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)))
      .end(body);
  });
}

class Variant {
  readonly times: number[] = [];
  seconds = 0;
  failed = 0;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  readonly #port: string;

  constructor(port: string) {
    this.#port = port;
  }

  async run(bodies: () => string, counts = true): Promise<void> {
    const begun = performance.now();
    const work = async (): Promise<void> => {
      while (performance.now() - begun < SLOT_MS) {
        const [body, started] = [bodies(), performance.now()];
        const status = await ask(this.#agent, this.#port, body);
        if (!counts) continue;
        this.times.push(performance.now() - started);
        if (status !== 200) this.failed++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    if (counts) this.seconds += (performance.now() - begun) / 1000;
  }

  result(): { rate: number; p50: number; p99: number; failed: number } {
    const sorted = this.times.sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { rate: sorted.length / this.seconds, p50: at(0.5), p99: at(0.99), failed: this.failed };
  }
}

const known = Array.from({ length: KNOWN }, (_none, n) => bodyOf(n));
const found: Record<string, ReturnType<Variant["result"]>[]> = {};
for (const kind of ["warm", "cold"]) {
  const variants = ports.map((port) => new Variant(port));
  // Each server has its own sequence, so that none profits from another.
  const next: number[] = variants.map(() => (kind === "warm" ? 0 : KNOWN));
  for (let slot = -2; slot < SLOTS; slot++) {
    const order = variants.map((variant, i) => ({ variant, i, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { variant, i } of order) {
      const bodies = (): string => {
        const n = next[i] ?? 0;
        next[i] = n + 1;
        return kind === "warm" ? (known[n % KNOWN] ?? "") : bodyOf(n);
      };
      await variant.run(bodies, slot >= 0);
    }
  }
  found[kind] = variants.map((variant) => variant.result());
}
process.stdout.write(JSON.stringify(found));
process.exit(0);
