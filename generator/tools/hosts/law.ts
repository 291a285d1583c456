/**
 * The law that every host of a release must keep, as data: requests, and the answer of the service
 * to each. The answers come from the service's own routes, so there is no second description.
 * Source: contract §4.5; RFC 9110, RFC 9111, RFC 9530.
 */
import { addedResources, prefixesIn } from "../../../runtime/contract/added-resources.ts";
import { PAGE_CONCEPTS } from "../../../runtime/contract/limits.ts";
import { MCP_PROTOCOL_VERSION, REQUEST_META } from "../../../runtime/contract/mcp.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { policies, type Resource, resources } from "../../../runtime/contract/policy.ts";
import { createFetchHandler } from "./portable/fetch.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import { readDetail } from "../../../runtime/registry/read-concept.ts";
import type { Identity } from "../../../runtime/release/identity.ts";
import type { Served } from "../../../runtime/release/served.ts";
import { type Expect, get, type Request } from "./request.ts";

/** In the order of reports. */
export const LAWS = [
  "bytes",
  "media type",
  "ETag",
  "digests",
  "Content-Location",
  "Vary",
  "caching",
  "CORS",
  "no recoding",
  "304",
  "412",
  "HEAD",
  "405",
  "negotiation",
  "406",
  "pages",
  "identity",
  "concepts",
  "filter",
  "resolve",
  "MCP",
] as const;
export type Law = (typeof LAWS)[number];

export interface Case {
  /** The law that the status and the body of the answer show. */
  readonly law: Law;
  readonly request: Request;
}

export const LAW_NONCE = "bm9uY2Utb2YtdGhlLWxhdw==";

/** The answers of a release, with this deployment identity. */
export function expectedAnswers(release: Served, identity: Identity): Expect {
  const handler = createFetchHandler(release, { nonce: () => LAW_NONCE, identity: () => Promise.resolve(identity) });
  return async ({ method, path, fields, body }) => {
    const init = { method, headers: fields, ...(body !== undefined && { body }) };
    const response = await handler(new Request(release.manifest.origin + path, init));
    const all = Object.fromEntries(response.headers);
    return { status: response.status, fields: all, body: new Uint8Array(await response.arrayBuffer()) };
  };
}

/** Every request of the law, in order of paths. */
export async function lawCases(release: Served, expected: Expect): Promise<Case[]> {
  const prefixes = prefixesIn(release.documents.keys());
  const added = addedResources(release.documents.keys());
  const documents = await Promise.all([...resources, ...added].map((resource) => casesOf(resource, expected)));
  const assets = [...release.assets.keys()].map((path): Case => ({ law: "bytes", request: get(path) }));
  const identity: Case[] = [
    { law: "identity", request: get(paths.deployment) },
    { law: "405", request: { ...get(paths.deployment), method: "PUT" } },
    { law: "405", request: { ...get(paths.deployment), method: "OPTIONS" } },
  ];
  return [...documents.flat(), ...assets, ...identity, ...(await computedCases(release, expected, prefixes))];
}

/** A path in another case is another path, for which no precondition holds. */
function otherCase(path: string, law: Law): Case[] {
  const written = [path.toUpperCase(), path.toLowerCase()].filter((one) => one !== path);
  return written.flatMap((one) => [{}, { "if-none-match": "*" }].map((fields) => ({ law, request: get(one, fields) })));
}

async function casesOf({ path, variants, negotiates }: Resource, expected: Expect): Promise<Case[]> {
  const plain = get(path, negotiates ? { accept: policies[variants[0].policy].mediaType } : {});
  const isHtmlOnly = variants[0].policy === "html";
  const cases: Case[] = [
    { law: isHtmlOnly ? "pages" : "bytes", request: plain },
    { law: "HEAD", request: { ...plain, method: "HEAD" } },
    { law: "405", request: { ...get(path), method: "PUT" } },
    { law: "405", request: { ...get(path), method: "OPTIONS" } },
  ];
  const { etag } = (await expected(plain)).fields;
  if (etag !== undefined && !isHtmlOnly) {
    const tags = [etag, `W/${etag}`, `"other", ${etag}`, "*"];
    for (const tag of tags) cases.push({ law: "304", request: withField(plain, "if-none-match", tag) });
    cases.push({ law: "bytes", request: withField(plain, "if-none-match", '"other"') });
    cases.push({ law: "412", request: withField(plain, "if-match", '"other"') });
  }
  // A page is not stored, so no client has it yet (T-01).
  if (isHtmlOnly) cases.push({ law: "pages", request: withField(plain, "if-none-match", "*") });
  if (!negotiates) return cases;
  const types = variants.map(({ policy }) => essenceOf(policies[policy].mediaType));
  // The server's first choice has the lowest weight: the q-values of the client decide.
  const weighed = types.map((type, i) => `${type};q=${((i + 1) / 10).toFixed(1)}`).join(", ");
  for (const accept of [...types, "*/*", weighed]) {
    const isHtml =
      types.length > 1 && (await expected(get(path, { accept }))).fields["content-type"]?.startsWith("text/html");
    cases.push({ law: isHtml === true ? "pages" : "negotiation", request: get(path, { accept }) });
  }
  return [...cases, { law: "406", request: get(path, { accept: "image/png" }) }];
}

function withField(request: Request, name: string, value: string): Request {
  return { ...request, fields: { ...request.fields, [name]: value } };
}

/** At most this many concepts are requested, spread from the first to the last. */
const SAMPLE = 500;

/**
 * Requests that no file of dist answers: concepts and their pages, which may be prerendered, and
 * those that only a program can answer.
 */
async function computedCases({ index }: Served, expected: Expect, prefixes: readonly string[]): Promise<Case[]> {
  const lists = ["", ...prefixes].map((prefix) => prefix + paths.conceptPages);
  const documents = async (path: string): Promise<Case[]> => {
    const variant = { file: path, policy: "json", location: path } as const;
    const cases = await casesOf({ path, variants: [variant], negotiates: false }, expected);
    return cases.map(({ request }) => ({ law: "concepts", request }));
  };
  const cases: Case[] = [
    ...otherCase(paths.answers, "bytes"),
    ...(await documents(paths.concepts)),
    { law: "filter", request: get(`${paths.concepts}?q=a`) },
    { law: "filter", request: get(`${paths.conceptPages}?q=a`) },
    { law: "concepts", request: get(paths.bundle) },
    { law: "concepts", request: get(`${paths.concepts}/C-NO-CONCEPT-HAS-THIS`) },
    ...lists.map((list): Case => ({ law: "pages", request: get(list) })),
    { law: "resolve", request: post(paths.resolve, { expression: "\u0000 no registry has this" }) },
    { law: "resolve", request: post(paths.resolve, { expression: "" }) },
    { law: "resolve", request: get(paths.resolve) },
    { law: "resolve", request: { ...get(paths.resolve), method: "OPTIONS" } },
    { law: "MCP", request: mcp("server/discover", {}) },
    { law: "MCP", request: get(paths.mcp) },
    { law: "MCP", request: { ...get(paths.mcp), method: "OPTIONS" } },
  ];
  if (index.conceptCount === 0) return cases;
  const { code, expressions } = readDetail(index, 0);
  const every = Math.ceil(index.conceptCount / SAMPLE);
  for (let id = every; id < index.conceptCount; id += every)
    cases.push({ law: "concepts", request: get(`${paths.concepts}/${readDetail(index, id).code}`) });
  const begin = Array.from(readDetail(index, index.conceptCount - 1).name)
    .slice(0, 20)
    .join("");
  cases.push({ law: "filter", request: get(`${paths.concepts}?q=${encodeURIComponent(begin)}`) });
  cases.push(...(await documents(`${paths.concepts}/${code}`)), ...otherCase(`${paths.concepts}/${code}`, "concepts"));
  for (const list of lists) {
    cases.push({ law: "pages", request: get(`${list}/${code}`) });
    if (index.conceptCount > PAGE_CONCEPTS) cases.push({ law: "pages", request: get(`${list}?page=2`) });
  }
  for (const { expression, language } of expressions.slice(0, 5)) {
    cases.push({ law: "resolve", request: post(paths.resolve, { expression, language }) });
    const call = { name: "resolve_service_semantics", arguments: { expression } };
    cases.push({ law: "MCP", request: withField(mcp("tools/call", call), "mcp-name", call.name) });
  }
  return cases;
}

function post(path: string, value: object): Request {
  return { method: "POST", path, fields: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

function mcp(method: string, params: object): Request {
  const message = post(paths.mcp, { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: REQUEST_META } });
  return withField(withField(message, "mcp-protocol-version", MCP_PROTOCOL_VERSION), "mcp-method", method);
}
