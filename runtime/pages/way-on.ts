/**
 * What a person can do after an answer. After an abstention: choose a near form and ask for it,
 * look for concepts, or propose the expression. After any: share the answer, or ask the same by
 * program. Nothing here assigns a code.
 */
import { CANDIDATES_MAX, LANGUAGE_MAX_LENGTH, QUERY_MAX_LENGTH } from "../contract/limits.ts";
import { paths } from "../contract/paths.ts";
import type { ResolutionData, ResolveRequest } from "../contract/resolution.ts";
import type { Former } from "../registry/former.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { type NearExpression, nearExpressions } from "../registry/near-expressions.ts";
import { differenceOf } from "../text/difference.ts";
import { textDirection } from "../text/direction.ts";
import { countCodePoints } from "../text/expression.ts";
import { type Html, html } from "../text/html.ts";
import { formatLanguageTag } from "../text/language.ts";
import { type RetiredCode, retiredNotice } from "./retired.ts";
import { requestSamples, resolveRequests } from "./request-samples.ts";
import type { Texts } from "./texts.ts";

/** Servers refuse longer targets: many from 8 kB on (RFC 9112 §3). */
const ADDRESS_MAX_LENGTH = 4000;

/**
 * The address of the page with the answer to a request; undefined if it is too long for servers. A
 * registry may have a longer tag than a request; without it, all languages are searched.
 */
export function resolveAddress({ expression, language = "" }: ResolveRequest): string | undefined {
  const isAsked = language !== "" && language.length <= LANGUAGE_MAX_LENGTH;
  const asked = `${paths.resolvePage}?expression=${encodeURIComponent(expression)}`;
  const address = isAsked ? `${asked}&language=${encodeURIComponent(language)}` : asked;
  return address.length > ADDRESS_MAX_LENGTH ? undefined : address;
}

/** A text that leads there, if it can. */
export function toResolution(request: ResolveRequest, text: Html): Html {
  const address = resolveAddress(request);
  return address === undefined ? text : html`<a href="${address}">${text}</a>`;
}

/** The candidates: near forms with what differs, or concepts that have the expression itself. */
export function candidateList(
  index: RegistryIndex,
  { input, reason, candidates }: ResolutionData,
  { say }: Texts,
): Html | undefined {
  if (candidates.length === 0) return undefined;
  const scored = candidates.flatMap(({ code, score }) => {
    const conceptId = index.conceptId(code);
    return conceptId === undefined ? [] : [{ conceptId, score }];
  });
  const near = reason === "no_reviewed_exact_match" ? nearExpressions(index, input.expression, scored) : [];
  const items =
    near.length > 0
      ? near.slice(0, CANDIDATES_MAX).map((one) => nearItem(input.expression, one, say))
      : candidates.map(({ code, name, score }) => html`<li>${conceptLink({ code, name, score }, say)}</li>`);
  return html` <h3>${say("resolve.candidates")}</h3>
    <ul>
      ${items}
    </ul>`;
}

function conceptLink({ code, name, score }: ResolutionData["candidates"][number], say: Texts["say"]): Html {
  return html`<a href="/concepts/${code}" dir="auto">${name}</a>
    <span class="note">${say("resolve.candidate", { code, score })}</span>`;
}

function nearItem(asked: string, { entry, rule, ...concept }: NearExpression, say: Texts["say"]): Html {
  const { expression, locale, language } = entry;
  const tag = formatLanguageTag(locale ?? language);
  const text = html`<bdi lang="${tag}" dir="${textDirection(tag)}">${expression}</bdi>`;
  return html`<li>
    ${toResolution({ expression, language: tag }, text)}
    <span class="tag">${tag}</span>
    <span class="note">${say(`near.${rule}`)}${differing(asked, expression)}</span><br />
    ${conceptLink(concept, say)}
  </li>`;
}

/** What was typed beside what was reviewed. Spaces are shown, because they may be all of it. */
function differing(asked: string, expression: string): Html | undefined {
  const runs = differenceOf(asked, expression);
  if (runs === undefined) return undefined;
  const marked = runs.map((run) =>
    run.in === "both" ? run.text : run.in === "first" ? html`<del>${run.text}</del>` : html`<ins>${run.text}</ins>`,
  );
  return html`: <bdi class="difference">${marked}</bdi>`;
}

/** What the text meant before, and what became of that concept. */
export function formerNotice({ code, until }: Former, retired: RetiredCode | undefined, texts: Texts): Html {
  const { say } = texts;
  const now = html`<a href="/concepts/${code}"><code>${code}</code></a>`;
  return html`<p>
      ${say("resolve.former", { version: until, code: retired === undefined ? now : html`<code>${code}</code>` })}
    </p>
    ${retired && retiredNotice(retired, texts)}`;
}

/** Where the words may be found, and where an expression that nobody has reviewed is proposed. */
export function abstentionLinks(request: ResolveRequest, proposals: string | undefined, { say }: Texts): Html {
  // The filter takes no longer text.
  const isFilter = countCodePoints(request.expression) <= QUERY_MAX_LENGTH;
  return html`<ul class="onward">
    ${isFilter ? html`<li><a href="/concepts?q=${encodeURIComponent(request.expression)}">${say("resolve.filter")}</a></li>` : undefined}
    ${proposals === undefined ? undefined : html`<li><a href="${proposalAddress(proposals, request)}">${say("resolve.propose")}</a></li>`}
  </ul>`;
}

/** RFC 6570, level 1: everything but unreserved characters is percent-encoded. */
function proposalAddress(template: string, { expression, language = "" }: ResolveRequest): string {
  const values: Readonly<Record<string, string>> = { expression, language };
  return template.replaceAll(/\{(expression|language)\}/g, (_whole, name: string) => expand(values[name] ?? ""));
}

function expand(value: string): string {
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The address of this answer, and the same request in programs; `origin` answers it. */
export function sharing(request: ResolveRequest, origin: string | undefined, { say }: Texts): Html {
  const share = html`<p class="share">${toResolution(request, say("resolve.share"))}</p>`;
  const shared = resolveAddress(request) === undefined ? html`` : share;
  if (origin === undefined) return shared;
  return html`${shared}
    <details class="requests">
      <summary>${say("resolve.by-program")}</summary>
      ${requestSamples(...resolveRequests(origin, request)).map(
        ({ title, text }) =>
          html`<h3>${title}</h3>
            <div class="block">
              <pre tabindex="0" dir="ltr"><code data-copy>${text}</code></pre>
            </div>`,
      )}
    </details>`;
}
