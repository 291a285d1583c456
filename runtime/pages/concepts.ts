/**
 * The list of published concepts for people: a filter form, the concepts, links to the other pages
 * of the list. The caller decides what is listed and how it is paged. A filter finds concepts to
 * read; it resolves nothing.
 */
import type { ConceptSummary } from "../contract/concept.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { QUERY_MAX_LENGTH } from "../contract/limits.ts";
import type { PageContent } from "./page.ts";
import type { Texts } from "./texts.ts";

export interface Exact {
  readonly concept: ConceptSummary | undefined;
  readonly isExpression: boolean;
}

export interface ConceptsView {
  readonly concepts: readonly ConceptSummary[];
  /** The number of matches, listed here or not. */
  readonly total: number;
  /** The filter as it was typed; empty for none. */
  readonly query: string;
  /** What the filter is besides words: the code of a concept, or an exact expression. */
  readonly exact?: Exact;
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
}

export function conceptsPage(view: ConceptsView, texts: Texts): PageContent {
  const { say } = texts;
  const { concepts, query, page, pageCount } = view;
  const title = page > 1 ? say("concepts.title-page", { page, count: pageCount }) : say("concepts.title");
  const main = html`
    <h1>${say("concepts.title")}</h1>
    <p class="lede">${say("concepts.lede")}</p>
    <form class="filter" action="/concepts" method="get" role="search">
      <label for="q">${say("concepts.words")}</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${query}"
        maxlength="${QUERY_MAX_LENGTH * 2}"
        dir="auto"
        autocomplete="off"
      />
      <button type="submit">${say("concepts.filter")}</button>
    </form>
    ${exactLines(view, texts)}
    <p class="count">${countLine(view, texts)}</p>
    ${
      concepts.length > 0
        ? html`<ul class="concepts">
            ${concepts.map(conceptItem)}
          </ul>`
        : undefined
    }
    ${query === "" && pageCount > 1 ? paging(page, pageCount, texts) : undefined}
    <p class="also">${say("concepts.data")}</p>
  `;
  return { title, main };
}

function exactLines({ query, exact }: ConceptsView, { say }: Texts): readonly HtmlValue[] {
  const { concept, isExpression = false } = exact ?? {};
  const ofCode = concept && html`<a href="/concepts/${concept.code}">${concept.name}</a>`;
  const resolve = html`<a href="/resolve?expression=${encodeURIComponent(query)}">${say("concepts.resolve-it")}</a>`;
  return [
    ofCode && html`<p class="notice">${say("concepts.is-code", { concept: ofCode })}</p>`,
    isExpression ? html`<p class="notice">${say("concepts.is-expression", { resolve })}</p>` : undefined,
  ];
}

function countLine({ concepts, total, query }: ConceptsView, { say, count }: Texts): Html {
  const counted = { count: html`<strong>${total}</strong>` };
  if (query === "") return total === 0 ? say("concepts.none") : count("concepts.published", total, counted);
  const all = say("concepts.all");
  if (total === 0) return html`${say("concepts.no-match")} ${all}`;
  const cut = total > concepts.length ? [" ", say("concepts.first", { count: concepts.length })] : undefined;
  return html`${count("concepts.matched", total, counted)}${cut} ${all}`;
}

function conceptItem({ code, name, definition, domain }: ConceptSummary): Html {
  return html` <li>
    <p class="name"><a href="/concepts/${code}">${name}</a> <code>${code}</code></p>
    <p class="meaning">${definition}</p>
    <p class="note">${domain}</p>
  </li>`;
}

function paging(page: number, pageCount: number, texts: Texts): Html {
  const steps = pagesAround(page, pageCount).map((to) =>
    to === undefined ? html`<li>…</li>` : pageLink(to, texts, to === page ? "current" : undefined),
  );
  return html`
    <nav class="paging" aria-label="${texts.say("concepts.pages")}">
      <ul>
        ${page > 1 ? pageLink(page - 1, texts, "prev") : undefined} ${steps}
        ${page < pageCount ? pageLink(page + 1, texts, "next") : undefined}
      </ul>
    </nav>
  `;
}

const pageLinks = {
  current: { attribute: html`aria-current="page"`, text: undefined },
  prev: { attribute: html`rel="prev"`, text: "concepts.previous" },
  next: { attribute: html`rel="next"`, text: "concepts.next" },
} as const;

function pageLink(to: number, { say }: Texts, as?: keyof typeof pageLinks): Html {
  const { attribute, text } = as === undefined ? {} : pageLinks[as];
  const label = text === undefined ? html`<span class="unseen">${say("concepts.page")} </span>${to}` : say(text);
  return html`<li><a href="/concepts?page=${to}" ${attribute}>${label}</a></li>`;
}

/** The first page, the last, and those next to the current one; undefined marks a gap. */
function pagesAround(page: number, pageCount: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, pageCount].filter((to) => to >= 1 && to <= pageCount);
  const pages = [...new Set(near)];
  return pages.flatMap((to, i) => (to - (pages[i - 1] ?? 0) > 1 ? [undefined, to] : [to]));
}
