/** The endpoints of both versions: their paths, and the shapes of their requests and answers. */
import { type Problem, problem } from "../../../runtime/contract/problem.ts";
import { queryOf } from "../../../runtime/http/parameter.ts";
import type { Request } from "../../../runtime/routes/route.ts";
import { extend, formatTable02, formatTable10 } from "./extend.ts";
import { manifest02, manifest10 } from "./manifest.ts";
import { listings, type Service } from "./listings.ts";
import { type Candidate, match } from "./match.ts";
import { type Batch, readQueries02, readQueries10 } from "./queries.ts";
import { all, type Entries, jsonOf, parameterOf, type Read, readForm, readJson, refused } from "./wire.ts";

/** Version 0.2 has parameters of one path, in its query or in a form. */
export function endpoint02(service: Service): Entries {
  const manifest = manifest02(service);
  return {
    "": {
      get: (request) => answer02(service, request, queryOf(request.target)) ?? { ok: true, value: manifest },
      async post(request) {
        const form = await readForm(request);
        if (!form.ok) return form;
        const nothing = refused("invalid_request", "The form has neither queries nor extend");
        return answer02(service, request, form.value) ?? nothing;
      },
    },
    ...listings(service, "cursor"),
  };
}

/** Undefined if the request asks nothing. */
function answer02(service: Service, { target }: Request, form: string): Read<object> | undefined {
  const { release, properties } = service;
  const read = all(parameterOf(form, "queries"), parameterOf(form, "extend"), parameterOf(queryOf(target), "lang"));
  if (!read.ok) return read;
  const [queries, extension, language] = read.value;
  if (queries !== undefined) {
    const json = jsonOf("queries", queries);
    if (!json.ok) return json;
    const results = matchAll(service, readQueries02(json.value, properties, language));
    return mapped(results, (named) => Object.fromEntries(named.map(([name, result]) => [name, { result }])));
  }
  if (extension === undefined) return undefined;
  const json = jsonOf("extend", extension);
  return json.ok ? mapped(extend(release.index, properties, json.value), formatTable02) : json;
}

/** Version 1.0 has a path for each kind of request, and JSON bodies. */
export function endpoint10(service: Service): Entries {
  const { release, properties } = service;
  const manifest = manifest10(service);
  return {
    "": { get: () => ({ ok: true, value: manifest }) },
    "/match": {
      async post(request) {
        const json = await readJson(request);
        if (!json.ok) return json;
        const results = matchAll(service, readQueries10(json.value, properties));
        return mapped(results, (named) => ({ results: named.map(([, candidates]) => ({ candidates })) }));
      },
    },
    "/extend": {
      async post(request) {
        const json = await readJson(request);
        return json.ok ? mapped(extend(release.index, properties, json.value), formatTable10) : json;
      },
    },
    ...listings(service, "offset"),
  };
}

type Results = readonly (readonly [name: string, candidates: readonly Candidate[]])[];

/**
 * Answers each query on its own. If one is refused, so is the batch, with the name of the query.
 */
function matchAll({ release }: Service, batch: Batch | Problem): Results | Problem {
  if ("status" in batch) return batch;
  const results: (readonly [string, readonly Candidate[]])[] = [];
  for (const [name, query] of batch) {
    const candidates = match(release.index, query);
    if ("status" in candidates) return problem(candidates.code, `${name}: ${candidates.message}`);
    results.push([name, candidates]);
  }
  return results;
}

function mapped<T extends object>(of: T | Problem, format: (value: T) => object): Read<object> {
  return "status" in of ? { ok: false, problem: of } : { ok: true, value: format(of) };
}
