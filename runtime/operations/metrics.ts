/**
 * Counts answers, and prints what is counted and measured as Prometheus text. The one writer of the
 * server reports each answer with its route's path, so every label is one of a closed set and
 * nothing of a request is in them.
 * Source: Prometheus text exposition format 0.0.4.
 */
import { ABSTENTION_REASONS } from "../contract/resolution.ts";
import { paths } from "../contract/policy.ts";
import type { Answer } from "../routes/route.ts";

/** Upper bounds in seconds; the last bucket has none. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.1, 1];
/** Where programs resolve; all other routes are one transport. */
const TRANSPORTS: Readonly<Record<string, string>> = { [paths.resolve]: "rest", [paths.mcp]: "mcp" };
/**
 * The envelope behind the echo of the expression, as registry/answer.ts prints it. In a JSON text
 * an expression cannot have these quotes, so the first match is the answer's own.
 */
const OUTCOME = /\},"status":"([a-z]+)","reason":(?:null|"([a-z_]+)")/;

class Route {
  readonly codes = new Map<number, number>();
  readonly outcomes = new Map<string, number>();
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  seconds = 0;
}

/** A gauge or a counter that is read when it is printed. */
export interface Sample {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export class Metrics {
  readonly #routes = new Map<string, Route>();

  /** Counts an answer. `path` is that of the route table. */
  count(path: string, { status, body }: Pick<Answer, "status" | "body">, seconds: number): void {
    let route = this.#routes.get(path);
    if (route === undefined) this.#routes.set(path, (route = new Route()));
    route.codes.set(status, (route.codes.get(status) ?? 0) + 1);
    const found = typeof body === "string" && path in TRANSPORTS ? OUTCOME.exec(body) : null;
    const outcome = found?.[2] ?? found?.[1];
    if (outcome !== undefined) route.outcomes.set(outcome, (route.outcomes.get(outcome) ?? 0) + 1);
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Infinity)) bucket++;
    route.buckets[bucket] = (route.buckets[bucket] ?? 0) + 1;
    route.seconds += seconds;
  }

  format(samples: readonly Sample[]): string {
    const text = new Exposition();
    for (const { name, help, type, labels = {}, value } of samples)
      text.family(name, type, help).line(name, labels, value);
    this.#formatRequests(text);
    this.#formatResolutions(text);
    this.#formatDurations(text);
    return text.toString();
  }

  #formatRequests(text: Exposition): void {
    const name = "srs_http_requests_total";
    text.family(name, "counter", "Answers by route and status code");
    for (const [route, { codes }] of this.#routes) {
      for (const [code, count] of codes) text.line(name, { route, code: String(code) }, count);
    }
  }

  /** Every combination, so that a rate begins at 0. */
  #formatResolutions(text: Exposition): void {
    const name = "srs_resolutions_total";
    text.family(name, "counter", "Resolutions by transport, status and reason");
    for (const [path, transport] of Object.entries(TRANSPORTS)) {
      const outcomes = this.#routes.get(path)?.outcomes;
      for (const outcome of ["resolved", ...ABSTENTION_REASONS]) {
        const isResolved = outcome === "resolved";
        const labels = { transport, status: isResolved ? outcome : "abstained", reason: isResolved ? "" : outcome };
        text.line(name, labels, outcomes?.get(outcome) ?? 0);
      }
    }
  }

  #formatDurations(text: Exposition): void {
    const name = "srs_http_request_duration_seconds";
    text.family(name, "histogram", "From the head of a request to its answer");
    for (const transport of [...Object.values(TRANSPORTS), "other"]) {
      const routes = [...this.#routes].filter(([path]) => (TRANSPORTS[path] ?? "other") === transport);
      let count = 0;
      for (const [i, bound] of [...BOUNDS, "+Inf"].entries()) {
        count += routes.reduce((sum, [, { buckets }]) => sum + (buckets[i] ?? 0), 0);
        text.line(`${name}_bucket`, { transport, le: String(bound) }, count);
      }
      text.line(`${name}_sum`, { transport }, routes.reduce((sum, [, { seconds }]) => sum + seconds, 0)); // prettier-ignore
      text.line(`${name}_count`, { transport }, count);
    }
  }
}

class Exposition {
  #text = "";

  family(name: string, type: string, help: string): this {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    return this;
  }

  line(name: string, labels: Readonly<Record<string, string>>, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text.replaceAll(/[\\"]/g, "\\$&")}"`);
    this.#text += `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  }

  toString(): string {
    return this.#text;
  }
}
