/**
 * The links from a page of the concept list to its other pages: by number and by first letter. Each
 * keeps the filter, the language and the domain.
 */
import type { Collection } from "../contract/collection.ts";
import { PAGE_CONCEPTS } from "../contract/limits.ts";
import { type Html, html } from "../text/html.ts";
import type { Texts } from "./texts.ts";

/** A list that is sorted by name, with the choices it offers. */
export interface Order {
  /** Undefined for the registry's own names. */
  readonly language: string | undefined;
  readonly languages: readonly string[];
  readonly domain: string | undefined;
  readonly collection?: Collection | undefined;
  readonly collections: readonly Collection[];
  readonly domains: readonly { readonly name: string; readonly count: number }[];
  /** Each with the position of its first concept, from 0; none if a collection gives the order. */
  readonly letters: readonly (readonly [letter: string, first: number])[];
  /** The position of the first concept on this page. */
  readonly start: number;
  /** How many concepts have no name in the language. */
  readonly unnamed: number;
}

interface ListQuery {
  readonly query?: string;
  readonly order?: Pick<Order, "language" | "domain" | "collection">;
  readonly page?: number | undefined;
}

/** The path of the list, or of one of its pages. */
export function listUrl({ query = "", order, page }: ListQuery): string {
  const parameters = [
    ["q", query],
    ["in", order?.language ?? ""],
    ["domain", order?.domain ?? ""],
    ["collection", order?.collection?.id ?? ""],
    ["page", page === undefined ? "" : String(page)],
  ].filter(([, value]) => value !== "");
  const text = parameters.map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `/concepts${text === "" ? "" : `?${text}`}`;
}

interface Paged extends ListQuery {
  readonly order?: Order;
  readonly page: number;
  readonly pageCount: number;
}

/** More letters than this do not form an alphabet and are no help. */
const LETTERS_MAX = 64;
/** A shorter list is visible as a whole and needs no letters. */
const CONCEPTS_MIN = 20;

export function lettersNav(list: Paged & { readonly total: number }, { say }: Texts): Html | undefined {
  const { query = "", order, total, pageCount } = list;
  if (order === undefined || order.letters.length > LETTERS_MAX || total < CONCEPTS_MIN) return undefined;
  if (order.letters.length === 0) return undefined;
  const links = order.letters.map(([letter, first]) => {
    // The URL of a list of one page has no page number, also on a static host.
    const page = pageCount === 1 ? undefined : Math.floor(first / PAGE_CONCEPTS) + 1;
    const url = listUrl({ query, order, page });
    return html`<li><a href="${url}#letter-${encodeURIComponent(letter)}">${letter}</a></li>`;
  });
  return html`
    <nav class="paging" aria-label="${say("concepts.letters")}">
      <ul>
        ${links}
      </ul>
    </nav>
  `;
}

export function pagingNav(list: Paged, texts: Texts): Html {
  const { page, pageCount } = list;
  const link = (to: number, as?: keyof typeof pageLinks): Html =>
    html`<li>
      <a href="${listUrl({ ...list, page: to })}" ${as && pageLinks[as].attribute}>${pageLabel(to, as, texts)}</a>
    </li>`;
  const steps = pagesAround(page, pageCount).map((to) =>
    to === undefined ? html`<li>…</li>` : link(to, to === page ? "current" : undefined),
  );
  return html`
    <nav class="paging" aria-label="${texts.say("concepts.pages")}">
      <ul>
        ${page > 1 ? link(page - 1, "prev") : undefined} ${steps}
        ${page < pageCount ? link(page + 1, "next") : undefined}
      </ul>
    </nav>
  `;
}

const pageLinks = {
  current: { attribute: html`aria-current="page"`, text: undefined },
  prev: { attribute: html`rel="prev"`, text: "concepts.previous" },
  next: { attribute: html`rel="next"`, text: "concepts.next" },
} as const;

function pageLabel(to: number, as: keyof typeof pageLinks | undefined, { say }: Texts): Html {
  const text = as && pageLinks[as].text;
  return text === undefined ? html`<span class="unseen">${say("concepts.page")} </span>${to}` : say(text);
}

/** The first and last pages, the current one and its neighbours; undefined marks a gap. */
function pagesAround(page: number, pageCount: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, pageCount].filter((to) => to >= 1 && to <= pageCount);
  const pages = [...new Set(near)];
  return pages.flatMap((to, i) => (to - (pages[i - 1] ?? 0) > 1 ? [undefined, to] : [to]));
}
