/**
 * The result of the resolve form for browsers without script: the form again, filled, and below it
 * the outcome. Only a resolved outcome shows a code to use; an abstention and a refusal are shown
 * as such. The same outcomes, made by script, are in content/assets/site.js.
 * Source: contract §1, §2; rulings O-07, O-26.
 */
import { ABSTENTION_REASONS, REASON_MEANINGS, type ResolutionData } from "../contract/resolution.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html } from "../text/html.ts";
import { EXPRESSION_MAX_LENGTH, LANGUAGE_MAX_LENGTH } from "../contract/limits.ts";

export type ResolutionOutcome =
  | { readonly kind: "resolved" | "abstained"; readonly data: ResolutionData }
  | { readonly kind: "refused"; readonly message: string };

export interface ResolutionView {
  readonly expression: string;
  /** As it was typed; empty for none. */
  readonly language: string;
  /** Undefined before anything was asked. */
  readonly outcome: ResolutionOutcome | undefined;
}

export function resolutionPage(view: ResolutionView): { title: string; main: Html } {
  const { outcome } = view;
  const main = html`
    <h1>Resolve an expression</h1>
    ${resolveForm(view)}
    <div id="outcome" aria-live="polite">${outcome && outcomeSection(outcome, view.language)}</div>
  `;
  return { title: outcome === undefined ? "Resolve an expression" : titles[outcome.kind], main };
}

const titles = { resolved: "Resolved", abstained: "Abstained: no code", refused: "Refused: no code" } as const;

/** A form counts UTF-16 code units and the contract code points, which take up to two units. */
function resolveForm({ expression, language }: ResolutionView): Html {
  return html` <form class="resolve" action="/resolve" method="get">
    <p>
      <label for="expression">Expression</label>
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
      <span class="note" id="expression-hint">Only the exact text. Case, spaces and punctuation count.</span>
    </p>
    <p>
      <label for="language">Language <span class="note">(optional)</span></label>
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
      <span class="note" id="language-hint">A BCP 47 tag. Empty searches all.</span>
    </p>
    <button type="submit">Resolve</button>
  </form>`;
}

function outcomeSection(outcome: ResolutionOutcome, language: string): Html {
  if (outcome.kind === "refused") {
    return html` <section class="outcome refused">
      <p class="verdict">Refused</p>
      <h2>The request was not accepted</h2>
      <p>${outcome.message}. No code is assigned.</p>
    </section>`;
  }
  const { kind, data } = outcome;
  // A code is shown only if the status and the concept agree (contract §1 rule 4).
  return kind === "resolved" && data.concept !== null
    ? resolved(data.concept, data.input.expression, language)
    : abstention(data);
}

function resolved(concept: NonNullable<ResolutionData["concept"]>, expression: string, language: string): Html {
  const { code, name, definition, domain, registryVersion } = concept;
  return html` <section class="outcome resolved">
    <p class="verdict">Resolved</p>
    <h2>${name}</h2>
    <p class="code"><code data-copy>${code}</code></p>
    <p>${definition}</p>
    <dl class="facts">
      <div>
        <dt>Expression</dt>
        <dd>${asked(expression, language)}</dd>
      </div>
      ${
        language === ""
          ? undefined
          : html`<div>
              <dt>Language</dt>
              <dd>${language}</dd>
            </div>`
      }
      <div>
        <dt>Domain</dt>
        <dd>${domain}</dd>
      </div>
      <div>
        <dt>Registry version</dt>
        <dd>${registryVersion}</dd>
      </div>
    </dl>
    <p><strong>Record the code together with its registry version.</strong> It grants no permission to do anything.</p>
    <p><a href="/concepts/${code}">The concept with all its expressions</a></p>
  </section>`;
}

/** The expression, marked with the language that was asked for. */
function asked(expression: string, language: string): Html {
  if (language === "") return html`<bdi>${expression}</bdi>`;
  return html`<bdi lang="${language}" dir="${textDirection(language)}">${expression}</bdi>`;
}

function abstention({ input, reason, candidates }: ResolutionData): Html {
  const known = ABSTENTION_REASONS.find((name) => name === reason);
  return html`
    <section class="outcome abstained">
      <p class="verdict">Abstained</p>
      <h2>No code is assigned</h2>
      <p><bdi>${input.expression}</bdi></p>
      <p>${known === undefined ? "The registry does not say exactly one thing" : REASON_MEANINGS[known]}.</p>
      <p class="note">This is a valid answer, not an error. Reason: <code>${reason ?? "none given"}</code></p>
      ${candidates.length > 0 ? candidateList(candidates) : undefined}
    </section>
  `;
}

function candidateList(candidates: ResolutionData["candidates"]): Html {
  return html` <h3>Candidates: evidence only, never an assignment</h3>
    <ul>
      ${candidates.map(
        ({ code, name, score }) =>
          html`<li><a href="/concepts/${code}">${name}</a> <span class="note">${code}, strength ${score}</span></li>`,
      )}
    </ul>`;
}
