/**
 * Resolving without a transport: a request in, envelope bytes or a refusal out. The answer is put together from prebuilt
 * bytes around the echoed expression. `POST /api/v1/resolve`, `POST /mcp` and the command line all end here.
 * Source: contract §4.1; rulings O-06 to O-08, O-26, O-27.
 */
import { type ResolveRequest as Request, ResolveRequest } from "./contract/resolution.ts";
import { parseJson } from "./json.ts";
import { isWellFormedLanguageTag } from "./language.ts";
import { type Problem, problem } from "./problem.ts";
import type { RegistryIndex } from "./registry-index.ts";
import { resolve, type Resolution } from "./resolver.ts";
import { compileSchema } from "./validator.ts";

export type ResolveAnswer =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly problem: Problem };

const parseRequest = compileSchema(ResolveRequest);

/** Answers a request body. */
export function answerResolve(index: RegistryIndex, body: Uint8Array): ResolveAnswer {
  const json = parseJson(body);
  if (json.ok) return answerRequest(index, json.value);
  switch (json.refusal) {
    case "not_json":
      return { ok: false, problem: problem("invalid_json") };
    case "duplicate_name":
      return { ok: false, problem: problem("invalid_request", "The request body has a duplicate property name") };
  }
}

/** Answers what should be a ResolveRequest: the one way in for every transport. */
export function answerRequest(index: RegistryIndex, value: unknown): ResolveAnswer {
  const request = checkRequest(value);
  if ("status" in request) return { ok: false, problem: request };
  return {
    ok: true,
    body: formatResolution(index, request.expression, resolve(index, request.expression, request.language)),
  };
}

function checkRequest(value: unknown): Request | Problem {
  const reading = parseRequest(value);
  if (!reading.ok) {
    const [violation] = reading.violations;
    const subject = violation?.pointer.slice(1) || "The request";
    return problem("invalid_request", `${subject}: ${violation?.text ?? "wrong shape"}`);
  }
  const { expression, language } = reading.value;
  if (!expression.isWellFormed())
    return problem("invalid_request", "expression: has a lone surrogate, which is no character");
  if (language !== undefined && !isWellFormedLanguageTag(language)) return problem("invalid_language");
  return reading.value;
}

const encoder = new TextEncoder();
const HEAD = '{"data":{"input":{"expression":';
const RESOLVED = '},"status":"resolved","reason":null,"embeddingProfile":null,"concept":';
const RESOLVED_TAIL = encoder.encode(',"candidates":[],"confidence":1,"margin":null},"error":null}\n');
const ABSTAINED_TAIL = encoder.encode('],"confidence":null,"margin":null},"error":null}\n');

/** The ResolveEnvelope as bytes. */
function formatResolution(index: RegistryIndex, expression: string, resolution: Resolution): Uint8Array {
  const echo = HEAD + JSON.stringify(expression);
  switch (resolution.status) {
    case "resolved": {
      const { resolved } = index.concept(resolution.conceptId);
      return concat([encoder.encode(echo + RESOLVED), index.read(resolved), RESOLVED_TAIL]);
    }
    case "abstained": {
      const { reason, candidates } = resolution;
      const opening = `${echo}},"status":"abstained","reason":"${reason}","embeddingProfile":null,"concept":null,"candidates":[`;
      const listed = candidates.flatMap(({ conceptId, score }, i) => [
        index.read(index.concept(conceptId).candidate),
        encoder.encode(i + 1 < candidates.length ? `${score}},` : `${score}}`),
      ]);
      return concat([encoder.encode(opening), ...listed, ABSTAINED_TAIL]);
    }
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
