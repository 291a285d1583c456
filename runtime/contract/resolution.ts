/** The resolve request and its answer. Source: contract §2, §4.1; O-07, O-08, O-23, O-26. */
import * as Type from "./type.ts";
import { EXPRESSION_MAX_LENGTH, EXPRESSION_MIN_LENGTH, LANGUAGE_MAX_LENGTH, LANGUAGE_MIN_LENGTH } from "./limits.ts";
import { ResolvedConcept } from "./concept.ts";
import { closed, nullable } from "./schema.ts";

export const ResolveRequest = closed({
  expression: Type.String({
    minLength: EXPRESSION_MIN_LENGTH,
    maxLength: EXPRESSION_MAX_LENGTH,
    description: "The exact expression needing stable identity; no unrelated conversation, no secrets",
  }),
  language: Type.Optional(
    Type.String({
      minLength: LANGUAGE_MIN_LENGTH,
      maxLength: LANGUAGE_MAX_LENGTH,
      description: "BCP 47 language tag of the expression, well-formed by RFC 5646 (en, pt-BR); omitted when unknown",
    }),
  ),
});
export type ResolveRequest = Type.Static<typeof ResolveRequest>;

/** Why an expression was not resolved: the closed list of O-07. */
export const ABSTENTION_REASONS = [
  "no_reviewed_exact_match",
  "language_not_matched",
  "ambiguous_expression",
  "equivalence_not_exact",
  "registry_empty",
] as const;
export type AbstentionReason = (typeof ABSTENTION_REASONS)[number];

/** Each reason in words, for documents and pages. */
export const REASON_MEANINGS: Readonly<Record<AbstentionReason, string>> = {
  no_reviewed_exact_match: "No reviewed expression is exactly this text",
  language_not_matched: "The text is a reviewed expression, but not in the language that was named",
  ambiguous_expression: "Several concepts have exactly this expression; the candidates name them as evidence",
  equivalence_not_exact: "The text is reviewed as near a concept, not equal to it; the candidate names it as evidence",
  registry_empty: "No reviewed expression is published",
};

/** Evidence only; never an assignment. */
export const Candidate = closed({ code: Type.String(), name: Type.String(), score: Type.Number() });
export type Candidate = Type.Static<typeof Candidate>;

export const EmbeddingProfile = closed({
  name: Type.String(),
  modelName: Type.String(),
  modelVersion: Type.String(),
  dimensions: Type.Integer({ minimum: 1 }),
});

export const ResolutionData = closed({
  input: closed({ expression: Type.String() }),
  status: Type.Enum(["resolved", "abstained"]),
  reason: nullable(Type.String()),
  embeddingProfile: nullable(EmbeddingProfile),
  concept: nullable(ResolvedConcept),
  candidates: Type.Array(Candidate),
  confidence: nullable(Type.Number()),
  margin: nullable(Type.Number()),
});
export type ResolutionData = Type.Static<typeof ResolutionData>;

export const ResolveEnvelope = closed({ data: ResolutionData, error: Type.Null() });
export type ResolveEnvelope = Type.Static<typeof ResolveEnvelope>;

export const ErrorEnvelope = closed({
  data: Type.Null(),
  error: closed({ code: Type.String(), message: Type.String() }),
});
