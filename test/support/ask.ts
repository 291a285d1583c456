/** Asks a service for the labels of a thesaurus and compares each answer with the thesaurus. */
import { type Answer, type Request, resolveMany } from "./resolve-many.ts";
import { type Label, meaningsOf, type Published } from "./thesaurus.ts";

/** The most candidates that an answer lists. */
const CANDIDATES = 10;

export interface Expected {
  readonly published: Published;
  /** The code of each concept. */
  readonly codes: ReadonlyMap<string, string>;
}

export interface Asked {
  readonly requests: number;
  /** As expected, and so by the service where there are no differences. */
  readonly resolved: number;
  readonly ambiguous: number;
  readonly abstained: number;
  /** Of which the tests' own reading cannot tell. */
  readonly unsure: number;
  readonly seconds: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
}

interface Difference extends Request {
  readonly expected: Answer;
  readonly answer: Answer | undefined;
}

/** Requests that are the same are sent once. */
export async function ask(port: number, expected: Expected, wanted: Iterable<Request>): Promise<Asked> {
  const distinct = new Map<string, Request>();
  for (const request of wanted) distinct.set(`${request.language ?? ""} ${request.expression}`, request);
  const requests = [...distinct.values()].filter(({ expression }) => isSendable(expression));
  const started = performance.now();
  const answers = await resolveMany(port, requests);
  const seconds = (performance.now() - started) / 1000;
  let [resolved, ambiguous, abstained, unsure] = [0, 0, 0, 0];
  const differences: Difference[] = [];
  for (const [i, request] of requests.entries()) {
    const answer = answers[i];
    const should = expectedAnswer(expected, request);
    if (should === undefined) unsure++;
    else if (should.code !== undefined) resolved++;
    else if (should.candidates.length > 0) ambiguous++;
    else abstained++;
    if (should !== undefined && !isSame(should, answer)) differences.push({ ...request, expected: should, answer });
  }
  const numbers = { requests: requests.length, resolved, ambiguous, abstained, unsure, seconds };
  return { ...numbers, differences: differences.slice(0, 20) };
}

/** What a request is to answer; undefined where the tests' own reading cannot tell. */
function expectedAnswer({ published, codes }: Expected, { expression, language }: Request): Answer | undefined {
  if (published.unsure.has(expression.normalize("NFC"))) return undefined;
  const { isKnown, concepts } = meaningsOf(published, expression, language);
  const meant = [...concepts].map((concept) => codes.get(concept) ?? `no code for ${concept}`).sort();
  if (meant.length === 1) return { status: 200, code: meant[0], reason: null, candidates: [] };
  const unmatched = isKnown ? "language_not_matched" : "no_reviewed_exact_match";
  const reason = meant.length === 0 ? unmatched : "ambiguous_expression";
  return { status: 200, code: undefined, reason, candidates: meant.slice(0, CANDIDATES) };
}

function isSame(should: Answer, answer: Answer | undefined): boolean {
  const isAlike = should.status === answer?.status && should.code === answer.code && should.reason === answer.reason;
  // near-forms.test.ts compares those of an unknown expression, which differ only in form.
  const isUnknown = should.reason === "no_reviewed_exact_match";
  return isAlike && (isUnknown || should.candidates.join(" ") === answer.candidates.join(" "));
}

/** Whether a request may hold it; the rest is refused, which is tested elsewhere. */
function isSendable(text: string): boolean {
  return text !== "" && text.isWellFormed() && Array.from(text).length <= 1000;
}

/**
 * Each label with its tag and without; and, of every fifth, the tag in other case, a narrower one,
 * another, the text in other case, and decomposed.
 */
export function* requestsFor(labels: readonly Label[], tags: readonly string[]): Generator<Request> {
  for (const [i, { tag, text }] of labels.entries()) {
    yield { expression: text };
    if (tag === "") continue;
    yield { expression: text, language: tag };
    switch (i % 5) {
      case 0:
        yield { expression: text, language: tag.toUpperCase() };
        break;
      case 1:
        yield { expression: text, language: `${tag}-x-own-b` };
        break;
      case 2:
        yield { expression: text, language: tags[i % tags.length] ?? tag };
        break;
      case 3:
        yield { expression: text.toUpperCase(), language: tag };
        break;
      default:
        yield { expression: text.normalize("NFD"), language: tag };
    }
  }
}
