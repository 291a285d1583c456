/**
 * Counts answers, and formats counters and measurements as Prometheus text. The server reports each
 * answer with its route's path, so every label is one of a closed set and none contains any part of
 * a request.
 * Source: Prometheus text exposition format 0.0.4.
 */
import { ABSTENTION_REASONS } from "../../contract/resolution.ts";
import { paths } from "../../contract/paths.ts";
import type { Answer } from "../../routes/route.ts";

/** Upper bounds in seconds; the last bucket has none. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.1, 1];
/** The routes by which programs resolve; all others count as one transport. */
const TRANSPORTS: Readonly<Record<string, string>> = { [paths.resolve]: "rest", [paths.mcp]: "mcp" };
/**
 * The envelope after the echo of the expression, as registry/answer.ts formats it. An expression in
 * JSON cannot contain unescaped quotes, so the first match is the answer's own.
 */
const OUTCOME = /\},"status":"([a-z]+)","reason":(?:null|"([a-z_]+)")/;

class Route {
  readonly codes = new Map<number, number>();
  readonly outcomes = new Map<string, number>();
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  seconds = 0;
}

/** A metric with its samples; a histogram adds `suffix` to the name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter" | "histogram";
  readonly samples: readonly Sample[];
}
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number, suffix?: string];

export class Metrics {
  readonly #routes = new Map<string, Route>();

  /** Counts an answer. `path` is from the route table. */
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

  families(): Family[] {
    const requests = [...this.#routes].flatMap(([route, { codes }]) =>
      [...codes].map(([code, count]): Sample => [{ route, code: String(code) }, count]),
    );
    // Every combination, so that every counter begins at 0.
    const resolutions = Object.entries(TRANSPORTS).flatMap(([path, transport]) =>
      ["resolved", ...ABSTENTION_REASONS].map((outcome): Sample => {
        const isResolved = outcome === "resolved";
        const labels = { transport, status: isResolved ? outcome : "abstained", reason: isResolved ? "" : outcome };
        return [labels, this.#routes.get(path)?.outcomes.get(outcome) ?? 0];
      }),
    );
    const durations = [...Object.values(TRANSPORTS), "other"].flatMap((transport) => this.#durations(transport));
    const [http, counter] = ["srs_http_request", "counter"] as const;
    return [
      { name: `${http}s_total`, help: "Answers by route and code", type: counter, samples: requests },
      { name: "srs_resolutions_total", help: "Resolutions by outcome", type: counter, samples: resolutions },
      {
        name: `${http}_duration_seconds`,
        help: "Time from request head to answer",
        type: "histogram",
        samples: durations,
      },
    ];
  }

  #durations(transport: string): Sample[] {
    const routes = [...this.#routes].filter(([path]) => (TRANSPORTS[path] ?? "other") === transport);
    const sum = (value: (route: Route) => number): number => routes.reduce((all, [, route]) => all + value(route), 0);
    let count = 0;
    const buckets = [...BOUNDS, "+Inf"].map((bound, i): Sample => {
      count += sum((route) => route.buckets[i] ?? 0);
      return [{ transport, le: String(bound) }, count, "_bucket"];
    });
    return [...buckets, [{ transport }, sum(({ seconds }) => seconds), "_sum"], [{ transport }, count, "_count"]];
  }
}

export function formatFamilies(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value, suffix = ""]) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text.replaceAll(/[\\"]/g, "\\$&")}"`);
      return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
