/**
 * The content of a concept's page: its record with its notes and changes. If no published concept
 * has the code, the page shows the record of its retirement, if there is one.
 */
import type { Collection } from "../contract/collection.ts";
import { CONCEPT_HISTORY_PATH, contextPath, namesPath, SKOS_TURTLE_PATH } from "../contract/added-resources.ts";
import { findHistory } from "../contract/concept.ts";
import type { Interface } from "../contract/inputs.ts";
import { conceptPage, notFoundPage } from "../pages/concept.ts";
import { definedTerm } from "../pages/defined-term.ts";
import type { Past } from "../pages/resolution.ts";
import type { Texts } from "../pages/texts.ts";
import { untilHeld } from "../registry/block-source.ts";
import { broaderPath } from "../registry/hierarchy.ts";
import { readDetail, readNotes } from "../registry/read-concept.ts";
import { documentText, type Served } from "../release/served.ts";
import { html } from "../text/html.ts";
import { memberships, readHierarchy } from "./walk.ts";

interface Around {
  readonly past: Past;
  readonly log: Interface["log"];
}

/** Returns the content of a code's page. Changes are read when first needed. */
export function conceptContents({ index, manifest, documents }: Served, { past, log }: Around, texts: Texts) {
  const links = {
    log,
    hasContext: documents.has(contextPath(manifest.registry.registryVersion)),
    hasSkos: documents.has(SKOS_TURTLE_PATH),
    hasNames: documents.has(namesPath()),
  };
  let changed: string | undefined;
  const changes = (): string =>
    (changed ??= documents.has(CONCEPT_HISTORY_PATH) ? documentText({ documents }, CONCEPT_HISTORY_PATH) : "");
  let counted: ReadonlyMap<string, number> | undefined;
  const parents = (): ReadonlyMap<string, number> => (counted ??= new Map(readHierarchy(documents)?.narrower));
  let collected: ReturnType<typeof memberships> | undefined;
  const collectionsOf = (code: string): readonly Collection[] =>
    ((collected ??= memberships(documents)).get(code) ?? []).map(({ collection }) => collection);
  return async (code: string) => {
    const id = await untilHeld(() => index.conceptId(code));
    if (id === undefined) {
      const gone = await untilHeld(() => past.retired(code));
      return { content: notFoundPage(code, gone, texts), isFound: false };
    }
    const detail = await untilHeld(() => readDetail(index, id));
    const notes = await untilHeld(() => readNotes(index, id));
    const history = await untilHeld(() => findHistory(changes(), code));
    const path = await untilHeld(() => broaderPath(index, code, notes));
    const narrower = await untilHeld(parents);
    const collections = await untilHeld(() => collectionsOf(code));
    const { title, main } = conceptPage(detail, { ...links, notes, history, path, narrower, collections }, texts);
    return { content: { title, main: html`${main}${definedTerm(detail, manifest)} ` }, isFound: true };
  };
}
