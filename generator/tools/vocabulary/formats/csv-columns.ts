/**
 * The columns of a registry's CSV, the kinds of rows, and how cells are kept from running as
 * formulas in a spreadsheet.
 * Source: registry/README.md, which explains every column; otherwise RFC 4180.
 */
import * as Type from "../../../../runtime/contract/type.ts";
import { Provenance } from "../../../../runtime/contract/concept.ts";
import { closed, nullable } from "../../../../runtime/contract/schema.ts";
import { RenderingRecord, VocabularyFields } from "../../../registry/record.ts";

export const CONCEPT_COLUMNS = [
  "code",
  "sourceId",
  "name",
  "definition",
  "domain",
  "source",
  "license",
  "reviewedBy",
  "reviewedAt",
] as const;
export type ConceptColumn = (typeof CONCEPT_COLUMNS)[number];

const EXPRESSION_COLUMNS = ["language", "locale", "expression", "type", "equivalenceStrength", "reviewStatus"] as const;
const RETIREMENT_COLUMNS = ["replacedBy", "retiredIn", "reason"] as const;

export const COLUMNS = ["entry", ...CONCEPT_COLUMNS, ...EXPRESSION_COLUMNS, ...RETIREMENT_COLUMNS, "details"] as const;
export type Column = (typeof COLUMNS)[number];

/** The cells of a row that are not empty. */
export type Cells = Readonly<Partial<Record<Column, string>>>;

/** The kinds of rows, and the columns that each uses. */
export const ENTRIES = {
  expression: [...CONCEPT_COLUMNS, ...EXPRESSION_COLUMNS, "details"],
  concept: [...CONCEPT_COLUMNS, "details"],
  hidden: [...CONCEPT_COLUMNS, "language", "locale", "expression"],
  rendering: [...CONCEPT_COLUMNS, "type", "expression", "details"],
  retired: ["code", "sourceId", "name", ...RETIREMENT_COLUMNS],
  mapped: ["code", "sourceId"],
  registry: ["details"],
  vocabulary: ["details"],
} as const satisfies Record<string, readonly Column[]>;
export type Entry = keyof typeof ENTRIES;

/**
 * The values of a concept's empty cells that are not simply absent, and values without a column:
 * matches and vocabulary fields.
 */
export const ConceptDetails = closed({
  definition: Type.Optional(Type.Union([Type.Literal(""), Type.Null()])),
  provenance: Type.Optional(Type.Null()),
  exactMatch: Provenance.properties.exactMatch,
  closeMatch: Provenance.properties.closeMatch,
  broadMatch: Provenance.properties.broadMatch,
  narrowMatch: Provenance.properties.narrowMatch,
  relatedMatch: Provenance.properties.relatedMatch,
  vocabulary: Type.Optional(VocabularyFields),
  renderings: Type.Optional(Type.Array(RenderingRecord, { maxItems: 0 })),
  hiddenLabels: Type.Optional(Type.Array(Type.Object({}), { maxItems: 0 })),
});
export type ConceptDetails = Type.Static<typeof ConceptDetails>;

export const ExpressionDetails = closed({
  provenance: Type.Optional(nullable(Provenance)),
  /** The cell is empty and the record has null. */
  locale: Type.Optional(Type.Null()),
  /** The record has `language` exactly as written: it is not a tag to split. */
  parted: Type.Optional(Type.Literal(true)),
});
export type ExpressionDetails = Type.Static<typeof ExpressionDetails>;

export const RenderingDetails = closed({
  unicodeSequence: RenderingRecord.properties.unicodeSequence,
  confidence: RenderingRecord.properties.confidence,
});
export type RenderingDetails = Type.Static<typeof RenderingDetails>;
