/**
 * Concepts as published: summary, detail, list, history. Source: contract §2; rulings O-17 to O-22.
 */
import * as Type from "./type.ts";
import { closed, nullable, optionalEach } from "./schema.ts";

export const EXPRESSION_TYPES = ["preferred", "alternate", "abbreviation", "symbol"] as const;
export const RENDERING_TYPES = ["emoji", "symbol", "pictogram", "text"] as const;
/** The only review status that is published and can resolve (O-18). */
export const REVIEWED = "reviewed";
/** The only strength that can resolve (O-19). */
export const EXACT_STRENGTH = 1;

/**
 * The SKOS mapping properties: members of a provenance in which the source names concepts of other
 * vocabularies, in the order of writing.
 */
export const MATCHES = ["exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch"] as const;
export type Match = (typeof MATCHES)[number];

/** Where a record or an expression comes from and who reviewed it: a role, never a name (O-22). */
export const Provenance = closed({
  source: Type.String({ minLength: 1 }),
  license: Type.String({ minLength: 1, description: "SPDX licence identifier" }),
  sourceId: nullable(Type.String({ minLength: 1 })),
  reviewedBy: nullable(Type.String({ minLength: 1, description: "A role, never a personal name" })),
  reviewedAt: nullable(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" })),
  ...optionalEach(MATCHES, Type.Array(Type.String({ minLength: 1 }))),
});
export type Provenance = Type.Static<typeof Provenance>;

/** Clients must accept any JSON value (contract §2); this service sends a Provenance or null. */
const AnyProvenance = Type.Unsafe<Provenance | null>({
  description:
    "Any JSON value; this service gives null or { source, license, sourceId, reviewedBy, reviewedAt }, at a concept with exactMatch and closeMatch where its source has them",
});

export const ConceptExpression = closed({
  language: Type.String(),
  locale: nullable(Type.String()),
  expression: Type.String(),
  type: Type.String(),
  equivalenceStrength: Type.Number(),
  reviewStatus: Type.String(),
  provenance: AnyProvenance,
});
export type ConceptExpression = Type.Static<typeof ConceptExpression>;

export const ConceptRendering = closed({
  type: Type.String(),
  descriptor: Type.String(),
  unicodeSequence: nullable(Type.String()),
  confidence: Type.Number(),
});
export type ConceptRendering = Type.Static<typeof ConceptRendering>;

const identity = {
  code: Type.String(),
  name: Type.String(),
  definition: Type.String(),
  domain: Type.String(),
  registryVersion: Type.String(),
};

export const ConceptSummary = closed({ ...identity, url: Type.String({ format: "uri" }) });
export type ConceptSummary = Type.Static<typeof ConceptSummary>;

export const ConceptDetail = closed({
  ...identity,
  provenance: AnyProvenance,
  expressions: Type.Array(ConceptExpression),
  renderings: Type.Array(ConceptRendering),
  canonicalUrl: Type.String({ format: "uri" }),
});
export type ConceptDetail = Type.Static<typeof ConceptDetail>;

export const ConceptList = closed({ data: Type.Array(ConceptSummary), count: Type.Integer({ minimum: 0 }) });

/** The concept in a resolved answer. */
export const ResolvedConcept = closed(identity);
export type ResolvedConcept = Type.Static<typeof ResolvedConcept>;

/** The only failure body without an envelope (contract §7, tension T-04). */
export const ConceptNotFound = closed({ error: Type.Literal("concept_not_found") });
export type ConceptNotFound = Type.Static<typeof ConceptNotFound>;

/** One line of the changes by concept: the releases that changed it, oldest first (O-68). */
export const ConceptHistory = closed({
  code: Type.String(),
  changes: Type.Array(
    closed({
      registryVersion: Type.String(),
      /** Null if only the expressions that resolve to it changed. */
      change: nullable(Type.Enum(["added", "changed", "retired"])),
      /** How many expressions began to resolve to it, and how many stopped. */
      gained: Type.Integer({ minimum: 0 }),
      lost: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type ConceptHistory = Type.Static<typeof ConceptHistory>;

/** The history of a code; undefined if none is recorded. No code needs escaping in JSON. */
export function findHistory(lines: string, code: string): ConceptHistory | undefined {
  const head = `{"code":"${code}",`;
  const start = lines.startsWith(head) ? 0 : lines.indexOf(`\n${head}`) + 1;
  if (start === 0 && !lines.startsWith(head)) return undefined;
  return JSON.parse(lines.slice(start, lines.indexOf("\n", start))) as ConceptHistory;
}
