/**
 * Plain page assets by @fastify/static, and nothing else by it: their names carry the digest of their bytes, so they need
 * no validators and never change. What is served is the list of the manifest; any other name is not found.
 */
import fastifyStatic, { type FastifyStaticOptions } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { isPreconditionFailed } from "../http/conditional.ts";
import { ASSET_CACHE_CONTROL, paths } from "../contract/policy.ts";
import { problem } from "../contract/problem.ts";
import type { Release } from "../release/release.ts";
import { sendProblem } from "./reply.ts";
import { COMMON_FIELDS } from "../http/representation.ts";
import { forMethods } from "./methods.ts";

const ACCEPTED = ["GET", "HEAD"];
const refuseOthers = forMethods(ACCEPTED, undefined);

export function mountAssets(app: FastifyInstance, { directory, names }: Release["assets"]): void {
  void app.register(async (scope) => {
    scope.addHook("onRequest", async ({ raw }, reply) => {
      if (!ACCEPTED.includes(raw.method ?? "")) refuseOthers(raw, reply.hijack().raw, {});
      else if (isPreconditionFailed(raw.headers["if-match"], undefined)) {
        sendProblem(reply.hijack().raw, problem("precondition_failed"));
      }
      // There is no modification date; the library would refuse what RFC 9110 §13.1.4 ignores.
      delete raw.headers["if-match"];
      delete raw.headers["if-unmodified-since"];
    });
    await scope.register(fastifyStatic, options({ directory, names }));
  });
}

function options({ directory, names }: Release["assets"]): FastifyStaticOptions {
  return {
    root: directory,
    prefix: `${paths.assets}/`,
    // One route for each file there is at start.
    wildcard: false,
    // A file beside those of the manifest is not the release's.
    allowedPath: (pathName) => names.includes(pathName.slice(1)),
    decorateReply: false,
    index: false,
    etag: false,
    lastModified: false,
    acceptRanges: false,
    cacheControl: false,
    setHeaders(response, file) {
      // RFC 9239 §6; the library has the older name.
      if (file.endsWith(".js")) response.header("Content-Type", "text/javascript; charset=utf-8");
      response.header("Cache-Control", ASSET_CACHE_CONTROL);
      for (let i = 0; i < COMMON_FIELDS.length; i += 2) {
        response.header(COMMON_FIELDS[i] ?? "", COMMON_FIELDS[i + 1] ?? "");
      }
    },
  };
}
