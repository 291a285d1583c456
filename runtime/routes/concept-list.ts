/**
 * The content of the concept list's page. If the release has files of names, the list is sorted by
 * name, and the reader can choose a language, a domain and a collection. A larger registry is in
 * code order, and its filter shows the first matches. An unknown choice counts as none; an invalid
 * page number means the first page, one that is too large the last.
 */
import type { Collection } from "../contract/collection.ts";
import type { Problem } from "../contract/problem.ts";
import { namedLanguages, namesPath } from "../contract/added-resources.ts";
import { NAMES_MAX_CONCEPTS, PAGE_CONCEPTS } from "../contract/limits.ts";
import { readQuery, textOf } from "../http/parameter.ts";
import { conceptsPage, type ConceptsView, type Exact } from "../pages/concepts.ts";
import { definedTermSet } from "../pages/defined-term.ts";
import type { PageContent } from "../pages/page.ts";
import type { Texts } from "../pages/texts.ts";
import { runInSteps, untilHeld } from "../registry/block-source.ts";
import type { Named } from "../registry/hierarchy.ts";
import { readSummary } from "../registry/read-concept.ts";
import { filterConcepts, firstOf } from "../registry/filter.ts";
import { nearForms } from "../registry/near-form.ts";
import { similarNames } from "../registry/similar.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { countDomains, lettersOf, type Names, selectNames } from "../registry/names.ts";
import { documentText, type Served } from "../release/served.ts";
import { keyOf } from "../text/expression.ts";
import { html } from "../text/html.ts";
import { readCollections, readHierarchy } from "./walk.ts";

type Listed = Pick<Served, "documents" | "index" | "manifest">;

export async function conceptsContent(release: Listed, query: string, texts: Texts): Promise<PageContent | Problem> {
  const terms = readQuery(query);
  if ("status" in terms) return terms;
  const text = terms.length > 0 ? textOf(query, "q") : "";
  const exact = terms.length > 0 ? await untilHeld(() => exactOf(release.index, text)) : undefined;
  const list = release.documents.has(namesPath()) ? sortedList : codeList;
  const shown = await list(release, query, terms);
  const { domain, collection } = shown.order ?? {};
  const isBeginning = terms.length === 0 && shown.page === 1 && domain === undefined && collection === undefined;
  const hierarchy = isBeginning ? await untilHeld(() => readHierarchy(release.documents)) : undefined;
  const { title, main } = conceptsPage({ ...shown, query: text, exact, hierarchy }, texts);
  return { title, main: html`${main}${definedTermSet(shown.concepts, release.manifest)} ` };
}

type Shown = Omit<ConceptsView, "query" | "exact">;

async function sortedList(release: Listed, query: string, terms: readonly string[]): Promise<Shown> {
  const { documents, index } = release;
  const languages = namedLanguages(documents.keys());
  const language = languages.find((one) => one === textOf(query, "in"));
  const names = await untilHeld(() => readNames(documents, language));
  const domain = names.domains.find((one) => one === textOf(query, "domain"));
  const collections = await untilHeld(() => readCollections(documents));
  const asked = textOf(query, "collection");
  const collection = collections.find(({ id }) => id === asked);
  const found = terms.length > 0 ? firstOf(await runInSteps(filterConcepts(index, terms)), NAMES_MAX_CONCEPTS) : [];
  const members = collection?.members;
  const byName = selectNames(names, { domain, terms, found: new Set(found), members });
  const places = collection?.ordered === true ? inOrder(byName, names, collection) : byName;
  const paged = pageOf(places.length, query);
  const rows = places.slice(paged.start, paged.end).flatMap((place) => names.names.slice(place, place + 1));
  const concepts = await untilHeld(() =>
    rows.map(([name, , , id]) => ({ ...readSummary(index, id), listedAs: language === undefined ? undefined : name })),
  );
  return {
    ...paged,
    concepts,
    total: places.length,
    similar: places.length > 0 ? [] : await similarTo(names, terms),
    order: {
      language,
      languages,
      domain,
      domains: countDomains(names),
      collection,
      collections,
      letters: collection?.ordered === true ? [] : lettersOf(names, places),
      start: paged.start,
      unnamed: index.conceptCount - names.names.length,
    },
  };
}

/** In the order of the collection. */
function inOrder(places: readonly number[], { names }: Names, { members }: Collection): number[] {
  const order = new Map(members.map((code, i) => [code, i]));
  const orderOf = (place: number): number => order.get(names[place]?.[1] ?? "") ?? members.length;
  return places.toSorted((a, b) => orderOf(a) - orderOf(b));
}

async function similarTo(names: Names, terms: readonly string[]): Promise<readonly Named[]> {
  if (terms.length === 0) return [];
  const found = await runInSteps(similarNames(names, terms, SHOWN_MAX));
  return found.map(([name, code]) => ({ code, name }));
}

/** A page of the list in code order, or the first matches of a filter. */
async function codeList({ index }: Listed, query: string, terms: readonly string[]): Promise<Shown> {
  if (terms.length > 0) {
    const matches = await runInSteps(filterConcepts(index, terms));
    const first = firstOf(matches, PAGE_CONCEPTS);
    const concepts = await untilHeld(() => first.map((id) => readSummary(index, id)));
    return { concepts, total: matches.count, page: 1, pageCount: 1 };
  }
  const total = index.conceptCount;
  const { start, end, ...paged } = pageOf(total, query);
  const ids = Array.from({ length: end - start }, (_none, i) => start + i);
  return { ...paged, concepts: await untilHeld(() => ids.map((id) => readSummary(index, id))), total };
}

function pageOf(total: number, query: string) {
  const pageCount = Math.max(1, Math.ceil(total / PAGE_CONCEPTS));
  const text = textOf(query, "page");
  const page = /^[1-9][0-9]*$/.test(text) ? Math.min(Number(text), pageCount) : 1;
  const start = (page - 1) * PAGE_CONCEPTS;
  return { page, pageCount, start, end: Math.min(start + PAGE_CONCEPTS, total) };
}

function readNames(documents: Served["documents"], language: string | undefined): Names {
  return JSON.parse(documentText({ documents }, namesPath(language))) as Names;
}

/** The most concepts that are shown for one text besides the list. */
const SHOWN_MAX = 10;

/**
 * Whether a text is a code or an expression of the registry, and the concepts that have the
 * expression in any language, or one that differs only in form: those of the nearest form.
 */
function exactOf(index: RegistryIndex, text: string): Exact {
  const id = index.conceptId(text);
  const isExpression = index.postings(keyOf(text)).length > 0;
  const forms = nearForms(text).map((form) => [...index.postings(form.text), ...index.nearPostings(form.text)]);
  const nearest = forms.find((postings) => postings.length > 0) ?? [];
  const ids = [...new Set(nearest.map(({ conceptId }) => conceptId))].slice(0, SHOWN_MAX);
  return {
    concept: id === undefined ? undefined : readSummary(index, id),
    isExpression,
    holders: ids.map((one) => readSummary(index, one)),
  };
}
