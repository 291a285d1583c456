/** Turns what a format gave back into records, as the import does. */
import type { ExpressionRecord, RetiredRecord } from "../../../../../generator/registry/record.ts";
import type { SourceConcept, SourceExpression } from "../../../../../generator/tools/vocabulary/formats/source.ts";

/** `part` makes language and locale of a tag that the format itself does not part. */
export function expressionOf(
  { tag, parted, text, type, equivalenceStrength = -1, reviewStatus = "draft", provenance }: SourceExpression,
  part: (tag: string) => { readonly language: string; readonly locale?: string | null | undefined },
): ExpressionRecord {
  const { language, locale } = parted ?? part(tag);
  return {
    language,
    ...(locale !== undefined && { locale }),
    expression: text,
    type,
    equivalenceStrength,
    reviewStatus,
    ...(provenance !== undefined && { provenance }),
  };
}

export function retiredOf({ code = "", sourceId, name, retired }: SourceConcept): RetiredRecord[number] {
  return {
    code,
    retiredIn: retired?.retiredIn ?? "",
    replacedBy: retired?.replacedBy[0] ?? null,
    ...(name !== undefined && { name }),
    ...(sourceId !== null && { sourceId }),
    ...(retired?.reason !== undefined && { reason: retired.reason }),
  };
}

/** The hidden labels of a record, where there are any. */
export function hiddenOf({ hiddenLabels }: SourceConcept): object {
  if (hiddenLabels.length === 0) return {};
  return { hiddenLabels: hiddenLabels.map(({ tag, text }) => ({ language: tag, label: text })) };
}
