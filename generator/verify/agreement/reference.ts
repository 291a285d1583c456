/**
 * The errors, limits and header fields of the API reference are those of the service (V10, O-27).
 */
import { isDeepStrictEqual } from "node:util";
import * as limits from "../../../runtime/contract/limits.ts";
import { paths } from "../../../runtime/contract/policy.ts";
import { problems } from "../../../runtime/contract/problem.ts";
import { listHeaders } from "../../contract/headers.ts";
import type { ApiReference } from "../../contract/reference.ts";
import type { Documents, Faults } from "../integrity/parts.ts";

const FILE = paths.apiReferenceJson.slice(1);

const LIMITS: Readonly<Record<string, number>> = {
  "expression, minimum": limits.EXPRESSION_MIN_LENGTH,
  "expression, maximum": limits.EXPRESSION_MAX_LENGTH,
  "language, minimum": limits.LANGUAGE_MIN_LENGTH,
  "language, maximum": limits.LANGUAGE_MAX_LENGTH,
  "ConceptCode, maximum": limits.CODE_MAX_LENGTH,
  "q, maximum": limits.QUERY_MAX_LENGTH,
  "candidates, maximum": limits.CANDIDATES_MAX,
  "POST /api/v1/resolve body, maximum": limits.RESOLVE_BODY_MAX_BYTES,
  "POST /mcp body, maximum": limits.MCP_BODY_MAX_BYTES,
  "MCP clientInfo.name and version, minimum": limits.CLIENT_NAME_MIN_LENGTH,
  "MCP clientInfo.name and version, maximum": limits.CLIENT_NAME_MAX_LENGTH,
  "requests to resolve and /mcp, default": limits.RATE_LIMIT_PER_SECOND,
  "requests to resolve and /mcp at once, default": limits.RATE_LIMIT_BURST,
  "request header fields, time": limits.HEADERS_TIMEOUT_MS,
  "whole request, time": limits.REQUEST_TIMEOUT_MS,
  "stalled connection, time": limits.STALL_TIMEOUT_MS,
  "idle connection, time, default": limits.KEEP_ALIVE_TIMEOUT_MS,
};

export function checkReference(documents: Documents): Faults {
  const reference = documents.get(paths.apiReferenceJson) as ApiReference | undefined;
  if (reference === undefined) return [];
  const values = new Map(reference.limits.map(({ name, value }) => [name, value]));
  const limited = Object.entries(LIMITS).filter(([name, value]) => values.get(name) !== value);
  const refused = problems.filter((problem) => !reference.errors.some((error) => isDeepStrictEqual(error, problem)));
  const said = reference.errors.map(({ code, status }) => `${code} ${status}`);
  const due = [...problems.map(({ code, status }) => `${code} ${status}`), ...OTHER_ERRORS];
  return [
    ...(isDeepStrictEqual(said, due) ? [] : [`${FILE}: its errors are not those of the service, in order`]),
    ...(isDeepStrictEqual(reference.fields, listHeaders())
      ? []
      : [`${FILE}: its header fields are not those of the service`]),
    ...limited.map(([name]) => `${FILE}: its limit "${name}" is not that of the service`),
    ...refused.map(({ code }) => `${FILE}: its error ${code} is not that of the service`),
  ];
}

/** Errors with bodies of their own (D10, B53), which come after the others. */
const OTHER_ERRORS = ["concept_not_found 404", "deployment_identity_unavailable 503"];
