/**
 * Resolves without a transport: a request in, the envelope's text or a problem out. The answer is
 * assembled from prebuilt JSON around the echoed expression. `POST /api/v1/resolve`, `POST /mcp`
 * and the command line all use it.
 * Source: contract §4.1; rulings O-06 to O-08, O-26, O-27.
 */
import type { ResolveRequest } from "../contract/resolution.ts";
import { parseJson } from "../text/json.ts";
import { isWellFormedLanguageTag } from "../text/language.ts";
import { type Problem, problem, refusal } from "../contract/problem.ts";
import type { ConceptParts } from "./concept-record.ts";
import type { RegistryIndex } from "./index.ts";
import { resolve, type Resolution } from "./resolver.ts";
import {
  CANDIDATES_MAX,
  EXPRESSION_MAX_LENGTH,
  EXPRESSION_MIN_LENGTH,
  LANGUAGE_MAX_LENGTH,
  LANGUAGE_MIN_LENGTH,
} from "../contract/limits.ts";
import { countCodePoints } from "../text/expression.ts";

/**
 * The request, or its first fault. Words and order are those of the schema's validator, which is
 * ten times as long, while this function also runs in browsers. A test checks that both agree.
 */
export function readRequest(value: unknown): ResolveRequest | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "The request must be an object";
  const { expression, language }: { expression?: unknown; language?: unknown } = value;
  if (expression === undefined) return 'The request lacks the property "expression"';
  const name = Object.keys(value).find((one) => one !== "expression" && one !== "language");
  if (name !== undefined)
    return `The request has the unknown property ${JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)}`;
  const wrong =
    wrongText("expression", expression, [EXPRESSION_MIN_LENGTH, EXPRESSION_MAX_LENGTH]) ??
    (language === undefined ? undefined : wrongText("language", language, [LANGUAGE_MIN_LENGTH, LANGUAGE_MAX_LENGTH]));
  return wrong ?? (value as ResolveRequest);
}

function wrongText(name: string, value: unknown, [least, most]: readonly [number, number]): string | undefined {
  if (typeof value !== "string") return `${name} must be a string`;
  const length = countCodePoints(value);
  if (length > most) return `${name} must have at most ${most} characters`;
  return length < least ? `${name} must have at least ${least} character` : undefined;
}

export type ResolveAnswer =
  | { readonly ok: true; readonly envelope: string }
  | { readonly ok: false; readonly problem: Problem };

/** Answers a request body. */
export function answerResolve(index: RegistryIndex, body: Uint8Array): ResolveAnswer {
  const json = parseJson(body);
  if (json.ok) return answerRequest(index, json.value);
  switch (json.refusal) {
    case "not_json":
      return { ok: false, problem: problem("invalid_json") };
    case "duplicate_name":
      return { ok: false, problem: refusal("invalid_request", "The request body has a duplicate property name") };
  }
}

/** Answers a value that should be a ResolveRequest. Every transport calls this function. */
export function answerRequest(index: RegistryIndex, value: unknown): ResolveAnswer {
  const request = checkRequest(value);
  if ("status" in request) return { ok: false, problem: request };
  const { expression, language } = request;
  return { ok: true, envelope: formatResolution(index, expression, resolve(index, expression, language)) };
}

/** The request, or why it is refused. */
export function checkRequest(value: unknown): ResolveRequest | Problem {
  const request = readRequest(value);
  if (typeof request === "string") return refusal("invalid_request", request);
  const { expression, language } = request;
  if (!expression.isWellFormed())
    return refusal("invalid_request", "expression has a lone surrogate, which is not a character");
  if (language !== undefined && !isWellFormedLanguageTag(language)) return refusal("invalid_language");
  return request;
}

const decoder = new TextDecoder();
const HEAD = '{"data":{"input":{"expression":';
const RESOLVED = '},"status":"resolved","reason":null,"embeddingProfile":null,"concept":';
const RESOLVED_TAIL = ',"candidates":[],"confidence":1,"margin":null},"error":null}';
const ABSTAINED_TAIL = '],"confidence":null,"margin":null},"error":null}';

/** The ResolveEnvelope as JSON. */
function formatResolution(index: RegistryIndex, expression: string, resolution: Resolution): string {
  const echo = HEAD + JSON.stringify(expression);
  const read = (span: ConceptParts["resolved" | "candidate"]): string => decoder.decode(index.read(span));
  if (resolution.status === "resolved") {
    index.ahead([resolution.conceptId]);
    return echo + RESOLVED + read(index.concept(resolution.conceptId).resolved) + RESOLVED_TAIL;
  }
  const { reason } = resolution;
  // O-26: only the first ones.
  const candidates = resolution.candidates.slice(0, CANDIDATES_MAX);
  index.ahead(candidates.map(({ conceptId }) => conceptId));
  const listed = candidates.map(({ conceptId, score }) => `${read(index.concept(conceptId).candidate)}${score}}`);
  const opening = `},"status":"abstained","reason":"${reason}","embeddingProfile":null,"concept":null,"candidates":[`;
  return echo + opening + listed.join(",") + ABSTAINED_TAIL;
}
