/** The endpoints of both versions: the paths they have, and the shapes in which they are asked and answer. */
import { problem } from "../../runtime/contract/problem.ts";
import { queryOf } from "../../runtime/http/parameter.ts";
import type { Request } from "../../runtime/routes/route.ts";
import { type Entries, listings, mapped, matchAll, type Service } from "./endpoint.ts";
import { extend, formatTable02, formatTable10 } from "./extend.ts";
import { manifest02, manifest10 } from "./manifest.ts";
import { readQueries02, readQueries10 } from "./queries.ts";
import { all, jsonOf, parameterOf, type Read, readForm, readJson, refused } from "./wire.ts";

/** Version 0.2 asks by parameters of the endpoint, in its query or in a form. */
export function endpoint02(service: Service): Entries {
  const manifest = manifest02({ ...service, manifest: service.release.manifest });
  return {
    "": {
      get: (request) => answer02(service, request, queryOf(request.target)) ?? { ok: true, value: manifest },
      async post(request) {
        const form = await readForm(request);
        if (!form.ok) return form;
        const nothing = refused(problem("invalid_request", "The form has neither queries nor extend"));
        return answer02(service, request, form.value) ?? nothing;
      },
    },
    ...listings(service, "cursor"),
  };
}

/** Undefined where nothing is asked. */
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

/** Version 1.0 has a path for each question, and JSON bodies. */
export function endpoint10(service: Service): Entries {
  const { release, properties } = service;
  const manifest = manifest10({ ...service, manifest: release.manifest });
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
