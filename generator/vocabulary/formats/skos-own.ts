/**
 * What our SKOS exports say in words of their own, so that a registry comes back as it was: the records behind the plain
 * labels, and the order of expressions that needs no saying. Writer and reader agree here.
 */
import * as Type from "../../../runtime/contract/type.ts";
import { EXACT_STRENGTH, EXPRESSION_TYPES, Provenance, REVIEWED } from "../../../runtime/contract/concept.ts";
import { closed } from "../../../runtime/contract/schema.ts";
import { formatLanguageTag, parseLanguageTag } from "../../../runtime/text/language.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { firstViolation, type Reading } from "../../../runtime/contract/validator.ts";
import { compareCodePoints } from "../../text/order.ts";
import { tagOf } from "../../registry/checked.ts";
import {
  ExpressionRecord,
  HistoryRecord,
  RegistryRecord,
  RenderingRecord,
  RetiredRecord,
  SubjectLine,
  VocabularyFields,
} from "../../registry/record.ts";
import type { SourceText } from "./source.ts";
import { PREFIXES } from "./terms.ts";

export type LabelName = "prefLabel" | "altLabel";

/** `srs:expression`: an expression that a plain label does not say completely. */
export const OwnExpression = closed({
  ...ExpressionRecord.properties,
  /** The plain label that says its text too: where that is gone, so is the expression. */
  label: Type.Optional(Type.Enum(["prefLabel", "altLabel"] satisfies LabelName[])),
  /** Its place among the expressions, where they are not in canonical order. */
  position: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type OwnExpression = Type.Static<typeof OwnExpression>;

/** `srs:hiddenLabels`: all of them, where plain ones cannot say them or their order. */
export const OwnHiddenLabels = Type.Array(
  closed({
    language: Type.String(),
    label: Type.String(),
    /** A plain hidden label says it too. */
    plain: Type.Optional(Type.Literal(true)),
  }),
);
export type OwnHiddenLabels = Type.Static<typeof OwnHiddenLabels>;

/** Readers of our JSON literals. */
export const own = {
  expression: compileSchema(OwnExpression),
  hiddenLabels: compileSchema(OwnHiddenLabels),
  provenance: compileSchema(Provenance),
  renderings: compileSchema(Type.Array(RenderingRecord)),
  retired: compileSchema(RetiredRecord.items),
  fields: compileSchema(VocabularyFields),
  vocabulary: compileSchema(closed({ domain: Type.String(), ...SubjectLine.properties })),
  registry: compileSchema(RegistryRecord),
  history: compileSchema(HistoryRecord),
  text: compileSchema(Type.String()),
};

/** The record in a JSON literal, or what is wrong with it. */
export function parseOwn<T>(text: string, parser: (value: unknown) => Reading<T>): { value: T } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "it is no JSON" };
  }
  const reading = parser(value);
  return reading.ok ? { value: reading.value } : { fault: firstViolation(reading.violations, "", "it") };
}

/** An expression as a label says it. */
export interface Label extends SourceText {
  readonly type: ExpressionRecord["type"];
}

/** Canonical order: by tag, then preferred, alternate, abbreviation, symbol, then text. */
export function compareLabels(a: Label, b: Label): number {
  return (
    compareCodePoints(a.tag, b.tag) ||
    EXPRESSION_TYPES.indexOf(a.type) - EXPRESSION_TYPES.indexOf(b.type) ||
    compareCodePoints(a.text, b.text)
  );
}

export function compareTexts(a: SourceText, b: SourceText): number {
  return compareCodePoints(a.tag, b.tag) || compareCodePoints(a.text, b.text);
}

/** What makes two labels of one kind the same; RDF compares tags without case. */
export function labelKey({ tag, text }: SourceText): string {
  return `${tag.toLowerCase()} ${text}`;
}

/** Whether a label is read back with the tag and the text that it was written with. */
export function isPlainText({ tag, text }: SourceText): boolean {
  return parseLanguageTag(tag) !== undefined && formatLanguageTag(tag) === tag && text.isWellFormed();
}

/** Whether everything about an expression follows from a plain label of its tag, type and text. */
export function isPlainExpression(expression: ExpressionRecord): boolean {
  return (
    expression.reviewStatus === REVIEWED &&
    expression.equivalenceStrength === EXACT_STRENGTH &&
    (expression.type === "preferred" || expression.type === "alternate") &&
    expression.provenance === undefined &&
    isPartedByRule(expression)
  );
}

/** Whether language and locale are what the whole tag is parted into by itself; a locale of null is not, being said. */
export function isPartedByRule(expression: Pick<ExpressionRecord, "language" | "locale">): boolean {
  const { language, locale } = expression;
  if (locale === null) return false;
  const tag = parseLanguageTag(tagOf({ language, locale: locale ?? null }));
  if (tag === undefined || tag.language === "" || tag.extlang.length > 0) return false;
  const base = tag.script === undefined ? tag.language : `${tag.language}-${tag.script}`;
  return base === language && locale !== language;
}

/** Whether a text can stand as an absolute IRI in every format; our prefixes would be taken for prefixes. */
export function isIri(text: string): boolean {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):[^\s\p{C}<>"{}|\\^`]*$/u.exec(text)?.[1];
  return scheme !== undefined && !Object.hasOwn(PREFIXES, scheme.toLowerCase());
}
