/**
 * The published classifier of the handoffs: one module for this build, Node and browsers, and its
 * rules as prose.
 */
import type { Classification, ClassifierRule, Fixture, ProvenFixture } from "../contract/integration.ts";
import { policies } from "../../runtime/contract/policy.ts";
import { ANSWER_MAX_BYTES, classify as classifyAnswer } from "./handoffs/node/classify.mjs";

/** A fixture whose result is not the declared one; nothing may be published with it. */
export class ProofError extends Error {
  override name = "ProofError";
}

/** Runs the classifier over fixtures. Throws ProofError at the first that is not as declared. */
export function prove(fixtures: readonly Fixture[]): ProvenFixture[] {
  return fixtures.map((fixture) => {
    const result = judge(fixture.request, fixture.response);
    const [found, declared] = [JSON.stringify(result), JSON.stringify(fixture.expected)];
    if (found === declared) return { ...fixture, result, asDeclared: true };
    throw new ProofError(
      `recipe ${fixture.recipeId}: its fixture ${fixture.id} gives ${found} and declares ${declared}`,
    );
  });
}

/** What a kit makes of an exchange. */
export function judge(request: Fixture["request"], response: Fixture["response"]): Classification {
  const answer = response && { ...response, body: new TextEncoder().encode(response.body) };
  return classifyAnswer(request.expression, answer) as Classification;
}

/** An answer of the service to a request that is not refused. */
export function okResponse(envelope: unknown): NonNullable<Fixture["response"]> {
  return { status: 200, contentType: policies.answer.mediaType, body: `${JSON.stringify(envelope)}\n` };
}

const rules: readonly Omit<ClassifierRule, "rule">[] = [
  {
    when:
      "No complete answer comes: no connection, a broken connection, an impossible length, or the time limit of the call " +
      "passes; of an answer that is not a 200 only the status counts, of a 200 the bytes up to the limit of rule 4",
    outcome: "service-error",
  },
  { when: "The HTTP status is 400 to 499", outcome: "request-error" },
  { when: "The HTTP status is not 200; a redirect is not followed", outcome: "service-error" },
  {
    when:
      `The Content-Type is not application/json, or the body is longer than ${ANSWER_MAX_BYTES} bytes, or it is not strict ` +
      "JSON (RFC 8259): UTF-8 without a byte order mark, no duplicate name in an object, no half of a surrogate pair",
    outcome: "malformed",
  },
  {
    when: "The body is not a ResolveEnvelope: a member is missing, added or of another type (no object may have more members)",
    outcome: "malformed",
  },
  { when: "data.input.expression is not exactly the expression that was sent", outcome: "malformed" },
  {
    when: 'data.status is "abstained", data.concept is null, and data.reason is "ambiguous_expression"',
    outcome: "ambiguous",
  },
  { when: 'data.status is "abstained" and data.concept is null', outcome: "unknown" },
  {
    when:
      'data.status is "resolved", data.reason is null, and data.concept.code and data.concept.registryVersion are not ' +
      "empty: these two are the assignment",
    outcome: "resolved-valid",
  },
  { when: "Anything else", outcome: "malformed" },
];

export const classifierRules: readonly ClassifierRule[] = rules.map((rule, i) => ({ rule: i + 1, ...rule }));
