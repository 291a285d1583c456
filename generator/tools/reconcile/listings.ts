/**
 * The paths that the endpoints of both versions share: lists to choose from, and the preview of a
 * concept.
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { queryOf } from "../../../runtime/http/parameter.ts";
import type { Served } from "../../../runtime/release/served.ts";
import type { Request } from "../../../runtime/routes/route.ts";
import { runInSteps } from "../../../runtime/registry/block-source.ts";
import { detailOf, typeOf } from "./entities.ts";
import { answerPreview } from "./preview.ts";
import type { Properties } from "./queries.ts";
import { LISTED, type Listing, suggestEntities, suggestNamed } from "./suggest.ts";
import { all, type Entries, type Entry, numberOf, type Outcome, parameterOf, type Read, refused } from "./wire.ts";

export interface Service {
  readonly release: Served;
  readonly domains: readonly string[];
  readonly properties: Properties;
  /** The absolute address of this endpoint, without a trailing slash. */
  readonly endpoint: string;
}

/**
 * The paths that take no body; `skipName` is the version's name for the number of suggestions to
 * skip.
 */
export function listings({ release, domains, properties }: Service, skipName: string): Entries {
  const types = domains.map(typeOf);
  const listed = [...properties.values()].map(({ id, name, description }) => ({ id, name, description }));
  const suggest = (list: (of: Listing) => readonly object[] | Promise<readonly object[]>): Entry => ({
    async get(request) {
      const read = readListing(request, skipName);
      return read.ok ? { ok: true, value: { ...LISTED, result: await list(read.value) } } : read;
    },
  });
  return {
    "/preview": { get: (request) => preview(release, request) },
    "/suggest/entity": suggest(async (of) =>
      (await runInSteps(suggestEntities(release.index, of))).map(({ id, name, description, type }) => ({
        id,
        name,
        description: `Listed by prefix, not an assignment. ${description}`,
        notable: type,
      })),
    ),
    "/suggest/type": suggest((of) => suggestNamed(types, of)),
    "/suggest/property": suggest((of) => suggestNamed(listed, of)),
    "/extend/propose": { get: (request) => propose(listed, request) },
  };
}

/** Concepts of every domain have the same properties. */
function propose(properties: readonly object[], request: Request): Outcome {
  const query = queryOf(request.target);
  const read = all(parameterOf(query, "type"), numberOf(query, "limit", { least: 1, fallback: properties.length }));
  if (!read.ok) return read;
  const [type = "", limit] = read.value;
  return { ok: true, value: { type, properties: properties.slice(0, limit), limit } };
}

function preview({ index, manifest }: Served, request: Request): Outcome {
  const id = parameterOf(queryOf(request.target), "id");
  if (!id.ok) return id;
  const detail = detailOf(index, id.value ?? "");
  if (detail === undefined) return refused("not_found", "No concept has this id");
  return answerPreview(detail, `${manifest.origin}${paths.conceptPages}/${detail.code}`);
}

/** The most suggestions in one listing, and the default. */
const [SUGGESTIONS_MAX, SUGGESTIONS] = [100, 10];

function readListing(request: Request, skipName: string): Read<Listing> {
  const query = queryOf(request.target);
  const read = all(
    parameterOf(query, "prefix"),
    numberOf(query, skipName, { least: 0, fallback: 0 }),
    numberOf(query, "limit", { least: 1, fallback: SUGGESTIONS }),
  );
  if (!read.ok) return read;
  const [prefix, skip, limit] = read.value;
  if (prefix === undefined) return refused("invalid_query", "The parameter prefix is required");
  return { ok: true, value: { prefix, skip, limit: Math.min(limit, SUGGESTIONS_MAX) } };
}
