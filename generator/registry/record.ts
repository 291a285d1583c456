/**
 * The source format of a registry: the fields of the files that people write in `registry/`.
 * registry/README.md explains it. A member with a `default` may be left out there, and every record
 * that was read has it.
 * Source: contract §2; rulings O-02, O-16 to O-22.
 */
import * as Type from "../../runtime/contract/type.ts";
import { Notations, Notes } from "../../runtime/contract/concept-notes.ts";
import { EXPRESSION_TYPES, Provenance, RENDERING_TYPES } from "../../runtime/contract/concept.ts";
import { Sha256 } from "../../runtime/contract/document.ts";
import { closed, nullable } from "../../runtime/contract/schema.ts";
import { Reassignment } from "../contract/changes.ts";
import { LogHead } from "../contract/log-head.ts";
import { REGISTRY_VERSION_PATTERN } from "../text/version.ts";

/** Only `reviewed` ships and can resolve (O-18); `rejected` and `retired` are kept as history. */
export const REVIEW_STATUSES = ["draft", "in_review", "reviewed", "rejected", "retired"] as const;

const text = Type.String({ minLength: 1 });

export const ExpressionRecord = closed({
  language: text,
  locale: Type.Optional(nullable(text)),
  expression: Type.String(),
  type: Type.Enum([...EXPRESSION_TYPES], { default: "alternate" }),
  equivalenceStrength: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
  reviewStatus: Type.Enum([...REVIEW_STATUSES]),
  /** Left out: the concept's own provenance applies. */
  provenance: Type.Optional(nullable(Provenance)),
});
export type ExpressionRecord = Type.Static<typeof ExpressionRecord>;

export const RenderingRecord = closed({
  type: Type.Enum([...RENDERING_TYPES]),
  descriptor: text,
  unicodeSequence: nullable(text),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
});

/**
 * Statements of a vocabulary about a concept that are not in the concept's own document. All are
 * optional, and none decides what resolves.
 */
export const VocabularyFields = closed({
  notations: Type.Optional(Notations),
  /** Every note of the source, including those that `definition` was chosen from. */
  notes: Type.Optional(Notes),
  /** Codes. */
  broader: Type.Optional(Type.Array(text)),
  narrower: Type.Optional(Type.Array(text)),
  related: Type.Optional(Type.Array(text)),
  /**
   * Statements of the source about the concept that no field holds: predicate and object as in
   * N-Triples.
   */
  source: Type.Optional(Type.Array(text)),
  /** Statements of the fields that the source does not make. */
  unsaid: Type.Optional(Type.Array(text)),
});
export type VocabularyFields = Type.Static<typeof VocabularyFields>;

export const ConceptRecord = closed({
  code: text,
  name: text,
  /** Optional here, so that its own rule reports that it is missing. */
  definition: Type.Optional(nullable(Type.String())),
  domain: text,
  provenance: Type.Union([Provenance, Type.Null()], { default: null }),
  expressions: Type.Array(ExpressionRecord),
  renderings: Type.Optional(Type.Array(RenderingRecord)),
  /**
   * Labels that the source lists as, for example, common misspellings: evidence, never published
   * and never matched (O-17).
   */
  hiddenLabels: Type.Optional(Type.Array(closed({ language: text, label: Type.String() }))),
  ...VocabularyFields.properties,
});
export type ConceptRecord = Type.Static<typeof ConceptRecord>;

/**
 * A line of `vocabularies/<domain>.ndjson`: the source's statements about a thing that is not an
 * active concept (a scheme, a collection, a label, a deprecated concept), by its IRI or as a blank
 * node; in order of subject. If the source file has no base, the IRI of the file itself is empty.
 */
export const SubjectLine = closed({ subject: Type.String(), source: Type.Array(text) });
export type SubjectLine = Type.Static<typeof SubjectLine>;

/** `registry.yaml` */
export const RegistryRecord = closed({
  name: text,
  /** `YYYY.MM.N`, one for the whole published registry (O-16). */
  registryVersion: Type.String({ pattern: REGISTRY_VERSION_PATTERN }),
  /** The admitted values of `language`. */
  languages: Type.Array(text),
  license: text,
  /** A sentence on what its words are about. */
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  /** False: an abstention names no concept whose expression differs only in form. */
  nearForms: Type.Optional(Type.Boolean()),
});
export type RegistryRecord = Type.Static<typeof RegistryRecord>;

/** `retired.yaml`: codes that must never be used again (O-57). */
export const RetiredRecord = Type.Array(
  closed({
    code: text,
    retiredIn: Type.String({ pattern: REGISTRY_VERSION_PATTERN }),
    replacedBy: nullable(text),
    /** The name it had. */
    name: Type.Optional(text),
    /** The source's identifier for it. */
    sourceId: Type.Optional(text),
    reason: Type.Optional(text),
  }),
);
export type RetiredRecord = Type.Static<typeof RetiredRecord>;

/**
 * `history.yaml`: append-only, oldest first; the content digest of each released version (O-16).
 */
export const HistoryRecord = Type.Array(
  closed({
    registryVersion: Type.String({ pattern: REGISTRY_VERSION_PATTERN }),
    contentSha256: Sha256,
    /** Of what the release remembers: released/<version>.ndjson. */
    memorySha256: Sha256,
    /** Of changes/<version>.json; the first release has none. */
    changesSha256: Type.Optional(Sha256),
    /** The day of the release, YYYY-MM-DD. */
    releasedOn: Type.Optional(Type.String({ pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$" })),
    /**
     * The reassignments that break the stability promise in this release, and why a person accepted
     * them.
     */
    reassigned: Type.Optional(Type.Array(Reassignment)),
    acknowledgement: Type.Optional(text),
    /** The transparency log next to the registry, before the release was in it. */
    log: Type.Optional(LogHead),
  }),
);
export type HistoryRecord = Type.Static<typeof HistoryRecord>;
export type HistoryEntry = HistoryRecord[number];

/**
 * A line of `code-map.ndjson`: a source's identifier for a concept, and its permanent code; in
 * order of sourceId.
 */
export const CodeMapLine = closed({ sourceId: text, code: text });
export type CodeMapLine = Type.Static<typeof CodeMapLine>;
