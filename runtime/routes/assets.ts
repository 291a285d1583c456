/**
 * Plain page assets. Their names carry the digest of their bytes, so they need no validators and
 * never change.
 * Source: RFC 9239 §6 for the media type of scripts; RFC 9110 §13.1.1 for If-Match.
 */
import { ASSET_CACHE_CONTROL } from "../contract/policy.ts";
import { COMMON_FIELDS, type RepresentationFields } from "../http/representation.ts";
import { answerRepresentation } from "./answer.ts";
import type { Route } from "./route.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The route of the asset at `path`. Throws if its suffix has no media type. */
export function assetRoute(path: string, body: Uint8Array): Route {
  const mediaType = MEDIA_TYPES[path.slice(path.lastIndexOf(".") + 1)];
  if (mediaType === undefined) throw new Error(`No media type for ${path}`);
  const ok = [...COMMON_FIELDS, "Cache-Control", ASSET_CACHE_CONTROL, "Content-Type", mediaType];
  const fields: RepresentationFields = { ok, notModified: [], entityTag: undefined, reusable: false };
  return (request) => answerRepresentation(request, fields, body);
}
