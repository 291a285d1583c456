/**
 * `/api-reference.json`: the operations from OpenAPI, the header fields, errors, limits and reasons
 * from the code, and the authored sections of content/reference. Its Markdown and its page are
 * printed from this value.
 */
import { FIXTURE_OUTCOMES } from "../contract/integration.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import type { ApiReference } from "../contract/reference.ts";
import { ABSTENTION_REASONS, REASON_MEANINGS } from "../../runtime/contract/resolution.ts";
import * as limits from "../../runtime/contract/limits.ts";
import { problems } from "../../runtime/contract/problem.ts";
import type { SectionSource } from "../content/content.ts";
import { listHeaders } from "../contract/headers.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import type { Operation } from "../openapi/operation.ts";
import { ANSWER_MAX_BYTES } from "../integration/handoffs/node/classify.mjs";
import { LIVE_TIMEOUT_SECONDS } from "../integration/handoffs.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { documentEnd, documentHead, type View, withOrigin } from "../view/view.ts";

export function apiReference(view: View, { paths }: OpenApi, sections: readonly SectionSource[]): ApiReference {
  return {
    ...documentHead(view, "api-reference", {
      title: "API reference",
      description: "Every operation, header field, error code, limit and reason, and the rules an integrator needs.",
    }),
    acceptanceRule: ACCEPTANCE_RULE,
    operations: Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]) =>
        referenceOperation(path, method.toUpperCase(), operation),
      ),
    ),
    fields: listHeaders(),
    errors: [...problems.map(({ code, status, message }) => ({ code, status, message })), ...otherErrors],
    limits: listLimits(),
    reasons: ABSTENTION_REASONS.map((reason) => ({ reason, meaning: REASON_MEANINGS[reason] })),
    sections: sections.map(({ id, title, markdown }) => ({ id, title, text: withOrigin(view, markdown) })),
    ...documentEnd,
  };
}

/** Errors outside the ErrorEnvelope's catalogue, each with a body of its own. */
const otherErrors: ApiReference["errors"] = [
  {
    code: "concept_not_found",
    status: 404,
    message: 'No published concept has exactly this code; the whole body is {"error":"concept_not_found"}',
  },
  {
    code: "deployment_identity_unavailable",
    status: 503,
    message:
      "The deployment identity is missing, unsafe, or differs from the running sources; four recovery steps follow",
  },
];

function referenceOperation(path: string, method: string, operation: Operation): ApiReference["operations"][number] {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = { name: "body", in: "body" as const, required: true, description: "JSON; see the request schema" };
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    parameters: [
      ...parameters.map(({ schema: _schema, ...parameter }) => parameter),
      ...(requestBody === undefined ? [] : [body]),
    ],
    // Ranges such as 4XX are described once, in the table of errors.
    responses: Object.entries(responses)
      .filter(([status]) => /^\d+$/.test(status))
      .map(([status, { description: text, content = {}, headers = {} }]) => ({
        status: Number(status),
        mediaTypes: Object.keys(content),
        headers: Object.keys(headers),
        description: text,
      })),
  };
}

function listLimits(): ApiReference["limits"] {
  return [
    row("expression, minimum", limits.EXPRESSION_MIN_LENGTH, ["characters", "Unicode code points"]),
    row("expression, maximum", limits.EXPRESSION_MAX_LENGTH, ["characters", "Unicode code points"]),
    row("language, minimum", limits.LANGUAGE_MIN_LENGTH, ["characters", "BCP 47 tag"]),
    row("language, maximum", limits.LANGUAGE_MAX_LENGTH, ["characters", "BCP 47 tag"]),
    row("ConceptCode, maximum", limits.CODE_MAX_LENGTH, ["characters", "ASCII"]),
    row("q, maximum", limits.QUERY_MAX_LENGTH, ["characters", "Unicode code points, after percent-decoding"]),
    row("candidates, maximum", limits.CANDIDATES_MAX, ["items", "Listed in one resolution"]),
    row("POST /api/v1/resolve body, maximum", limits.RESOLVE_BODY_MAX_BYTES, ["bytes", "Refused with 413 before parsing"]),
    row("POST /mcp body, maximum", limits.MCP_BODY_MAX_BYTES, ["bytes", "Refused with 413 before parsing"]),
    row("MCP clientInfo.name and version, minimum", limits.CLIENT_NAME_MIN_LENGTH, ["characters", "Each"]),
    row("MCP clientInfo.name and version, maximum", limits.CLIENT_NAME_MAX_LENGTH, ["characters", "Each"]),
    row("requests to resolve and /mcp, default", limits.RATE_LIMIT_PER_SECOND, ["requests a second", "For each client, then 429; set by the operator, off on a loopback address"]),
    row("requests to resolve and /mcp at once, default", limits.RATE_LIMIT_BURST, ["requests", "For each client, then 429; set by the operator, off on a loopback address"]),
    row("recovery steps", 4, ["items", "In every refusal of the deployment identity"]),
    row("routes of the discovery inventory", 10, ["items", "The receipt covers exactly these"]),
    row("recipes", RECIPE_IDS.length, ["items", "Each with a report and a kit"]),
    row("fixtures of a recipe", FIXTURE_OUTCOMES.length, ["items", "One for each outcome"]),
    row("answer that a kit's client reads, maximum", ANSWER_MAX_BYTES, ["bytes", "A longer answer is malformed"]),
    row("live call of a kit's client, time", LIVE_TIMEOUT_SECONDS * 1000, ["milliseconds", "Then its outcome is service-error"]),
    row("request header fields, time", limits.HEADERS_TIMEOUT_MS, ["milliseconds", "Then 408"]),
    row("whole request, time", limits.REQUEST_TIMEOUT_MS, ["milliseconds", "Then 408"]),
    row("stalled connection, time", limits.STALL_TIMEOUT_MS, ["milliseconds", "Closed after this time or at most twice as long, even in the middle of an answer"]),
    row("idle connection, time, default", limits.KEEP_ALIVE_TIMEOUT_MS, ["milliseconds", "Then it is closed; set by the operator"]),
  ]; // prettier-ignore
}

function row(name: string, value: number, [unit, description]: [string, string]): ApiReference["limits"][number] {
  return { name, value, unit, description };
}
