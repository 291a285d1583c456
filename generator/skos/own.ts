/**
 * The terms of our own in SKOS exports: records in JSON literals, from which a registry comes back
 * as it was.
 */
import * as Type from "../../runtime/contract/type.ts";
import { Provenance } from "../../runtime/contract/concept.ts";
import { closed } from "../../runtime/contract/schema.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { firstViolation, type Reader } from "../../runtime/contract/validator.ts";
import {
  CodeMapLine,
  ExpressionRecord,
  RegistryRecord,
  RenderingRecord,
  RetiredRecord,
  SubjectLine,
  VocabularyFields,
} from "../registry/record.ts";
import type { DomainLine } from "../registry/vocabulary-file.ts";

/** The plain SKOS label that says an expression. */
export type LabelName = "prefLabel" | "altLabel";

/** `srs:expression`: an expression that a plain label does not say completely. */
export const OwnExpression = closed({
  ...ExpressionRecord.properties,
  /** The plain label that also has its text: without that label, the expression is gone. */
  label: Type.Optional(Type.Enum(["prefLabel", "altLabel"] satisfies LabelName[])),
  /** Its position among the expressions, if they are not in canonical order. */
  position: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type OwnExpression = Type.Static<typeof OwnExpression>;

/**
 * `srs:hiddenLabels`: all of them, if plain labels cannot say them, their order, or that the list
 * is empty.
 */
export const OwnHiddenLabels = Type.Array(
  closed({
    language: Type.String(),
    label: Type.String(),
    /** A plain hidden label also says it. */
    plain: Type.Optional(Type.Literal(true)),
  }),
);
export type OwnHiddenLabels = Type.Static<typeof OwnHiddenLabels>;

/** `srs:registry`: the registry's own record. */
export const OwnRegistry = closed({
  ...RegistryRecord.properties,
  /** The languages of a partial export. Left out: the export is complete. */
  only: Type.Optional(Type.Array(Type.String())),
});
export type OwnRegistry = Type.Static<typeof OwnRegistry>;

/** By property name, without `srs:`. */
export interface OwnRecords {
  readonly expression: OwnExpression;
  readonly hiddenLabels: OwnHiddenLabels;
  readonly provenance: Provenance;
  readonly renderings: Type.Static<typeof RenderingRecord>[];
  readonly retired: RetiredRecord[number];
  readonly fields: VocabularyFields;
  readonly vocabulary: DomainLine;
  readonly mapped: CodeMapLine;
  readonly registry: OwnRegistry;
}

/** Readers of our JSON literals. */
export const own: { readonly [K in keyof OwnRecords]: Reader<OwnRecords[K]> } = {
  expression: compileSchema(OwnExpression),
  hiddenLabels: compileSchema(OwnHiddenLabels),
  provenance: compileSchema(Provenance),
  renderings: compileSchema(Type.Array(RenderingRecord)),
  retired: compileSchema(RetiredRecord.items),
  fields: compileSchema(VocabularyFields),
  vocabulary: compileSchema(closed({ domain: Type.String(), ...SubjectLine.properties })),
  mapped: compileSchema(CodeMapLine),
  registry: compileSchema(OwnRegistry),
};
export const ownText = compileSchema(Type.String());

/** Returns the record in a JSON literal, or why it is not one. */
export function parseOwn<T>(text: string, parser: Reader<T>): { value: T } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "it is not JSON" };
  }
  const reading = parser(value);
  return reading.ok ? { value: reading.value } : { fault: firstViolation(reading.violations, "", "it") };
}
