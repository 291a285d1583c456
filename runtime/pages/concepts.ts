/**
 * The page that lists published concepts: a filter form, the concepts, links to the other pages of
 * the list. The caller decides which concepts are listed, in which order, and on how many pages. A
 * filter finds concepts to read; it does not resolve.
 */
import type { Collection } from "../contract/collection.ts";
import type { ConceptSummary } from "../contract/concept.ts";
import { QUERY_MAX_LENGTH } from "../contract/limits.ts";
import type { Hierarchy, Named } from "../registry/hierarchy.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { lettersNav, type Order, pagingNav } from "./list-links.ts";
import { labelOf } from "./note-text.ts";
import type { PageContent } from "./page.ts";
import type { Texts } from "./texts.ts";
import { toResolution } from "./way-on.ts";
import { collectionList, LISTED_MAX, listItem, waysIn } from "./walk.ts";

export interface Exact {
  readonly concept: ConceptSummary | undefined;
  readonly isExpression: boolean;
  /** The concepts that have the expression in any language, or one that differs only in form. */
  readonly holders: readonly ConceptSummary[];
}

/** A concept; `listedAs` is its name in the language of the list, if one is chosen. */
export type ListedConcept = ConceptSummary & { readonly listedAs?: string | undefined };

export interface ConceptsView {
  readonly concepts: readonly ListedConcept[];
  /** The number of all matches, including those on other pages. */
  readonly total: number;
  /** The filter as typed; empty if there is none. */
  readonly query: string;
  /** Whether the filter text is also the code of a concept, or an exact expression. */
  readonly exact?: Exact | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Undefined if the list is in code order. */
  readonly order?: Order;
  /** If there are no matches: names that differ from the filter by typing errors. */
  readonly similar?: readonly Named[];
  /** Undefined if there is none, or if this is not the beginning of the whole list. */
  readonly hierarchy?: Hierarchy | undefined;
}

export function conceptsPage(view: ConceptsView, texts: Texts): PageContent {
  const { say } = texts;
  const { page, pageCount, query, order } = view;
  const part = query === "" ? partOf(order, texts) : undefined;
  const title = page > 1 ? say("concepts.title-page", { page, count: pageCount }) : say("concepts.title");
  const isWhole = query === "" && part === undefined && page === 1;
  const main = html`
    ${part === undefined ? undefined : html`<p class="kicker"><a href="/concepts">${title}</a></p>`}
    <h1 dir="auto">${part ?? say("concepts.title")}</h1>
    <p class="lede">${say("concepts.lede")}</p>
    ${filterForm(view, texts)} ${exactLines(view, texts)} ${isWhole ? waysIn(order, view.hierarchy, texts) : undefined}
    ${order?.collection && collectionList(partsOf(order.collection, order), order, texts)}
    <p class="count">${countLine(view, texts)}</p>
    ${lettersNav(view, texts)} ${groupsOf(view).map(group)} ${pageCount > 1 ? pagingNav(view, texts) : undefined}
    <p class="also">${say("concepts.data")}</p>
  `;
  return { title: part === undefined ? title : html`${part}, ${title}`, main };
}

function partsOf({ parts }: Collection, { collections }: Order): readonly Collection[] {
  return collections.filter(({ id }) => parts.includes(id));
}

/** The domain or the collection that the list is limited to. */
function partOf(order: Order | undefined, { language }: Texts): string | undefined {
  const { domain, collection } = order ?? {};
  return domain ?? (collection && labelOf(collection, language).text);
}

function filterForm({ query, order }: ConceptsView, texts: Texts): Html {
  const { say } = texts;
  return html`
    <form class="filter" action="/concepts" method="get" role="search" aria-label="${say("concepts.title")}">
      <div>
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
      </div>
      ${order && languageSelect(order, texts)}
      ${order && order.domains.length > 1 ? domainSelect(order, texts) : undefined}
      ${order && collectionSelect(order, texts)}
      <button type="submit">${say("concepts.filter")}</button>
    </form>
  `;
}

function languageSelect({ language, languages }: Order, { say }: Texts): Html {
  const options = languages.map(
    (tag) => html`<option value="${tag}" data-language="${tag}" ${selectedIf(tag === language)}>${tag}</option>`,
  );
  return select("in", say("concepts.names-in"), [say("concepts.own-names"), ...options]);
}

function domainSelect({ domain, domains }: Order, { say }: Texts): Html {
  const options = domains.map(
    ({ name, count }) => html`<option value="${name}" ${selectedIf(name === domain)}>${name} (${count})</option>`,
  );
  return select("domain", say("concept.domain"), [say("concepts.all-domains"), ...options]);
}

function collectionSelect({ collection, collections }: Order, { say, language }: Texts): Html | undefined {
  if (collections.length === 0 || collections.length > LISTED_MAX) return undefined;
  const options = collections.map((one) => {
    const label = labelOf(one, language).text;
    return html`<option value="${one.id}" ${selectedIf(one === collection)}>${label} (${one.members.length})</option>`;
  });
  return select("collection", say("concept.collection"), [say("concepts.all-domains"), ...options]);
}

/** The first of the options stands for none. */
function select(name: string, label: Html, [none, ...options]: readonly Html[]): Html {
  return html` <div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      <option value="">${none}</option>
      ${options}
    </select>
  </div>`;
}

function selectedIf(isSelected: boolean): Html | undefined {
  return isSelected ? html`selected` : undefined;
}

function suggestions(title: Html, concepts: readonly Named[], texts: Texts): Html | undefined {
  if (concepts.length === 0) return undefined;
  return html`<p>${title}</p>
    <ul class="tree">
      ${concepts.map((one) => listItem(one, new Map(), texts))}
    </ul>`;
}

function exactLines({ query, exact, similar = [] }: ConceptsView, texts: Texts): readonly HtmlValue[] {
  const { say, own } = texts;
  const { concept, isExpression = false, holders = [] } = exact ?? {};
  const ofCode = concept && html`<a href="/concepts/${concept.code}" dir="auto">${concept.name}</a>`;
  const resolve = toResolution({ expression: query }, own(say("concepts.resolve-it")));
  return [
    ofCode && html`<p class="notice">${say("concepts.is-code", { concept: ofCode })}</p>`,
    isExpression ? html`<p class="notice">${say("concepts.is-expression", { resolve })}</p>` : undefined,
    suggestions(say(isExpression ? "concepts.holders" : "concepts.near-holders"), holders, texts),
    suggestions(say("concepts.similar"), holders.length > 0 ? [] : similar, texts),
  ];
}

function countLine({ concepts, total, query, pageCount, order }: ConceptsView, { say, count }: Texts): Html {
  const counted = (key: string, of: number): Html => count(key, of, { count: html`<strong>${of}</strong>` });
  const sorted = order === undefined ? "" : order.collection?.ordered === true ? "-in-order" : "-by-name";
  const unnamed = order?.unnamed
    ? [" ", count("concepts.unnamed", order.unnamed, { count: order.unnamed })]
    : undefined;
  if (query === "" && order?.domain === undefined && order?.collection === undefined)
    return total === 0 ? say("concepts.none") : html`${counted(`concepts.published${sorted}`, total)}${unnamed}`;
  const all = say("concepts.all");
  if (total === 0) return html`${say("concepts.no-match")} ${all}`;
  const cut =
    pageCount === 1 && total > concepts.length ? [" ", say("concepts.first", { count: concepts.length })] : undefined;
  return html`${counted(`concepts.matched${sorted}`, total)}${cut}${unnamed} ${all}`;
}

interface Group {
  readonly letter: string | undefined;
  readonly concepts: readonly ListedConcept[];
  readonly language: string | undefined;
}

/** The concepts of this page by letter; one group if they are in code order. */
function groupsOf({ concepts, order }: ConceptsView): Group[] {
  const { letters = [], start = 0, language } = order ?? {};
  if (concepts.length === 0) return [];
  if (letters.length === 0) return [{ letter: undefined, concepts, language }];
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

/** A page shows three lines of a definition; sending more would be useless. */
const SHOWN = /^[^]{400}(?=[^])/u;

function conceptItem({ code, name, definition, domain, listedAs }: ListedConcept, language: string | undefined): Html {
  const of = language === undefined ? html`dir="auto"` : html`lang="${language}" dir="${textDirection(language)}"`;
  const [shown] = SHOWN.exec(definition) ?? [];
  return html` <li>
    <p class="name"><a href="/concepts/${code}" ${of}>${listedAs ?? name}</a> <code>${code}</code></p>
    ${definition === name ? undefined : html`<p class="meaning" dir="auto">${shown === undefined ? definition : `${shown}…`}</p>`}
    <p class="note">
      ${listedAs === undefined || listedAs === name ? undefined : html`<bdi>${name}</bdi> · `}<bdi>${domain}</bdi>
    </p>
  </li>`;
}
