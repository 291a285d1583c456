/**
 * Finds what a person names: a concept by its code or sourceId, an expression by its text. Whatever
 * does not name exactly one throws UsageError, in one line that says how to.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import { isWellFormedLanguageTag } from "../../../../runtime/text/language.ts";
import { formatLocation } from "../../../text/finding.ts";
import { suggestion } from "../../../text/nearest.ts";
import { quote, shortened } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located, RegistrySource } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";

export function conceptNamed({ concepts, retired }: RegistrySource, name: string): Located<ConceptRecord> {
  const entry = retired.find(({ code, sourceId }) => code === name || sourceId === name);
  const [concept, other] = concepts.filter(
    ({ record }) => record.code === name || (record.provenance?.sourceId ?? "") === name,
  );
  if (entry !== undefined && concept === undefined) {
    const successor = entry.replacedBy === null ? "" : ` and replaced by ${entry.replacedBy}`;
    throw new UsageError(
      `${quote(name)} is retired since ${entry.retiredIn}${successor}: a retired code stays retired`,
    );
  }
  if (concept === undefined) {
    const codes = concepts.map(({ record }) => record.code);
    throw new UsageError(`${quote(name)} is not the code of a concept${suggestion(name, codes)}`);
  }
  if (other === undefined) return concept;
  throw new UsageError(
    `${quote(name)} is in ${formatLocation(concept)} and in ${formatLocation(other)}: remove one, or give it another code`,
  );
}

/** An expression of a concept. */
export interface Place {
  readonly concept: Located<ConceptRecord>;
  readonly position: number;
  readonly expression: ExpressionRecord;
}

export interface Naming {
  /** The concept that has it; needed if several do. */
  readonly from: string | undefined;
  /** Its tag; needed if the concept has it in several languages. */
  readonly language: string | undefined;
}

/** The expression with this text that is published or could still be. */
export function expressionNamed(source: RegistrySource, text: string, { from, language }: Naming): Place {
  if (language !== undefined) assertTag(language);
  const owner = from === undefined ? undefined : conceptNamed(source, from);
  const all = placesOf(owner === undefined ? source.concepts : [owner], keyOf(text)).filter(
    ({ expression }) => language === undefined || tagOf(expression).toLowerCase() === language.toLowerCase(),
  );
  const [place, other] = all.filter(({ expression }) => isCurrent(expression));
  if (place === undefined) {
    const which = `${quote(text)}${language === undefined ? "" : ` (${language})`}`;
    const [former] = all;
    throw new UsageError(
      former === undefined
        ? `${owner === undefined ? "No concept" : owner.record.code} has the expression ${which}`
        : `${which} is already ${former.expression.reviewStatus} in ${former.concept.record.code}`,
    );
  }
  // A code that is in two files has this expression in one of them.
  if (other === undefined) return { ...place, concept: conceptNamed(source, place.concept.record.code) };
  const found = all.filter(({ expression }) => isCurrent(expression));
  const named = found.slice(0, SHOWN).map(({ concept, expression }) => `${concept.record.code} (${shortened(tagOf(expression))})`); // prettier-ignore
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : "";
  throw new UsageError(
    `${quote(text)} is an expression of ${named.join(", ")}${more}: name one with --from CODE and --language TAG`,
  );
}

const SHOWN = 5;

function placesOf(concepts: readonly Located<ConceptRecord>[], key: string): Place[] {
  return concepts.flatMap((concept) =>
    concept.record.expressions.flatMap((expression, position) =>
      keyOf(expression.expression) === key ? [{ concept, position, expression }] : [],
    ),
  );
}

/** Throws UsageError if the text is not a language tag. */
export function assertTag(language: string): void {
  if (!isWellFormedLanguageTag(language))
    throw new UsageError(`--language ${quote(language)} is not a language tag, such as en or pt-BR`);
}
