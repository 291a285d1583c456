/**
 * The list of published concepts for people: a form that filters it, the concepts, links to the
 * other pages of the list. The caller decides what is listed, in which order, and how it is paged.
 * A filter finds concepts to read; it resolves nothing.
 */
import type { ConceptSummary } from "../contract/concept.ts";
import { QUERY_MAX_LENGTH } from "../contract/limits.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { lettersNav, listUrl, type Order, pagingNav } from "./list-links.ts";

export interface Exact {
  readonly concept: ConceptSummary | undefined;
  readonly isExpression: boolean;
}

/** A concept, and its name in the language that the list is sorted in, unless that is its own. */
export type ListedConcept = ConceptSummary & { readonly listedAs?: string | undefined };

export interface ConceptsView {
  readonly concepts: readonly ListedConcept[];
  /** The number of matches, listed here or not. */
  readonly total: number;
  /** The filter as it was typed; empty for none. */
  readonly query: string;
  /** What the filter is besides words: the code of a concept, or an exact expression. */
  readonly exact?: Exact | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Undefined where the list is in code order. */
  readonly order?: Order;
}

export function conceptsPage(view: ConceptsView): { title: string; main: Html } {
  const { page, pageCount } = view;
  const title = page > 1 ? `Concepts, page ${page} of ${pageCount}` : "Concepts";
  const main = html`
    <h1>Concepts</h1>
    <p class="lede">
      Every concept of the published registry. The filter finds concepts for reading; only an exact expression
      <a href="/">resolves to a code</a>.
    </p>
    ${filterForm(view)} ${exactLines(view)}
    <p class="count">${countLine(view)}</p>
    ${lettersNav(view)} ${groupsOf(view).map(group)} ${pageCount > 1 ? pagingNav(view) : undefined}
    <p class="also">
      As data: <a href="/api/v1/concepts">the list as JSON</a>,
      <a href="/registry/bundle.ndjson">the whole registry, one concept a line</a>.
    </p>
  `;
  return { title, main };
}

function filterForm({ query, order }: ConceptsView): Html {
  return html`
    <form class="filter" action="/concepts" method="get" role="search" aria-label="Concepts">
      <div>
        <label for="q">Words, a code or an exact expression</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${query}"
          maxlength="${QUERY_MAX_LENGTH * 2}"
          dir="auto"
          autocomplete="off"
        />
      </div>
      ${order && languageSelect(order)} ${order && order.domains.length > 1 ? domainSelect(order) : undefined}
      <button type="submit">Filter</button>
    </form>
  `;
}

function languageSelect({ language, languages }: Order): Html {
  const options = languages.map(
    (tag) => html`<option value="${tag}" data-language="${tag}" ${selectedIf(tag === language)}>${tag}</option>`,
  );
  return html` <div>
    <label for="in">Names in</label>
    <select id="in" name="in">
      <option value="">the registry’s own</option>
      ${options}
    </select>
  </div>`;
}

function domainSelect({ domain, domains }: Order): Html {
  const options = domains.map(
    ({ name, count }) => html`<option value="${name}" ${selectedIf(name === domain)}>${name} (${count})</option>`,
  );
  return html` <div>
    <label for="domain">Domain</label>
    <select id="domain" name="domain">
      <option value="">all</option>
      ${options}
    </select>
  </div>`;
}

function selectedIf(isSelected: boolean): Html | undefined {
  return isSelected ? html`selected` : undefined;
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

function countLine({ concepts, total, query, pageCount, order }: ConceptsView): Html {
  const noun = total === 1 ? "concept" : "concepts";
  const sorted = order === undefined ? html`in code order` : html`by name`;
  const unnamed = order?.unnamed
    ? html` ${order.unnamed} more ${order.unnamed === 1 ? "has" : "have"} no preferred expression in this language.`
    : undefined;
  const all = html`<a href="${listUrl({})}">Show all concepts</a>`;
  if (query === "" && order?.domain === undefined) {
    return total === 0
      ? html`No concept is published.`
      : html`<strong>${total}</strong> published ${noun}, ${sorted}.${unnamed}`;
  }
  if (total === 0) return html`No concept has every one of these words in its name and definition. ${all}`;
  const cut =
    pageCount === 1 && total > concepts.length ? html` Only the first ${concepts.length} are shown.` : undefined;
  return html`<strong>${total}</strong> ${noun} matched, ${sorted}.${cut}${unnamed} ${all}`;
}

interface Group {
  readonly letter: string | undefined;
  readonly concepts: readonly ListedConcept[];
  readonly language: string | undefined;
}

/** The concepts of this page by letter; in code order they are one group. */
function groupsOf({ concepts, order }: ConceptsView): Group[] {
  if (order === undefined || concepts.length === 0)
    return concepts.length === 0 ? [] : [{ letter: undefined, concepts, language: undefined }];
  const { letters, start, language } = order;
  return letters.flatMap(([letter, first], i) => {
    const end = (letters[i + 1]?.[1] ?? Infinity) - start;
    const part = concepts.slice(Math.max(0, first - start), Math.max(0, end));
    return part.length > 0 ? [{ letter, concepts: part, language }] : [];
  });
}

function group({ letter, concepts, language }: Group): Html {
  return html` ${letter === undefined ? undefined : html`<h2 class="letter" id="letter-${letter}">${letter}</h2>`}
    <ul class="concepts">
      ${concepts.map((concept) => conceptItem(concept, language))}
    </ul>`;
}

/** What a page shows of a definition is three lines; the rest would only be sent. */
const SHOWN = /^[^]{400}(?=[^])/u;

function conceptItem({ code, name, definition, domain, listedAs }: ListedConcept, language: string | undefined): Html {
  const of = language === undefined ? undefined : html`lang="${language}" dir="${textDirection(language)}"`;
  const [shown] = SHOWN.exec(definition) ?? [];
  return html` <li>
    <p class="name"><a href="/concepts/${code}" ${of}>${listedAs ?? name}</a> <code>${code}</code></p>
    <p class="meaning">${shown === undefined ? definition : `${shown}…`}</p>
    <p class="note">${listedAs === undefined || listedAs === name ? undefined : `${name} · `}${domain}</p>
  </li>`;
}
