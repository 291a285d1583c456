/** The concepts of a registry that are near a group of gaps, and the languages that they lack. */
import { type NearRule, nearRuleTo } from "../../../../runtime/registry/near-form.ts";
import { keyOf } from "../../../../runtime/text/expression.ts";
import { isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import type { Located, RegistrySource } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { formOf } from "./group.ts";

export interface NearConcept {
  readonly concept: Located<ConceptRecord>;
  /** Its nearest expression. */
  readonly expression: ExpressionRecord;
  /** The rule that makes the two the same text; undefined if they are the same expression. */
  readonly rule: NearRule | undefined;
}

/** Finds what is near an expression, published or waiting: one entry for each concept. */
export type FindNear = (expression: string) => readonly NearConcept[];

export function nearIn({ concepts }: Pick<RegistrySource, "concepts">): FindNear {
  const byForm = new Map<string, Pick<NearConcept, "concept" | "expression">[]>();
  for (const concept of concepts) {
    for (const expression of concept.record.expressions) {
      if (!isCurrent(expression)) continue;
      const form = formOf(expression.expression);
      const known = byForm.get(form) ?? [];
      known.push({ concept, expression });
      byForm.set(form, known);
    }
  }
  return (asked) => {
    const [key, ruleOf] = [keyOf(asked), nearRuleTo(asked)];
    const nearest = new Map<string, NearConcept>();
    for (const { concept, expression } of byForm.get(formOf(asked)) ?? []) {
      const rule = keyOf(expression.expression) === key ? undefined : ruleOf(expression.expression);
      const known = nearest.get(concept.record.code);
      if (known === undefined || scoreOf(rule) > scoreOf(known.rule))
        nearest.set(concept.record.code, { concept, expression, rule });
    }
    return [...nearest.values()];
  };
}

function scoreOf(rule: NearRule | undefined): number {
  return rule?.score ?? 1;
}

/** The languages of the registry in which the concept has no expression, published or waiting. */
export function lackingOf(languages: readonly string[], { expressions }: ConceptRecord): string[] {
  const current = expressions.filter(isCurrent);
  const spoken = new Set(current.flatMap((one) => [one.language, tagOf(one)]));
  return languages.filter((tag) => !spoken.has(tag));
}
