/**
 * The content of a concept's page: its record with its notes and changes. If no published concept
 * has the code, the page shows the record of its retirement, if there is one.
 */
import { CONCEPT_HISTORY_PATH, contextPath, namesPath, SKOS_TURTLE_PATH } from "../contract/added-resources.ts";
import type { ConceptNotes } from "../contract/concept-notes.ts";
import { type ConceptDetail, findHistory } from "../contract/concept.ts";
import type { Interface } from "../contract/inputs.ts";
import { conceptPage, notFoundPage } from "../pages/concept.ts";
import { definedTerm } from "../pages/defined-term.ts";
import type { Past } from "../pages/resolution.ts";
import type { Texts } from "../pages/texts.ts";
import { untilHeld } from "../registry/block-source.ts";
import { broaderPath, readNotes } from "../registry/hierarchy.ts";
import { documentText, type Served } from "../release/served.ts";
import { html } from "../text/html.ts";
import { readHierarchy } from "./hierarchy.ts";

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
  return async (code: string) => {
    const found = await untilHeld(() => readConcept(index, code));
    if (found === undefined) {
      const gone = await untilHeld(() => past.retired(code));
      return { content: notFoundPage(code, gone, texts), isFound: false };
    }
    const history = await untilHeld(() => findHistory(changes(), code));
    const path = await untilHeld(() => broaderPath(index, code, found.notes));
    const narrower = await untilHeld(parents);
    const { title, main } = conceptPage(found.detail, { ...links, notes: found.notes, history, path, narrower }, texts);
    return { content: { title, main: html`${main}${definedTerm(found.detail, manifest)} ` }, isFound: true };
  };
}

function readConcept(index: Served["index"], code: string): { detail: ConceptDetail; notes: ConceptNotes } | undefined {
  const id = index.conceptId(code);
  if (id === undefined) return undefined;
  const { detail } = index.concept(id);
  return {
    detail: JSON.parse(decoder.decode(index.read(detail))) as ConceptDetail,
    notes: readNotes(index, id),
  };
}

const decoder = new TextDecoder();
