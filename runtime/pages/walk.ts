/**
 * Ways through a vocabulary by its broader and narrower concepts: the path to a concept, and lists
 * of concepts that lead on. Each concept's page lists its narrower ones; content/assets/tree.js
 * shows them in place.
 */
import type { Collection } from "../contract/collection.ts";
import type { Hierarchy, Named } from "../registry/hierarchy.ts";
import { type Html, html } from "../text/html.ts";
import { labelOf, noteText } from "./note-text.ts";
import type { Order } from "./list-links.ts";
import { listUrl } from "./list-links.ts";
import type { Texts } from "./texts.ts";

/** The links from the list of concepts down to a concept. */
export function pathNav(path: readonly Named[], { say }: Texts): Html {
  const list = html`<a href="/concepts">${say("concepts.title")}</a>`;
  if (path.length === 0) return html`<p class="kicker">${list}</p>`;
  return html`
    <nav class="path" aria-label="${say("concept.path")}">
      <ol>
        <li>${list}</li>
        ${path.map((one) => html`<li>${conceptLink(one)}</li>`)}
      </ol>
    </nav>
  `;
}

function conceptLink({ code, name }: Named): Html {
  return html`<a href="/concepts/${code}" dir="auto">${name}</a>`;
}

/** A concept in a list, with the number of its narrower ones if it has any. */
export function listItem(one: Named, narrower: ReadonlyMap<string, number>, texts: Texts): Html {
  const count = narrower.get(one.code);
  const counted = count === undefined ? undefined : texts.count("concept.narrower", count, { count });
  return html`<li ${count === undefined ? undefined : html`data-narrower`}>
    ${conceptLink(one)} <code>${one.code}</code> ${counted && html`<span class="note">${counted}</span>`}
  </li>`;
}

/** The most concepts, or collections, that one list has. */
export const LISTED_MAX = 300;

/** The domains, the collections, and the concepts without a broader one, each collapsed. */
export function waysIn(order: Order | undefined, hierarchy: Hierarchy | undefined, texts: Texts): readonly Html[] {
  const ways = [
    domainList(order, texts),
    order && collectionPart(order, texts),
    hierarchy && topList(hierarchy, texts),
  ];
  return ways.filter((way) => way !== undefined);
}

/** A link to the concepts of a collection, under their names in the list's language. */
export function collectionLink(
  collection: Collection,
  order: Pick<Order, "language"> | undefined,
  reader: string,
): Html {
  const url = listUrl({ order: { language: order?.language, domain: undefined, collection } });
  return html`<a href="${url}">${noteText(labelOf(collection, reader))}</a>`;
}

function collectionPart(order: Order, texts: Texts): Html | undefined {
  const list = collectionList(order.collections, order, texts);
  return (
    list &&
    html`<details class="part">
      <summary><h2 id="collections">${texts.say("concepts.by-collection")}</h2></summary>
      ${list}
    </details>`
  );
}

/** Collections with the number of their concepts; undefined if there are none. */
export function collectionList(
  collections: readonly Collection[],
  order: Pick<Order, "language">,
  texts: Texts,
): Html | undefined {
  if (collections.length === 0) return undefined;
  const more = collections.length - LISTED_MAX;
  return html`<ul class="tree">
    ${collections
      .slice(0, LISTED_MAX)
      .map(
        (one) =>
          html`<li>${collectionLink(one, order, texts.language)} <span class="note">${one.members.length}</span></li>`,
      )}
    ${more > 0 ? html`<li class="note">${texts.count("concept.more", more, { count: more })}</li>` : undefined}
  </ul>`;
}

function domainList(order: Order | undefined, { say }: Texts): Html | undefined {
  if (order === undefined || order.domains.length < 2) return undefined;
  const { language, domains } = order;
  return html`<details class="part">
    <summary><h2 id="domains">${say("concepts.by-domain")}</h2></summary>
    <ul class="tree">
      ${domains.map(
        ({ name, count }) =>
          html`<li>
            <a href="${listUrl({ order: { language, domain: name } })}" dir="auto">${name}</a>
            <span class="note">${count}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

function topList({ top, narrower }: Hierarchy, texts: Texts): Html | undefined {
  if (top.length === 0) return undefined;
  const counts = new Map(narrower);
  const more = top.length - LISTED_MAX;
  return html`<details class="part">
    <summary><h2 id="hierarchy">${texts.say("concepts.by-hierarchy")}</h2></summary>
    <ul class="tree">
      ${top.slice(0, LISTED_MAX).map((one) => listItem(one, counts, texts))}
      ${more > 0 ? html`<li class="note">${texts.count("concept.more", more, { count: more })}</li>` : undefined}
    </ul>
  </details>`;
}
