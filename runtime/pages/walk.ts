/**
 * Ways through a vocabulary by its broader and narrower concepts: the path to a concept, and lists
 * of concepts that lead on. Each concept's page lists its narrower ones; content/assets/tree.js
 * shows them in place.
 */
import type { Hierarchy, Named } from "../registry/hierarchy.ts";
import { type Html, html } from "../text/html.ts";
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

/** The most concepts that one list has. */
const TOP_MAX = 300;

/** The domains, and the concepts without a broader one, each collapsed. */
export function waysIn(order: Order | undefined, hierarchy: Hierarchy | undefined, texts: Texts): readonly Html[] {
  const ways = [domainList(order, texts), hierarchy && topList(hierarchy, texts)];
  return ways.filter((way) => way !== undefined);
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
  const more = top.length - TOP_MAX;
  return html`<details class="part">
    <summary><h2 id="hierarchy">${texts.say("concepts.by-hierarchy")}</h2></summary>
    <ul class="tree">
      ${top.slice(0, TOP_MAX).map((one) => listItem(one, counts, texts))}
      ${more > 0 ? html`<li class="note">${texts.count("concept.more", more, { count: more })}</li>` : undefined}
    </ul>
  </details>`;
}
