/**
 * The labels of a concept in SKOS: a plain one for each reviewed and exact expression, as far as
 * the integrity conditions admit it (S13: no text in two roles; S14: one preferred label per tag),
 * and records of ours for what plain labels cannot say. The reader and the writer share these rules
 * for when two labels are equal, their order, and what a plain label says completely.
 */
import { EXACT_STRENGTH, EXPRESSION_TYPES, REVIEWED } from "../../runtime/contract/concept.ts";
import { formatLanguageTag, parseLanguageTag } from "../../runtime/text/language.ts";
import { tagOf } from "../registry/concept.ts";
import type { ConceptRecord, ExpressionRecord } from "../registry/record.ts";
import { compareCodePoints, isAscending } from "../text/order.ts";
import type { Property } from "./rdf-write.ts";
import type { LabelName, OwnExpression, OwnHiddenLabels } from "./own.ts";

/** A text and its tag, which may be empty. */
interface TaggedText {
  readonly tag: string;
  readonly text: string;
}

/** An expression as a label. */
export interface Label extends TaggedText {
  readonly type: ExpressionRecord["type"];
}

export function labelOf(expression: ExpressionRecord): Label {
  return { tag: tagOf(expression), text: expression.expression, type: expression.type };
}

/** Canonical order: by tag, then preferred, alternate, abbreviation, symbol, then text. */
export function compareLabels(a: Label, b: Label): number {
  return (
    compareCodePoints(a.tag, b.tag) ||
    EXPRESSION_TYPES.indexOf(a.type) - EXPRESSION_TYPES.indexOf(b.type) ||
    compareCodePoints(a.text, b.text)
  );
}

export function compareTexts(a: TaggedText, b: TaggedText): number {
  return compareCodePoints(a.tag, b.tag) || compareCodePoints(a.text, b.text);
}

/** Equal for two labels of one kind that are the same; RDF compares tags case-insensitively. */
export function labelKey({ tag, text }: TaggedText): string {
  return `${tag.toLowerCase()} ${text}`;
}

/** Whether a label is read back with the tag and the text that it was written with. */
export function isPlainText({ tag, text }: TaggedText): boolean {
  return parseLanguageTag(tag) !== undefined && formatLanguageTag(tag) === tag && text.isWellFormed();
}

/** Whether a plain label of its tag, type and text says everything about an expression. */
export function isPlainExpression(expression: ExpressionRecord): boolean {
  return (
    expression.reviewStatus === REVIEWED &&
    expression.equivalenceStrength === EXACT_STRENGTH &&
    (expression.type === "preferred" || expression.type === "alternate") &&
    expression.provenance === undefined &&
    isPartedByRule(expression)
  );
}

/**
 * Whether splitting the whole tag gives this language and locale; an explicit locale of null never
 * does.
 */
export function isPartedByRule(expression: Pick<ExpressionRecord, "language" | "locale">): boolean {
  const { language, locale } = expression;
  if (locale === null) return false;
  const tag = parseLanguageTag(locale ?? language);
  if (tag === undefined || tag.language === "" || tag.extlang.length > 0) return false;
  const base = tag.script === undefined ? tag.language : `${tag.language}-${tag.script}`;
  return base === language && locale !== language;
}

interface Labelled {
  readonly record: ExpressionRecord;
  readonly label: Label;
}

/** Plain labels, then the records that complete them or have no plain label. */
export function expressionProperties(expressions: readonly ExpressionRecord[]): Property[] {
  const all = expressions.map((record): Labelled => ({ record, label: labelOf(record) }));
  const names = nameLabels(all);
  const isInOrder = isAscending(all, (a, b) => compareLabels(a.label, b.label));
  const uses = new Map<string, number>();
  for (const { label } of all) {
    const key = useOf(names.get(label), label);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  const plain: Record<LabelName, Map<string, Property>> = { prefLabel: new Map(), altLabel: new Map() };
  const records: Property[] = [];
  all.forEach(({ record, label }, at) => {
    const name = names.get(label);
    if (name !== undefined) plain[name].set(labelKey(label), toProperty(`skos:${name}`, label));
    const isSaid = name !== undefined && uses.get(useOf(name, label)) === 1 && isPlainExpression(record);
    if (isSaid && isInOrder) return;
    const own: OwnExpression = {
      ...record,
      ...(name === undefined ? {} : { label: name }),
      ...(isInOrder ? {} : { position: at }),
    };
    records.push(["srs:expression", { json: own }]);
  });
  return [...plain.prefLabel.values(), ...plain.altLabel.values(), ...records];
}

function useOf(name: LabelName | undefined, label: Label): string {
  return `${name} ${labelKey(label)}`;
}

/**
 * Chooses the plain label of each expression; none if it waits for review, is inexact, cannot be
 * written, or would break SKOS.
 */
function nameLabels(all: readonly Labelled[]): Map<Label, LabelName> {
  const names = new Map<Label, LabelName>();
  const preferred = new Map<string, string>();
  const published = all.filter(
    ({ record, label }) =>
      record.reviewStatus === REVIEWED && record.equivalenceStrength === EXACT_STRENGTH && isPlainText(label),
  );
  for (const { label } of published.filter(({ label: { type } }) => type === "preferred")) {
    if (preferred.has(label.tag)) continue;
    preferred.set(label.tag, label.text);
    names.set(label, "prefLabel");
  }
  for (const { label } of published) {
    if (label.type !== "preferred" && preferred.get(label.tag) !== label.text) names.set(label, "altLabel");
  }
  return names;
}

/**
 * Hidden labels; `labels` are the concept's plain ones, whose texts a hidden one may not repeat.
 */
export function hiddenProperties(hidden: ConceptRecord["hiddenLabels"], labels: readonly Property[]): Property[] {
  if (hidden === undefined) return [];
  const taken = new Set(
    labels.flatMap(([, object]) =>
      "language" in object ? [labelKey({ tag: object.language ?? "", text: object.text })] : [],
    ),
  );
  const all = hidden.map((record) => {
    const label = { tag: record.language, text: record.label };
    return { record, label, isPlain: isPlainText(label) && !taken.has(labelKey(label)) };
  });
  const plain = new Map(
    all
      .filter(({ isPlain }) => isPlain)
      .map(({ label }) => [labelKey(label), toProperty("skos:hiddenLabel", label)] as const),
  );
  const isSaid =
    all.length > 0 && all.every(({ isPlain }) => isPlain) && isAscending(all, (a, b) => compareTexts(a.label, b.label));
  if (isSaid) return [...plain.values()];
  const records: OwnHiddenLabels = all.map(({ record, isPlain }) => ({
    ...record,
    ...(isPlain ? { plain: true as const } : {}),
  }));
  return [...plain.values(), ["srs:hiddenLabels", { json: records }]];
}

function toProperty(predicate: string, { tag, text }: TaggedText): Property {
  return [predicate, { text, language: tag }];
}
