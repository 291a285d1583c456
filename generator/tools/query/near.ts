/**
 * Near misses: published expressions that differ from a text by a single rule. They are evidence
 * for a person who asks why the text was not found, and never an answer: the resolver has none of
 * these rules.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import { compareCodePoints } from "../../text/order.ts";
import { plainForm } from "../../text/plain-form.ts";

export interface NearMiss {
  /** The published expression. */
  readonly expression: string;
  readonly differs: keyof typeof RULES;
}

/** Each rule removes the difference that it is about. */
const RULES = {
  case: (text: string): string => text.toUpperCase().toLowerCase(),
  spaces: (text: string): string => text.replaceAll(/\s+/gu, ""),
  typography: plainForm,
  diacritics: (text: string): string => keyOf(text.normalize("NFD").replaceAll(/\p{M}+/gu, "")),
} as const;

export const NEAR_WORDS: Readonly<Record<keyof typeof RULES, string>> = {
  case: "only upper and lower case differ",
  spaces: "only spaces differ",
  typography: "only quotation marks, dashes or no-break spaces differ",
  diacritics: "only diacritics differ",
};

const SHOWN = 10;

/** The published keys that one rule makes equal to the text, by rule, then in code-point order. */
export function nearMisses(keys: Iterable<string>, expression: string): NearMiss[] {
  const key = keyOf(expression);
  const rules = (Object.keys(RULES) as (keyof typeof RULES)[]).map((name) => ({ name, form: RULES[name](key) }));
  const found: NearMiss[] = [];
  for (const published of keys) {
    const rule = rules.find(({ name, form }) => published !== key && form !== "" && RULES[name](published) === form);
    if (rule !== undefined) found.push({ expression: published, differs: rule.name });
  }
  const order = Object.keys(RULES);
  return found
    .sort(
      (a, b) => order.indexOf(a.differs) - order.indexOf(b.differs) || compareCodePoints(a.expression, b.expression),
    )
    .slice(0, SHOWN);
}
