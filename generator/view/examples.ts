/** Real examples for documents: expressions of this registry, answered by the resolver itself. */
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { conceptDetail } from "../registry/published-concept.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { type ConceptDetail, EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { LANGUAGE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { tagOf } from "../registry/concept.ts";
import { holdersOf, resolveIn, type Sample, samplesOf, unusedExpression } from "./samples.ts";
import type { View } from "./view.ts";

export interface Example {
  readonly request: ResolveRequest;
  readonly answer: ResolveEnvelope;
}

export interface Examples {
  /** Undefined if no expression resolves. */
  readonly resolved: Example | undefined;
  readonly abstained: Example;
  /** Undefined if no expression is ambiguous. */
  readonly ambiguous: Example | undefined;
  /** The concept of `resolved`. */
  readonly concept: ConceptDetail | undefined;
  /** Expressions of that concept in a few languages: each resolves to it. */
  readonly sameMeaning: readonly Wording[];
}

export interface Wording {
  readonly expression: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
}

export function findExamples(view: View): Examples {
  const drawn = samplesOf(view, "any");
  const [unique, ambiguous] = [preferEnglish(drawn.unique), preferEnglish(drawn.ambiguous)];
  const answer = (request: ResolveRequest): Example => ({ request, answer: resolveIn(view.index, request) });
  const unknown = unusedExpression(view, "an expression nobody has reviewed", (text, n) => `${text} (${n + 1})`);
  return {
    resolved: unique && answer({ expression: unique.expression, language: unique.tag }),
    abstained: answer({ expression: unknown }),
    ambiguous: ambiguous && answer({ expression: ambiguous.expression }),
    concept: unique && conceptDetail(view, unique.concepts[0]),
    sameMeaning: unique === undefined ? [] : wordingsOf(unique, view.index),
  };
}

/** In UTF-16 units: what fits on a line of a page. */
const SHORT = 40;

function worded(expression: string, language: string): Wording {
  return { expression, language, direction: textDirection(language) };
}

/**
 * The sample, then one in Latin script and one in another script, or else any others: at most
 * three, each in its own language.
 */
function wordingsOf({ expression, tag, concepts: [concept] }: Sample, index: RegistryIndex): Wording[] {
  const first = worded(expression, tag);
  const others = concept.expressions.flatMap((entry) => {
    const language = tagOf(entry);
    const fits = language.length <= LANGUAGE_MAX_LENGTH && entry.expression.length <= SHORT;
    const resolves = entry.equivalenceStrength === EXACT_STRENGTH && holdersOf(index, entry.expression).length === 1;
    return fits && resolves && language !== tag ? [worded(entry.expression, language)] : [];
  });
  const isLatin = ({ expression: text }: Wording): boolean => /\p{Script=Latin}/u.test(text);
  const [latin, other] = [others.find(isLatin), others.find((one) => !isLatin(one))];
  const chosen = [first, latin, other, ...others].filter((one) => one !== undefined);
  return chosen.filter((one, i) => chosen.findIndex(({ language }) => language === one.language) === i).slice(0, 3);
}

export function preferEnglish(samples: readonly Sample[]): Sample | undefined {
  return samples.find(({ language }) => language === "en") ?? samples[0];
}
