/**
 * Fills the placeholders of prose. The example is an expression of this registry with the
 * resolver's answer, so that printed commands run unchanged. If no expression may be shown, the
 * example is one that the registry does not hold, with an example code and the abstention.
 */
import type { ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { type Content, type WithMarkdown, withProse } from "../content/content.ts";
import { fillPlaceholders, type PlaceholderValues } from "../content/placeholders.ts";
import { illustrations } from "../integration/illustration.ts";
import { preferEnglish } from "../view/examples.ts";
import { resolveIn, type Sample, samplesOf, unusedExpression } from "../view/samples.ts";
import type { View } from "../view/view.ts";

export function withValues(content: Content, view: View): Content {
  const values = placeholderValues(view);
  const fill = <P extends WithMarkdown>(prose: P): P => fillPlaceholders(prose, values);
  const filled = withProse(content, (prose) => ({
    ...prose,
    answers: prose.answers.map(fill),
    guide: fill(prose.guide),
    pages: prose.pages.map(fill),
  }));
  return { ...filled, sections: content.sections.map(fill) };
}

function placeholderValues(view: View): PlaceholderValues {
  const { unique } = samplesOf(view, "plain");
  const sample = preferEnglish(unique);
  const [code, request, answer] = sample === undefined ? abstained(view) : resolved(view, sample);
  return {
    ORIGIN: view.origin,
    SERVER_NAME: view.about.serverName,
    EXPRESSION: request.expression,
    LANGUAGE: request.language ?? "en",
    CODE: code,
    REGISTRY_VERSION: view.registry.registryVersion,
    ANSWER: JSON.stringify(answer, null, 2),
  };
}

type Shown = [code: string, request: ResolveRequest, answer: ResolveEnvelope];

function resolved(view: View, { expression, tag, concepts }: Sample): Shown {
  const request = { expression, language: tag };
  return [concepts[0].code, request, resolveIn(view.index, request)];
}

function abstained(view: View): Shown {
  const { unique } = illustrations(view);
  const expression = unusedExpression(view, unique.expression, (text, n) => `${text} ${n}`);
  const request = { expression, language: unique.tag };
  return [unique.concepts[0].code, request, resolveIn(view.index, request)];
}
