/**
 * The service as a Worker (module syntax): the fetch handler over a release in its static assets
 * and its bucket. The deployment identity answers 503, because no Workers platform lets code
 * compare the files that it runs from.
 */
import { createFetchHandler, type FetchHandler } from "./fetch.ts";
import { type Log, logError } from "../../../../runtime/operations/log.ts";
import { type EdgeEnvironment, type EdgeRelease, openEdgeRelease } from "./edge.ts";

export interface Worker {
  fetch(this: void, request: Request, environment: EdgeEnvironment): Promise<Response>;
}

export function createWorker(release: EdgeRelease): Worker {
  let handler: FetchHandler | undefined;
  return {
    fetch(request, environment) {
      handler ??= createFetchHandler(openEdgeRelease(release, environment), {
        onError: (error) => logError(log, error),
      });
      return handler(request);
    },
  };
}

/** Written to the platform's log, which has its own levels. */
const log: Log = {
  info: (_event, message) => console.log(message),
  error: (_event, message) => console.error(message),
};
