/**
 * The result page of the resolve form for browsers without script: the filled form, and the outcome
 * below it. Only a resolved outcome shows a code to use; an abstention or a refusal is shown as
 * such. content/assets/site.js renders the same outcomes by script.
 * Source: contract §1, §2; rulings O-07, O-26.
 */
import { EXPRESSION_MAX_LENGTH, LANGUAGE_MAX_LENGTH, QUERY_MAX_LENGTH } from "../contract/limits.ts";
import { ABSTENTION_REASONS, type ResolutionData, type ResolveEnvelope } from "../contract/resolution.ts";
import { readParameter, textOf } from "../http/parameter.ts";
import { answerRequest } from "../registry/answer.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { textDirection } from "../text/direction.ts";
import { countCodePoints } from "../text/expression.ts";
import { type Html, html } from "../text/html.ts";
import type { PageContent } from "./page.ts";
import type { Texts } from "./texts.ts";

type ResolutionOutcome =
  | { readonly kind: "resolved" | "abstained"; readonly data: ResolutionData }
  | { readonly kind: "refused"; readonly message: string };

/** Shows the API's answer to people. A field that cannot be read is refused, never ignored. */
export function resolutionPage(index: RegistryIndex, query: string, texts: Texts): PageContent {
  const { say } = texts;
  const [expression, language] = [textOf(query, "expression"), textOf(query, "language")];
  const fields = [readParameter(query, "expression"), readParameter(query, "language")];
  const isReadable = fields.every((field) => typeof field !== "object");
  // Undefined if nothing was asked yet.
  const outcome =
    fields[0] === undefined ? undefined : isReadable ? outcomeOf(index, expression, language) : unreadable;
  const main = html`
    <h1>${say("resolve.title")}</h1>
    ${resolveForm(expression, language, texts)}
    <div id="outcome" aria-live="polite">${outcome && outcomeSection(outcome, language, texts)}</div>
  `;
  return { title: say(outcome === undefined ? "resolve.title" : `resolve.title-${outcome.kind}`), main };
}

const unreadable: ResolutionOutcome = {
  kind: "refused",
  message: "Each field may be given only once, in percent-encoded UTF-8",
};

function outcomeOf(index: RegistryIndex, expression: string, language: string): ResolutionOutcome {
  const request = language === "" ? { expression } : { expression, language };
  const answer = answerRequest(index, request);
  if (!answer.ok) return { kind: "refused", message: answer.problem.message };
  const { data } = JSON.parse(answer.envelope) as ResolveEnvelope;
  return { kind: data.status, data };
}

/**
 * `maxlength` counts UTF-16 code units; the contract counts code points, of up to two units each.
 */
function resolveForm(expression: string, language: string, { say }: Texts): Html {
  return html` <form class="resolve" action="/resolve" method="get">
    <p>
      <label for="expression">${say("resolve.expression")}</label>
      <input
        id="expression"
        name="expression"
        type="text"
        value="${expression}"
        required
        maxlength="${EXPRESSION_MAX_LENGTH * 2}"
        dir="auto"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="expression-hint"
      />
      <span class="note" id="expression-hint">${say("resolve.expression-hint")}</span>
    </p>
    <p>
      <label for="language">${say("resolve.language")} <span class="note">${say("resolve.optional")}</span></label>
      <input
        id="language"
        name="language"
        type="text"
        value="${language}"
        maxlength="${LANGUAGE_MAX_LENGTH}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="language-hint"
      />
      <span class="note" id="language-hint">${say("resolve.language-hint")}</span>
    </p>
    <button type="submit">${say("resolve.button")}</button>
  </form>`;
}

function outcomeSection(outcome: ResolutionOutcome, language: string, texts: Texts): Html {
  const { say, english } = texts;
  if (outcome.kind === "refused") {
    return html` <section class="outcome refused">
      <p class="verdict">${say("resolve.refused")}</p>
      <h2>${say("resolve.refused-heading")}</h2>
      <p>${english(`${outcome.message}.`)} ${say("resolve.no-code")}</p>
    </section>`;
  }
  const { kind, data } = outcome;
  // A code is shown only if the status and the concept agree (contract §1 rule 4).
  return kind === "resolved" && data.concept !== null
    ? resolved(data.concept, asked(data.input.expression, language), { language, texts })
    : abstention(data, texts);
}

function resolved(
  concept: NonNullable<ResolutionData["concept"]>,
  expression: Html,
  { language, texts: { say } }: { language: string; texts: Texts },
): Html {
  const { code, name, definition, domain, registryVersion } = concept;
  return html` <section class="outcome resolved">
    <p class="verdict">${say("resolve.resolved")}</p>
    <h2 dir="auto">${name}</h2>
    <p class="code"><code data-copy>${code}</code></p>
    <p dir="auto">${definition}</p>
    <dl class="facts">
      <div>
        <dt>${say("resolve.expression")}</dt>
        <dd>${expression}</dd>
      </div>
      ${
        language === ""
          ? undefined
          : html`<div>
              <dt>${say("resolve.language")}</dt>
              <dd>${language}</dd>
            </div>`
      }
      <div>
        <dt>${say("resolve.domain")}</dt>
        <dd>${domain}</dd>
      </div>
      <div>
        <dt>${say("resolve.version")}</dt>
        <dd>${registryVersion}</dd>
      </div>
    </dl>
    <p>${say("resolve.record")}</p>
    <p><a href="/concepts/${code}">${say("resolve.concept")}</a></p>
  </section>`;
}

/** The expression, marked with the requested language. */
function asked(expression: string, language: string): Html {
  if (language === "") return html`<bdi>${expression}</bdi>`;
  return html`<bdi lang="${language}" dir="${textDirection(language)}">${expression}</bdi>`;
}

function abstention({ input, reason, candidates }: ResolutionData, { say }: Texts): Html {
  const known = ABSTENTION_REASONS.find((name) => name === reason);
  return html`
    <section class="outcome abstained">
      <p class="verdict">${say("resolve.abstained")}</p>
      <h2>${say("resolve.no-code-heading")}</h2>
      <p><bdi>${input.expression}</bdi></p>
      <p>${say(known === undefined ? "resolve.unclear" : `reason.${known}`)}.</p>
      <p class="note">${say("resolve.valid", { reason: html`<code>${reason ?? say("resolve.no-reason")}</code>` })}</p>
      ${candidates.length > 0 ? candidateList(candidates, say) : undefined}
      ${reason === "no_reviewed_exact_match" ? filterLink(input.expression, say) : undefined}
    </section>
  `;
}

/** The filter finds words wherever they stand, and assigns nothing. It takes no longer text. */
function filterLink(expression: string, say: Texts["say"]): Html | undefined {
  if (countCodePoints(expression) > QUERY_MAX_LENGTH) return undefined;
  return html`<p><a href="/concepts?q=${encodeURIComponent(expression)}">${say("resolve.filter")}</a></p>`;
}

function candidateList(candidates: ResolutionData["candidates"], say: Texts["say"]): Html {
  return html` <h3>${say("resolve.candidates")}</h3>
    <ul>
      ${candidates.map(
        ({ code, name, score }) =>
          html`<li>
            <a href="/concepts/${code}" dir="auto">${name}</a>
            <span class="note">${say("resolve.candidate", { code, score })}</span>
          </li>`,
      )}
    </ul>`;
}
