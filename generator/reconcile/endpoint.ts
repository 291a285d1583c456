/** What an endpoint of the protocol is made of, and what those of both versions have in common: matching, listings, previews. */
import { paths } from "../../runtime/contract/policy.ts";
import { type Problem, problem } from "../../runtime/contract/problem.ts";
import { queryOf } from "../../runtime/http/parameter.ts";
import { COMMON_FIELDS } from "../../runtime/http/representation.ts";
import type { Served } from "../../runtime/release/served.ts";
import type { Answer, Request } from "../../runtime/routes/route.ts";
import { runInSteps } from "../../runtime/registry/block-source.ts";
import { detailOf, typeOf } from "./entities.ts";
import { SUGGESTIONS, SUGGESTIONS_MAX } from "./limits.ts";
import { type Candidate, match } from "./match.ts";
import { PREVIEW_POLICY, previewPage } from "./preview.ts";
import type { Batch, Properties } from "./queries.ts";
import { LISTED, type Listing, suggestEntities, suggestNamed } from "./suggest.ts";
import { all, numberOf, parameterOf, type Read, refused } from "./wire.ts";

export interface Service {
  readonly release: Served;
  readonly domains: readonly string[];
  readonly properties: Properties;
  /** The absolute address of this endpoint. */
  readonly endpoint: string;
}

/** What an endpoint answers, by the path below it. */
export type Entries = Readonly<Record<string, Entry>>;
export interface Entry {
  readonly get?: Handler;
  readonly post?: Handler;
}
/** JSON to be sent, an answer that is none, or why there is none. */
export type Handler = (request: Request) => Outcome | Promise<Outcome>;
export type Outcome = Read<object> | Answer;

type Results = readonly (readonly [name: string, candidates: readonly Candidate[]])[];

/** Each query alone; where one is refused, so is the batch, by its name. */
export function matchAll({ release }: Service, batch: Batch | Problem): Results | Problem {
  if ("status" in batch) return batch;
  const results: (readonly [string, readonly Candidate[]])[] = [];
  for (const [name, query] of batch) {
    const candidates = match(release.index, query);
    if ("status" in candidates) return problem(candidates.code, `${name}: ${candidates.message}`);
    results.push([name, candidates]);
  }
  return results;
}

export function mapped<T extends object>(of: T | Problem, format: (value: T) => object): Read<object> {
  return "status" in of ? refused(of) : { ok: true, value: format(of) };
}

/** The paths that take no body; `skipName` is how the version calls the number of suggestions to leave out. */
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
  if (detail === undefined) return refused(problem("not_found", "No concept has this id"));
  const fields = [...COMMON_FIELDS, "Cache-Control", "no-store", "Content-Security-Policy", PREVIEW_POLICY];
  const body = previewPage(detail, `${manifest.origin}${paths.conceptPages}/${detail.code}`);
  return { status: 200, fields: [...fields, "Content-Type", "text/html; charset=utf-8"], body };
}

function readListing(request: Request, skipName: string): Read<Listing> {
  const query = queryOf(request.target);
  const read = all(
    parameterOf(query, "prefix"),
    numberOf(query, skipName, { least: 0, fallback: 0 }),
    numberOf(query, "limit", { least: 1, fallback: SUGGESTIONS }),
  );
  if (!read.ok) return read;
  const [prefix, skip, limit] = read.value;
  if (prefix === undefined) return refused(problem("invalid_query", "The parameter prefix is needed"));
  return { ok: true, value: { prefix, skip, limit: Math.min(limit, SUGGESTIONS_MAX) } };
}
