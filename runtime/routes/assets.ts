/**
 * Plain page assets by @fastify/static, and nothing else by it: their names carry the digest of their bytes, so they need
 * no validators and never change. What is served is the list of the manifest; any other name is not found.
 */
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ASSET_CACHE_CONTROL, paths } from "../policy.ts";
import type { Release } from "../release.ts";
import { COMMON_FIELDS } from "../representation.ts";
import { mountOthers } from "./mount.ts";

export function mountAssets(app: FastifyInstance, { directory, names }: Release["assets"]): void {
  void app.register(fastifyStatic, {
    root: directory,
    prefix: `${paths.assets}/`,
    // One route for each file there is at start.
    wildcard: false,
    decorateReply: false,
    index: false,
    etag: false,
    lastModified: false,
    acceptRanges: false,
    cacheControl: false,
    setHeaders(response) {
      response.header("Cache-Control", ASSET_CACHE_CONTROL);
      for (let i = 0; i < COMMON_FIELDS.length; i += 2) {
        response.header(COMMON_FIELDS[i] ?? "", COMMON_FIELDS[i + 1] ?? "");
      }
    },
  });
  for (const name of names) mountOthers(app, `${paths.assets}/${name}`, ["GET", "HEAD"]);
}
