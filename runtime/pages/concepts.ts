/**
 * The list of published concepts for people: a filter form, the concepts, links to the other pages
 * of the list. The caller decides what is listed and how it is paged. A filter finds concepts to
 * read; it resolves nothing.
 */
import type { ConceptSummary } from "../contract/concept.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { QUERY_MAX_LENGTH } from "../contract/limits.ts";

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

export function conceptsPage(view: ConceptsView): { title: string; main: Html } {
  const { concepts, query, page, pageCount } = view;
  const title = page > 1 ? `Concepts, page ${page} of ${pageCount}` : "Concepts";
  const main = html`
    <h1>Concepts</h1>
    <p class="lede">
      Every concept of the published registry. The filter finds words in names and definitions, for reading; only an
      exact expression <a href="/">resolves to a code</a>.
    </p>
    <form class="filter" action="/concepts" method="get" role="search">
      <label for="q">Words in name or definition</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${query}"
        maxlength="${QUERY_MAX_LENGTH * 2}"
        dir="auto"
        autocomplete="off"
      />
      <button type="submit">Filter</button>
    </form>
    ${exactLines(view)}
    <p class="count">${countLine(view)}</p>
    ${
      concepts.length > 0
        ? html`<ul class="concepts">
            ${concepts.map(conceptItem)}
          </ul>`
        : undefined
    }
    ${query === "" && pageCount > 1 ? paging(page, pageCount) : undefined}
    <p class="also">
      As data: <a href="/api/v1/concepts">the list as JSON</a>,
      <a href="/registry/bundle.ndjson">the whole registry, one concept a line</a>.
    </p>
  `;
  return { title, main };
}

function exactLines({ query, exact }: ConceptsView): readonly HtmlValue[] {
  const { concept, isExpression = false } = exact ?? {};
  const ofCode = concept && html`<a href="/concepts/${concept.code}">${concept.name}</a>`;
  const resolve = html`<a href="/resolve?expression=${encodeURIComponent(query)}">resolve it</a>`;
  return [
    ofCode && html`<p class="notice">This is the code of ${ofCode}.</p>`,
    isExpression ? html`<p class="notice">This is an exact expression: ${resolve}.</p>` : undefined,
  ];
}

function countLine({ concepts, total, query }: ConceptsView): Html {
  const noun = total === 1 ? "concept" : "concepts";
  if (query === "") {
    return total === 0
      ? html`No concept is published.`
      : html`<strong>${total}</strong> published ${noun}, in code order.`;
  }
  const all = html`<a href="/concepts">Show all concepts</a>`;
  if (total === 0) return html`No concept has every one of these words in its name and definition. ${all}`;
  const cut = total > concepts.length ? html` Only the first ${concepts.length} are shown.` : undefined;
  return html`<strong>${total}</strong> ${noun} matched.${cut} ${all}`;
}

function conceptItem({ code, name, definition, domain }: ConceptSummary): Html {
  return html` <li>
    <p class="name"><a href="/concepts/${code}">${name}</a> <code>${code}</code></p>
    <p class="meaning">${definition}</p>
    <p class="note">${domain}</p>
  </li>`;
}

function paging(page: number, pageCount: number): Html {
  const steps = pagesAround(page, pageCount).map((to) =>
    to === undefined ? html`<li>…</li>` : pageLink(to, to === page ? "current" : undefined),
  );
  return html`
    <nav class="paging" aria-label="Pages of the list">
      <ul>
        ${page > 1 ? pageLink(page - 1, "prev") : undefined} ${steps}
        ${page < pageCount ? pageLink(page + 1, "next") : undefined}
      </ul>
    </nav>
  `;
}

const pageLinks = {
  current: { attribute: html`aria-current="page"`, text: undefined },
  prev: { attribute: html`rel="prev"`, text: html`Previous` },
  next: { attribute: html`rel="next"`, text: html`Next` },
} as const;

function pageLink(to: number, as?: keyof typeof pageLinks): Html {
  const { attribute, text } = as === undefined ? {} : pageLinks[as];
  const label = text ?? html`<span class="unseen">Page </span>${to}`;
  return html`<li><a href="/concepts?page=${to}" ${attribute}>${label}</a></li>`;
}

/** The first page, the last, and those next to the current one; undefined marks a gap. */
function pagesAround(page: number, pageCount: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, pageCount].filter((to) => to >= 1 && to <= pageCount);
  const pages = [...new Set(near)];
  return pages.flatMap((to, i) => (to - (pages[i - 1] ?? 0) > 1 ? [undefined, to] : [to]));
}
