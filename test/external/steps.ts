/**
 * From an OpenAPI description to Arazzo 1.0.1 steps: for each operation, requests that get each
 * status it describes. A status that nothing here knows how to get is an error, so a new one cannot
 * go untested by accident.
 */

interface Media {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly enum?: readonly string[] } }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Request {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly value: string }[];
  readonly requestBody?: { readonly contentType: string; readonly payload: unknown };
  /** The media type that must come. */
  readonly gives?: string;
}

export interface Step extends Omit<Request, "gives"> {
  readonly stepId: string;
  readonly operationId: string;
  readonly successCriteria: readonly Readonly<Record<string, string>>[];
}

/** Needs a fault or a limit, and ranges name no request: other tests provoke them. */
const NEEDS_MORE = /^(?:429|503|4XX|5XX)$/;

export function stepsOf({ paths }: OpenApi, bodyMaxBytes: number): Step[] {
  const examples = paths["/api/v1/resolve"]?.["post"]?.responses["200"]?.content?.["application/json"]?.examples;
  const resolved = examples?.["resolved"]?.value as { data: { concept: { code: string } } } | undefined;
  const known = { code: resolved?.data.concept.code, bodyMaxBytes };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap((operation) =>
      Object.keys(operation.responses)
        .filter((status) => !NEEDS_MORE.test(status))
        .flatMap((status) =>
          requestsFor(operation, { path, status, ...known }).map((request, i) =>
            makeStep(operation.operationId, `${status}-${i}`, request),
          ),
        ),
    ),
  );
}

interface Wanted {
  readonly path: string;
  readonly status: string;
  /** A code that is published, if any is. */
  readonly code: string | undefined;
  readonly bodyMaxBytes: number;
}

function requestsFor(operation: Operation, { path, status, code, bodyMaxBytes }: Wanted): Request[] {
  if (path === "/mcp") return messagesFor(operation, status);
  if (operation.requestBody !== undefined) return postsFor(operation, status, bodyMaxBytes);
  if (path.includes("{recipeId}")) return requestsOfRecipe(operation, status);
  const ofCode = (value = "X-UNKNOWN"): NonNullable<Request["parameters"]> =>
    path.includes("{code}") ? [{ in: "path", name: "code", value }] : [];
  const fields = (name: string, value: string): Request => ({
    parameters: [...ofCode(code), { in: "header", name, value }],
  });
  if (status === "404") return [{ parameters: ofCode() }];
  // The empty registry has no concept to ask for.
  if (path.includes("{code}") && code === undefined) return [];
  if (status === "304") return [fields("If-None-Match", "*")];
  if (status === "406") return [fields("Accept", "image/png"), fields("Accept", "*/*;q=0")];
  const filter = (value: string): Request => ({ parameters: [{ in: "query", name: "q", value }] });
  if (status === "400" && path === "/api/v1/concepts") return [filter("q".repeat(201))];
  if (status !== "200") throw new Error(`No request is known that gets ${status} of ${path}`);
  const types = Object.keys(operation.responses["200"]?.content ?? {});
  return [
    { parameters: ofCode(code) },
    ...(path === "/api/v1/concepts" ? ["refund", "of", "no concept has this", ""].map(filter) : []),
    ...(types.length > 1 ? types.map((type) => ({ ...fields("Accept", type), gives: type })) : []),
  ];
}

/** Requests for what each recipe has. */
function requestsOfRecipe({ parameters = [] }: Operation, status: string): Request[] {
  const ids = parameters.find(({ name }) => name === "recipeId")?.schema.enum ?? [];
  if (ids.length !== 5) throw new Error(`There are five recipes, not ${ids.length}`);
  const ask = (value: string, fields: NonNullable<Request["parameters"]> = []): Request => ({
    parameters: [{ in: "path", name: "recipeId", value }, ...fields],
  });
  const requests: Readonly<Record<string, Request[]>> = {
    "200": ids.map((id) => ask(id)),
    "304": ids.map((id) => ask(id, [{ in: "header", name: "If-None-Match", value: "*" }])),
    "404": ["no-recipe", ...ids.map((id) => id.toUpperCase())].map((id) => ask(id)),
  };
  const known = requests[status];
  if (known === undefined) throw new Error(`No request is known that gets ${status} of a recipe`);
  return known;
}

/** Requests to `POST /api/v1/resolve`. */
function postsFor({ requestBody }: Operation, status: string, bodyMaxBytes: number): Request[] {
  const post = (payload: unknown, contentType = "application/json"): Request => ({
    requestBody: { contentType, payload },
  });
  const examples = Object.values(requestBody?.content?.["application/json"]?.examples ?? {});
  const more = [{ expression: "nobody has reviewed this" }, { expression: "x".repeat(1000), language: "de-AT" }];
  const broken = [{}, { expression: "" }, { expression: 1 }, { expression: "x", language: "en_US" }, { other: "x" }];
  const posts: Readonly<Record<string, Request[]>> = {
    "200": [...examples.map(({ value }) => value), ...more].map((payload) => post(payload)),
    "400": broken.map((payload) => post(payload)),
    "413": [post({ expression: "x".repeat(bodyMaxBytes) })],
    "415": [post("expression=x", "text/plain")],
  };
  const known = posts[status];
  if (known === undefined) throw new Error(`No request is known that gets ${status} of a POST`);
  return known;
}

/** Requests to `POST /mcp`, from its examples. */
function messagesFor({ requestBody }: Operation, status: string): Request[] {
  const examples = Object.values(requestBody?.content?.["application/json"]?.examples ?? {});
  return examples.flatMap(({ value }) => {
    const message = value as { readonly method: string; readonly params: { readonly name?: string } };
    const fields = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": message.method,
      "Mcp-Name": message.params.name ?? "none",
    };
    const send = (payload: unknown, more: Readonly<Record<string, string>> = {}, contentType = "application/json") => ({
      parameters: Object.entries({ ...fields, ...more }).map(([name, text]) => ({ in: "header", name, value: text })),
      requestBody: { contentType, payload },
    });
    const unknown = { ...message, method: "ping" };
    const messages: Readonly<Record<string, Request[]>> = {
      "200": [send(message)],
      "400": [send({ ...message, id: 1.5 }), send(message, { "Mcp-Method": "other" })],
      "403": [send(message, { Origin: "https://other.example" })],
      "404": [send(unknown, { "Mcp-Method": "ping" })],
      "413": [send({ ...message, params: { ...message.params, more: "x".repeat(65_536) } })],
      "415": [send("jsonrpc", {}, "text/plain")],
    };
    const known = messages[status];
    if (known === undefined) throw new Error(`No message is known that gets ${status}`);
    return known;
  });
}

function makeStep(operationId: string, name: string, { gives, ...request }: Request): Step {
  const type = gives?.replaceAll(/[.+]/g, String.raw`\$&`);
  return {
    stepId: `${operationId}-${name}`,
    operationId: `$sourceDescriptions.api.${operationId}`,
    ...request,
    successCriteria: [
      { condition: `$statusCode == ${name.slice(0, 3)}` },
      ...(type === undefined
        ? []
        : [{ context: "$response.header.Content-Type", type: "regex", condition: `^${type}` }]),
    ],
  };
}
