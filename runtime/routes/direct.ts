/** Routes whose target is a path of ours to the letter: they need no framework to be found. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isConceptCode } from "../contract/code.ts";
import { paths } from "../contract/policy.ts";
import type { GuardedRoute, Methods } from "./methods.ts";

/** What answers every request that it gets. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Answers a request at once where its target is one of our paths to the letter; false leaves it to the framework. */
export type DirectRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A concept's path is plain too: a ConceptCode needs no percent-encoding, so there is nothing to decode. */
export function directRouter(routes: ReadonlyMap<string, Methods>, concept: GuardedRoute): DirectRouter {
  const prefix = `${paths.concepts}/`;
  return (request, response) => {
    const { url = "", method } = request;
    if (method !== "GET" && method !== "POST") return false;
    const methods = routes.get(url);
    const route = methods?.[method] ?? methods?.ALL;
    if (route !== undefined) route(request, response, {});
    else if (method === "GET" && url.startsWith(prefix) && isConceptCode(url.slice(prefix.length))) {
      concept(request, response, { code: url.slice(prefix.length) });
    } else return false;
    return true;
  };
}
