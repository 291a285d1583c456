/**
 * The result page of the resolve form: the filled form, and the outcome below it. Only a resolved
 * outcome shows a code to use; an abstention or a refusal is shown as such. The script of the home
 * page shows the same outcome, from here.
 * Source: contract §1, §2; rulings O-07, O-26.
 */
import { EXPRESSION_MAX_LENGTH, LANGUAGE_MAX_LENGTH } from "../contract/limits.ts";
import {
  ABSTENTION_REASONS,
  type ResolutionData,
  type ResolveEnvelope,
  type ResolveRequest,
} from "../contract/resolution.ts";
import { readParameter, textOf } from "../http/parameter.ts";
import { answerRequest } from "../registry/answer.ts";
import type { FindFormer } from "../registry/former.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html } from "../text/html.ts";
import type { PageContent } from "./page.ts";
import type { RetiredCode } from "./retired.ts";
import type { Texts } from "./texts.ts";
import { abstentionLinks, candidateList, formerNotice, sharing } from "./way-on.ts";

/** What an outcome is shown with. */
export interface Surroundings {
  readonly texts: Texts;
  /** Where an owner takes proposals: an address with `{expression}` and `{language}` in it. */
  readonly proposals: string | undefined;
  /** Where the same request is answered to programs; undefined on a host that only serves files. */
  readonly origin: string | undefined;
  /** What the documents of the release say of its past. */
  readonly past: Past | undefined;
}

export interface Past {
  readonly former: FindFormer;
  readonly retired: (code: string) => RetiredCode | undefined;
}

type ResolutionOutcome =
  | { readonly kind: "resolved" | "abstained"; readonly data: ResolutionData; readonly request: ResolveRequest }
  | { readonly kind: "refused"; readonly message: string };

/** Shows the API's answer to people. A field that cannot be read is refused, never ignored. */
export function resolutionPage(index: RegistryIndex, query: string, around: Surroundings): PageContent {
  const { texts } = around;
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
    <div id="outcome" aria-live="polite">${outcome && outcomeSection(index, outcome, around)}</div>
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
  return { kind: data.status, data, request };
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

function outcomeSection(index: RegistryIndex, outcome: ResolutionOutcome, around: Surroundings): Html {
  const { texts, origin } = around;
  const { say, english } = texts;
  if (outcome.kind === "refused") {
    return html` <section class="outcome refused">
      <p class="verdict">${say("resolve.refused")}</p>
      <h2>${say("resolve.refused-heading")}</h2>
      <p>${english(`${outcome.message}.`)} ${say("resolve.no-code")}</p>
    </section>`;
  }
  const { kind, data, request } = outcome;
  // A code is shown only if the status and the concept agree (contract §1 rule 4).
  const section =
    kind === "resolved" && data.concept !== null
      ? resolved(data.concept, request, texts)
      : abstention(index, { data, request }, around);
  return html`${section} ${sharing(request, origin, texts)}`;
}

function resolved(
  concept: NonNullable<ResolutionData["concept"]>,
  { expression, language }: ResolveRequest,
  { say }: Texts,
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
        <dd>${asked(expression, language)}</dd>
      </div>
      ${
        language &&
        html`<div>
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
function asked(expression: string, language: string | undefined): Html {
  if (language === undefined) return html`<bdi>${expression}</bdi>`;
  return html`<bdi lang="${language}" dir="${textDirection(language)}">${expression}</bdi>`;
}

function abstention(
  index: RegistryIndex,
  { data, request }: { readonly data: ResolutionData; readonly request: ResolveRequest },
  { texts, past, proposals }: Surroundings,
): Html {
  const { say } = texts;
  const { reason } = data;
  const known = ABSTENTION_REASONS.find((name) => name === reason);
  const isUnknown = reason === "no_reviewed_exact_match";
  const former = isUnknown || reason === "language_not_matched" ? past?.former(request) : undefined;
  return html`
    <section class="outcome abstained">
      <p class="verdict">${say("resolve.abstained")}</p>
      <h2>${say("resolve.no-code-heading")}</h2>
      <p><bdi>${request.expression}</bdi></p>
      <p>${say(known === undefined ? "resolve.unclear" : `reason.${known}`)}.</p>
      <p class="note">${say("resolve.valid", { reason: html`<code>${reason ?? say("resolve.no-reason")}</code>` })}</p>
      ${former && formerNotice(former, past?.retired(former.code), texts)} ${candidateList(index, data, texts)}
      ${isUnknown ? abstentionLinks(request, proposals, texts) : undefined}
    </section>
  `;
}
