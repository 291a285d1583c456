/**
 * The six fixtures of a recipe: expressions of this registry, each with an answer that the service
 * gives or might give.
 */
import {
  type ClarifiedExchange,
  type Classification,
  type Fixture,
  FIXTURE_OUTCOMES,
  type FixtureOutcome,
} from "../contract/integration.ts";
import type { ResolutionData, ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { policies } from "../../runtime/contract/policy.ts";
import { formatProblem, type Problem, problem } from "../../runtime/contract/problem.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import { resolveIn, type Sample, type Samples, samplesOf } from "../view/samples.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";
import type { MalformedFault, Recipe, RequestFault, ServiceFault } from "./recipes/recipe.ts";
import type { Concept } from "../registry/concept.ts";
import { okResponse } from "./classifier.ts";
import { clarifiedExchange } from "./exchange.ts";
import { type Illustrations, illustrations } from "./illustration.ts";

type Response = Fixture["response"];

export interface RecipeFixtures {
  /** In the order of the outcomes. */
  readonly fixtures: readonly Fixture[];
  /** The published concepts that the fixtures show. */
  readonly concepts: readonly Concept[];
  /** Of a recipe that asks a person: from an abstention to the record. */
  readonly exchanges: readonly ClarifiedExchange[];
}

/** The exchange of a fixture, before the recipe adds its handling and its record. */
interface Exchange {
  readonly title: string;
  readonly sample: Sample;
  readonly request: ResolveRequest;
  readonly response: Response;
}

/** Samples for fixtures, and illustrations for the kinds of sample that the registry lacks. */
export interface SampleStock extends Samples {
  readonly illustrations: Illustrations;
}

export function stockOf(view: View): SampleStock {
  return { ...samplesOf(view, "readable"), illustrations: illustrations(view) };
}

export function fixturesOf(view: View, stock: SampleStock, recipe: Recipe): RecipeFixtures {
  const { prefers, faults } = recipe;
  const pick = (turn: number): Sample => choose(stock.unique, prefers, turn) ?? stock.illustrations.unique;
  const [resolved, malformed] = [pick(0), pick(2)];
  const ambiguous = choose(stock.ambiguous, prefers, 0) ?? stock.illustrations.ambiguous;
  const whole = resolveIn(malformed.index ?? view.index, requestOf(malformed));
  const [title, data] = breakData(faults.malformed, whole.data);
  const exchanges: Readonly<Record<FixtureOutcome, Exchange>> = {
    "resolved-valid": {
      title: "A reviewed expression of one concept",
      sample: resolved,
      request: requestOf(resolved),
      response: okResponse(resolveIn(resolved.index ?? view.index, requestOf(resolved))),
    },
    unknown: unknownExchange(view, pick(1)),
    ambiguous: {
      title: "A reviewed expression of several concepts, sent without a language",
      sample: ambiguous,
      request: { expression: ambiguous.expression },
      response: okResponse(resolveIn(ambiguous.index ?? view.index, { expression: ambiguous.expression })),
    },
    malformed: { title, sample: malformed, request: requestOf(malformed), response: okResponse({ ...whole, data }) },
    "request-error": refuseRequest(view, faults.requestError, pick(3)),
    "service-error": { ...FAILURES[faults.serviceError], sample: pick(4), request: requestOf(pick(4)) },
  };
  const own = Object.values(exchanges).filter(({ sample }) => !isIllustration(stock, sample));
  const shown = new Map(own.flatMap(({ sample }) => sample.concepts.map((concept) => [concept.code, concept])));
  const fixtures = FIXTURE_OUTCOMES.map((id): Fixture => {
    const { title: named, sample, request, response } = exchanges[id];
    const expected = expectedOf(id, response);
    return {
      recipeId: recipe.id,
      id,
      title: named,
      drawnFrom: isIllustration(stock, sample) ? "illustration" : "registry",
      request,
      response,
      expected,
      handling: recipe.handling[id],
      record: recipe.record(request, expected),
    };
  });
  return {
    fixtures,
    concepts: [...shown.values()].sort((a, b) => compareCodePoints(a.code, b.code)),
    exchanges: exchangesOf(view, stock, { recipe, exchanges }),
  };
}

/** One about several meanings and one about a near form; illustrated if the registry has none. */
function exchangesOf(
  view: View,
  stock: SampleStock,
  { recipe, exchanges }: { readonly recipe: Recipe; readonly exchanges: Readonly<Record<FixtureOutcome, Exchange>> },
): ClarifiedExchange[] {
  const { clarify } = recipe;
  if (clarify === undefined) return [];
  const made = (sample: Sample, request: ResolveRequest): ClarifiedExchange | undefined =>
    clarifiedExchange({
      drawnFrom: isIllustration(stock, sample) ? "illustration" : "registry",
      index: sample.index ?? view.index,
      request,
      clarify,
    });
  const { ambiguous, unknown } = exchanges;
  const { ambiguous: madeUp } = stock.illustrations;
  return [
    made(ambiguous.sample, ambiguous.request) ?? made(madeUp, { expression: madeUp.expression }),
    made(unknown.sample, unknown.request),
  ].filter((one) => one !== undefined);
}

function isIllustration(stock: SampleStock, sample: Sample): boolean {
  return Object.values<Sample>({ ...stock.illustrations }).includes(sample);
}

/**
 * Only `resolved-valid` has a code. It is the code of the answer, not one that the classifier
 * found, as are the reason and the candidates of an abstention.
 */
function expectedOf(id: FixtureOutcome, response: Response): Classification {
  if (id === "malformed" || id === "request-error" || id === "service-error") return { outcome: id };
  const { concept, reason, candidates } = (JSON.parse(response?.body ?? "") as ResolveEnvelope).data;
  if (id === "resolved-valid")
    return { outcome: id, code: concept?.code ?? "", registryVersion: concept?.registryVersion ?? "" };
  return { outcome: id, reason, candidates: candidates.map(({ code, name }) => ({ code, name })) };
}

/** The index of a value in a list; the length of the list if it is not in it. */
function rank(list: readonly string[], value: string): number {
  return list.includes(value) ? list.indexOf(value) : list.length;
}

/**
 * The best sample by the recipe's languages, then by its domains. `turn` rotates the languages, so
 * that the fixtures of a recipe differ.
 */
function choose(
  samples: readonly Sample[],
  { languages, domains }: Recipe["prefers"],
  turn: number,
): Sample | undefined {
  const start = turn % languages.length;
  const turned = [...languages.slice(start), ...languages.slice(0, start)];
  const rankOf = ({ language, domain }: Sample): number =>
    rank(turned, language) * (domains.length + 1) + rank(domains, domain);
  return samples.reduce<Sample | undefined>(
    (best, one) => (best === undefined || rankOf(one) < rankOf(best) ? one : best),
    undefined,
  );
}

function requestOf({ expression, tag }: Sample): ResolveRequest {
  return { expression, language: tag };
}

function unknownExchange(view: View, sample: Sample): Exchange {
  const expression = `${sample.expression} `;
  const request = { expression, language: sample.tag };
  return {
    title: "Almost a reviewed expression: a space behind it makes it another, and a candidate is only evidence",
    sample,
    request,
    response: okResponse(resolveIn(sample.index ?? view.index, request)),
  };
}

/** Breaks the data of a resolved answer. Returns the title of the fault and the broken data. */
function breakData(fault: MalformedFault, data: ResolutionData): readonly [title: string, broken: object] {
  const { concept, input } = data;
  const { code: _code, ...codeless } = concept ?? {};
  switch (fault) {
    case "code-missing":
      return ["HTTP 200 and resolved, without a code", { ...data, concept: codeless }];
    case "member-added":
      return [
        "HTTP 200 with a member that the contract does not have, and that seems to permit something",
        { ...data, authorized: true },
      ];
    case "type-wrong": {
      const registryVersion = Number.parseFloat(concept?.registryVersion ?? "");
      return [
        "HTTP 200 with a number where the contract has a string",
        { ...data, concept: { ...concept, registryVersion } },
      ];
    }
    case "candidate-promoted":
      return [
        "HTTP 200 and abstained, with a candidate in place of the concept",
        { ...data, status: "abstained", reason: "ambiguous_expression" },
      ];
    case "other-expression":
      return [
        "HTTP 200 with the answer to another expression",
        { ...data, input: { expression: `${input.expression} (2)` } },
      ];
  }
}

/**
 * A request that the service refuses. If its content is refused, the resolver itself gives the
 * answer.
 */
function refuseRequest(view: View, fault: RequestFault, sample: Sample): Exchange {
  const refused = (title: string, request: ResolveRequest): Exchange => {
    const answer = answerRequest(sample.index ?? view.index, request);
    if (answer.ok) throw new Error(`The fixture of ${fault} was answered`);
    return { title, sample, request, response: refusal(answer.problem) };
  };
  const request = requestOf(sample);
  const unread = (title: string, response: Response): Exchange => ({ title, sample, request, response });
  switch (fault) {
    case "language-with-underscore":
      return refused("A locale name in place of a language tag", { ...request, language: "en_US" });
    case "expression-empty":
      return refused("An empty expression", { ...request, expression: "" });
    case "language-empty":
      return refused("An empty language tag", { ...request, language: "" });
    case "rate-limited":
      return unread("More requests than the service allows", refusal(problem("rate_limited")));
    case "sent-too-slowly":
      return unread("A request that did not arrive in time", refusal(problem("request_timeout")));
  }
}

function refusal(refused: Problem): Response {
  return { status: refused.status, contentType: policies.answer.mediaType, body: formatProblem(refused) };
}

function page(status: number, title: string): Response {
  return { status, contentType: "text/html", body: `<!doctype html><title>${title}</title>\n` };
}

const FAILURES: Readonly<Record<ServiceFault, Pick<Exchange, "title" | "response">>> = {
  "no-answer": { title: "No complete answer in time", response: null },
  "registry-unavailable": { title: "The registry cannot be read", response: refusal(problem("registry_unavailable")) },
  "internal-error": { title: "The service failed", response: refusal(problem("internal_error")) },
  "gateway-page": { title: "A gateway answers in place of the service", response: page(502, "Bad Gateway") },
  redirect: { title: "A redirect, which is not followed", response: page(302, "Sign in") },
};
