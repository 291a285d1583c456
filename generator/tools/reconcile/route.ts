/**
 * The reconciliation service of a release as one route: two endpoints, one for each version of the
 * protocol, over the resolver of the service. It needs no Node API, so that a fetch handler and a
 * server give the same answers.
 * Source: Reconciliation Service API 0.2 and 1.0-draft
 * (https://reconciliation-api.github.io/specs/).
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { problem } from "../../../runtime/contract/problem.ts";
import { pathOf } from "../../../runtime/http/target.ts";
import { documentOf, type Served } from "../../../runtime/release/served.ts";
import { answerOptions, answerProblem } from "../../../runtime/routes/answer.ts";
import { refuseCoding } from "../../../runtime/routes/limiter.ts";
import type { Answer, Request, Route } from "../../../runtime/routes/route.ts";
import { endpoint02, endpoint10 } from "./endpoints.ts";
import type { Service } from "./listings.ts";
import { propertiesOf } from "./properties.ts";
import { answerJson, callbackOf, type Entries, type Entry, type Handler, type Read } from "./wire.ts";

const ENDPOINTS = { "/0.2": endpoint02, "/1.0-draft": endpoint10 } as const;

/**
 * An address as its requests have it, without slashes at its end: clients remove `..` from it (URL
 * Standard §4.4).
 */
export function addressOf(base: string): string {
  return new URL(base).href.replace(/\/+$/, "");
}

/** Mounts the service at an absolute address, which the manifests name. */
export function reconcileRoute(release: Served, base: string): Route {
  const address = addressOf(base);
  const prefix = pathOf(address).replace(/\/$/, "");
  const table = tableOf(release, address);
  return (request) => {
    const path = pathOf(request.target);
    const entry = path.startsWith(prefix) ? table.get(path.slice(prefix.length).replace(/\/$/, "")) : undefined;
    if (entry === undefined) return answerProblem(request, problem("not_found"));
    const { get, post } = entry;
    const allow = `${get === undefined ? "" : "GET, HEAD, "}${post === undefined ? "" : "POST, "}OPTIONS`;
    switch (request.method) {
      case "OPTIONS":
        return answerOptions(allow);
      case "GET":
      case "HEAD":
        if (get !== undefined) return answer(request, get, path.startsWith(`${prefix}/0.2`));
        break;
      case "POST":
        if (post !== undefined) return refuseCoding(request) ?? answer(request, post, false);
    }
    return answerProblem(request, problem("method_not_allowed"), ["Allow", allow]);
  };
}

/** The entries by the path below the address. */
function tableOf(release: Served, address: string): ReadonlyMap<string, Entry> {
  const status = JSON.parse(decoder.decode(documentOf(release, paths.status))) as { data: { domains: string[] } };
  const { domains } = status.data;
  const service = { release, domains, properties: propertiesOf(release.index) };
  const { name, registryVersion } = release.manifest.registry;
  const endpoints = Object.keys(ENDPOINTS).map((path) => [path.slice(1), address + path]);
  const list = { name, registryVersion, endpoints: Object.fromEntries(endpoints) as object };
  const entries = Object.entries<(of: Service) => Entries>(ENDPOINTS).flatMap(([path, endpoint]) =>
    Object.entries(endpoint({ ...service, endpoint: address + path })).map(
      ([below, entry]) => [path + below, entry] as const,
    ),
  );
  return new Map([["", { get: () => ({ ok: true, value: list }) }], ...entries]);
}

async function answer(request: Request, handler: Handler, hasCallback: boolean): Promise<Answer> {
  const callback: Read<string | undefined> = hasCallback ? callbackOf(request) : { ok: true, value: undefined };
  if (!callback.ok) return answerProblem(request, callback.problem);
  const outcome = await handler(request);
  if ("status" in outcome) return outcome;
  if (outcome.ok) return answerJson(outcome.value, callback.value);
  const refused = answerProblem(request, outcome.problem);
  return outcome.left === true ? { ...refused, leavesBody: true } : refused;
}

const decoder = new TextDecoder();
