/**
 * Checks the API description: its label and server, its schemas against those that validate, its
 * operations against the reference.
 */
import { isDeepStrictEqual } from "node:util";
import { requestHeaders, responseHeaders } from "../../contract/headers.ts";
import type { ApiReference } from "../../contract/reference.ts";
import { contract } from "../../contract/schemas.ts";
import * as limits from "../../../runtime/contract/limits.ts";
import { inventory, paths, resources } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { product } from "../../../runtime/contract/product.ts";
import { asObject, memberAt, textAt, toJson } from "../integrity/json.ts";
import type { Documents, Faults } from "../integrity/parts.ts";
import { checkBodies } from "./openapi-bodies.ts";

const PLACE = paths.openapi.slice(1);
const COMPONENTS = "#/components/";

export function checkOpenApi(documents: Documents, origin: string): Faults {
  const value = documents.get(paths.openapi);
  if (value === undefined) return [];
  const faults = [
    ...checkHead(value, origin),
    ...checkComponents(value),
    ...checkReferences(value),
    ...checkOperations(value, documents.get(paths.apiReferenceJson) as ApiReference | undefined),
  ];
  return faults.map((text) => `${PLACE}: ${text}`);
}

function checkHead(value: unknown, origin: string): Faults {
  const faults: Faults = [];
  const { packageVersion, classification, updated, apiVersion } = product;
  const label = `Release ${packageVersion} (${classification}), updated ${updated}.`;
  if (memberAt(value, "openapi") !== "3.1.0") faults.push("not OpenAPI 3.1.0");
  if (memberAt(value, "info", "version") !== apiVersion) faults.push("its version is not that of this release");
  if (!textAt(value, "info", "description").includes(label)) faults.push("not the label of this release");
  const servers = memberAt(value, "servers");
  const urls = Array.isArray(servers) ? servers.map((server) => memberAt(server, "url")) : [];
  if (!isDeepStrictEqual(urls, [origin])) faults.push(`its only server is not ${origin}`);
  if (!isDeepStrictEqual(memberAt(value, "security"), [])) faults.push("asks for credentials, which nothing here does");
  return faults;
}

/**
 * Each schema, with its references filled in, must be the contract's schema of that name; each
 * header field must be the contract's own.
 */
function checkComponents(value: unknown): Faults {
  const components = asObject(memberAt(value, "components", "schemas")) ?? {};
  const schemas = Object.entries(components).flatMap(([name, schema]) => {
    const own = memberAt(contract, name);
    if (own === undefined) return [`its component ${name} is not in the contract`];
    const whole = fill(schema, components, 0);
    return isDeepStrictEqual(whole, toJson(own)) ? [] : [`its component ${name} is not the schema of the contract`];
  });
  const isOwn = isDeepStrictEqual(memberAt(value, "components", "headers"), responseHeaders);
  return isOwn ? schemas : [...schemas, "its header fields are not those of the service"];
}

/**
 * Fills references in. No schema of the contract contains itself, so a value that is deeper than
 * any of them is left unchanged.
 */
function fill(value: unknown, components: Readonly<Record<string, unknown>>, depth: number): unknown {
  if (depth > 64 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fill(item, components, depth + 1));
  const members = Object.entries(value);
  const [name, target] = members[0] ?? [];
  if (members.length === 1 && name === "$ref" && typeof target === "string")
    return fill(components[target.slice(`${COMPONENTS}schemas/`.length)], components, depth + 1);
  return Object.fromEntries(members.map(([key, item]) => [key, fill(item, components, depth + 1)]));
}

/**
 * Every reference must lead to a component, every JSON body must refer to a schema, and every
 * header field must refer to the component of its name.
 */
function checkReferences(value: unknown): Faults {
  const targets = new Set(referencesIn(value));
  const faults = [...targets]
    .filter((target) => memberAt(value, "components", ...target.split("/")) === undefined)
    .map((target) => `refers to ${COMPONENTS}${target}, which does not exist`);
  for (const [, target] of JSON.stringify(value).matchAll(/"\$ref":"(?!#\/components\/)([^"]*)"/g))
    faults.push(`refers to ${target}, which is not a component`);
  for (const [path, item] of Object.entries(asObject(memberAt(value, "paths")) ?? {})) {
    for (const [method, operation] of Object.entries(asObject(item) ?? {})) {
      const answers = Object.values(asObject(memberAt(operation, "responses")) ?? {});
      const bodies = [memberAt(operation, "requestBody"), ...answers];
      for (const [type, body] of bodies.flatMap((one) => membersOf(one, "content"))) {
        const isNamed = isDeepStrictEqual(Object.keys(asObject(memberAt(body, "schema")) ?? {}), ["$ref"]);
        if (type.endsWith("json") && !isNamed)
          faults.push(`${method} ${path}: a body of ${type} without a schema of the contract`);
      }
      for (const [name, header] of answers.flatMap((answer) => membersOf(answer, "headers")))
        if (!isDeepStrictEqual(header, { $ref: `${COMPONENTS}headers/${name}` }))
          faults.push(`${method} ${path}: its header field ${name} is not that of the service`);
    }
  }
  return faults;
}

function membersOf(value: unknown, name: string): [name: string, value: unknown][] {
  return Object.entries(asObject(memberAt(value, name)) ?? {});
}

function referencesIn(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]*)"/g);
  return [...found].map(([, target = ""]) => target);
}

/**
 * The described operations must be those that the reference lists, and the service must have them
 * all.
 */
function checkOperations(value: unknown, listed: ApiReference | undefined): Faults {
  const faults: Faults = [];
  const described: unknown[] = [];
  const items = asObject(memberAt(value, "paths")) ?? {};
  for (const [path, item] of Object.entries(items)) {
    const start = path.split("{", 1)[0] ?? "";
    const isKnown = KNOWN.some((known) => (start === path ? known === path : known.startsWith(start)));
    if (!isKnown) faults.push(`describes ${path}, which this service does not have`);
    for (const [method, operation] of Object.entries(asObject(item) ?? {})) {
      described.push(referenceOf(path, method.toUpperCase(), operation));
      const said = parametersOf(operation).map(({ description, ...one }) => {
        return one["in"] === "header" ? { ...one, description } : one;
      });
      if (!isDeepStrictEqual(said, parametersDue(path, operation)))
        faults.push(`${method} ${path}: its parameters are not those of the service`);
      faults.push(...checkBodies(path, operation).map((text) => `${method} ${text}`));
      // Either would override the one at the top level.
      for (const own of ["servers", "security"])
        if (memberAt(operation, own) !== undefined) faults.push(`${method} ${path}: has ${own} of its own`);
    }
  }
  for (const path of DESCRIBED) if (!Object.hasOwn(items, path)) faults.push(`does not describe ${path}`);
  const body = (path: string): unknown =>
    memberAt(items, path, "post", "requestBody", "content", "application/json", "schema", "$ref");
  if (body(paths.resolve) !== `${COMPONENTS}schemas/ResolveRequest`)
    faults.push(`${paths.resolve}: takes a different request`);
  if (body(paths.mcp) !== `${COMPONENTS}schemas/MCPJsonRpcRequest`)
    faults.push(`${paths.mcp}: takes a different request`);
  if (listed !== undefined && !isDeepStrictEqual(described, listed.operations))
    faults.push(`its operations are not those of ${paths.apiReferenceJson.slice(1)}`);
  return faults;
}

const KNOWN: readonly string[] = [
  ...resources.flatMap(({ path, variants }) => [path, ...variants.map(({ location }) => location)]),
  paths.resolve,
  paths.mcp,
  paths.concepts,
  `${paths.concepts}/`,
  paths.deployment,
  paths.bundle,
];

/** One path describes all documents that are alike. */
const isAlike = (path: string): boolean =>
  path.startsWith(`${paths.schemas}/`) || RECIPE_IDS.some((id) => path.endsWith(`/${id}`));
const DESCRIBED: readonly string[] = [
  paths.resolve,
  paths.mcp,
  paths.concepts,
  `${paths.concepts}/{code}`,
  paths.deployment,
  ...resources
    .filter(
      ({ path, variants }) => !isAlike(path) && variants.some(({ policy }) => policy === "json" || policy === "answer"),
    )
    .map(({ path }) => path),
];

function ofText(place: string, required: boolean, bounds: object = {}): object {
  return { in: place, required, schema: { type: "string", ...bounds } };
}

function ofField(name: keyof typeof requestHeaders, required: boolean): object {
  return { ...ofText("header", required), description: requestHeaders[name] };
}

/** Every parameter; only those in header fields have a fixed description. */
const PARAMETERS = {
  code: ofText("path", true, { maxLength: limits.CODE_MAX_LENGTH }),
  recipeId: ofText("path", true, { enum: RECIPE_IDS }),
  q: ofText("query", false, { maxLength: limits.QUERY_MAX_LENGTH }),
  Accept: ofField("Accept", false),
  "If-None-Match": ofField("If-None-Match", false),
  "MCP-Protocol-Version": ofField("MCP-Protocol-Version", true),
  "Mcp-Method": ofField("Mcp-Method", true),
  "Mcp-Name": ofField("Mcp-Name", false),
};

function parametersDue(path: string, operation: unknown): unknown[] {
  const names = [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name),
    ...(path === paths.concepts ? ["q"] : []),
    ...(path === paths.mcp ? ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] : []),
    ...(inventory.some((one) => one.path === path) ? ["Accept"] : []),
    ...(memberAt(operation, "responses", "304") === undefined ? [] : ["If-None-Match"]),
  ];
  return names.map((name) => ({ name, ...asObject(memberAt(PARAMETERS, name)) }));
}

function parametersOf(operation: unknown): Readonly<Record<string, unknown>>[] {
  const list = memberAt(operation, "parameters");
  return Array.isArray(list) ? list.map((one) => asObject(one) ?? {}) : [];
}

function referenceOf(path: string, method: string, operation: unknown): unknown {
  const member = (name: string): unknown => memberAt(operation, name);
  const parameters = parametersOf(operation).map(({ schema: _schema, ...said }): object => said);
  if (member("requestBody") !== undefined)
    parameters.push({ name: "body", in: "body", required: true, description: "JSON; see the request schema" });
  const responses = Object.entries(asObject(member("responses")) ?? {})
    .filter(([code]) => /^\d+$/.test(code))
    .map(([code, answer]) => ({
      status: Number(code),
      mediaTypes: Object.keys(asObject(memberAt(answer, "content")) ?? {}),
      headers: Object.keys(asObject(memberAt(answer, "headers")) ?? {}),
      description: memberAt(answer, "description"),
    }));
  const texts = { summary: member("summary"), description: member("description") ?? "" };
  return { id: member("operationId"), method, path, ...texts, parameters, responses };
}

/**
 * The API description in a kit: the whole one, reduced to the resolve operation and what it refers
 * to.
 */
export function fragmentOf(whole: unknown): unknown {
  const operation = memberAt(whole, "paths", paths.resolve);
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const target of referencesIn(value ?? null)) {
      if (found.has(target)) continue;
      found.add(target);
      visit(memberAt(whole, "components", ...target.split("/")));
    }
  };
  visit(operation);
  const tags = memberAt(operation, "post", "tags") as unknown[] | undefined;
  const kinds = Object.entries(asObject(memberAt(whole, "components")) ?? {}).map(([kind, members]) => {
    const kept = Object.entries(asObject(members) ?? {}).filter(([name]) => found.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(kept)];
  });
  const fragment: Record<string, unknown> = { ...asObject(whole) };
  const all = fragment["tags"];
  fragment["tags"] = Array.isArray(all) ? all.filter((tag) => memberAt(tag, "name") === tags?.[0]) : all;
  fragment["paths"] = { [paths.resolve]: operation };
  fragment["components"] = Object.fromEntries(kinds);
  return fragment;
}
