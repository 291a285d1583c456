/**
 * The page of one published concept: its code, its name and definition in the reader's language if
 * the registry has them, how to cite it, relations, every reviewed expression by language, notes,
 * and provenance. A definition that only repeats the name is not shown; otherwise the page
 * shows the record in its own order and adds nothing. If no published concept has the code, the
 * page suggests none and does not redirect to a successor.
 */
import type { Collection } from "../contract/collection.ts";
import type { ConceptNotes, Note } from "../contract/concept-notes.ts";
import type { ConceptDetail, ConceptHistory, ConceptRendering, Provenance } from "../contract/concept.ts";
import type { Interface } from "../contract/inputs.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { expressionSection } from "./concept-expressions.ts";
import {
  citeSection,
  type ConceptLinks,
  dataLinks,
  fact,
  historySection,
  iriText,
  noteSection,
  proofSection,
  type Related,
  relationSection,
} from "./concept-sections.ts";
import { listUrl } from "./list-links.ts";
import { isFor, noteText } from "./note-text.ts";
import type { PageContent } from "./page.ts";
import { type RetiredCode, retiredNotice } from "./retired.ts";
import type { Texts } from "./texts.ts";
import { collectionLink, pathNav } from "./walk.ts";

interface Additions extends ConceptLinks, Related {
  readonly history: ConceptHistory | undefined;
  readonly log: Interface["log"];
  /** The broader concepts, the topmost first. */
  readonly path: readonly { readonly code: string; readonly name: string }[];
  /** Those that the concept is in. */
  readonly collections: readonly Collection[];
}

export function conceptPage(concept: ConceptDetail, additions: Additions, texts: Texts): PageContent {
  const { say } = texts;
  const { code, name, domain, registryVersion, provenance } = concept;
  const { title, definition } = inLanguage(concept, additions.notes, texts.language);
  const repeats = [title.text, name].includes(definition.text);
  const notations = additions.notes.notations?.map(({ notation }) => notation).join(", ") ?? null;
  const main = html`
    <div class="record">
      <div>
        ${pathNav(additions.path, texts)}
        <h1>${noteText(title)}</h1>
        <p class="code"><code data-copy>${code}</code></p>
        ${repeats ? undefined : html`<p class="lede">${noteText(definition)}</p>`}
        <dl class="facts">
          ${title.text === name ? undefined : fact(say("concept.name"), name)}
          ${fact(say("concept.notation"), notations)} ${fact(say("concept.domain"), domainText(domain, additions))}
          ${fact(say("concept.collections"), collectionLinks(additions, texts))}
          ${fact(say("concept.version"), registryVersion)}
          ${fact(say("concept.data"), dataLinks(concept, additions, texts))}
        </dl>
      </div>
      ${citeSection(concept, say)}
    </div>
    ${relationSection(additions, provenance, texts)} ${expressionSection(concept, texts)}
    ${noteSection(additions.notes, definition.text, texts)}
    ${concept.renderings.length > 0 ? renderingSection(concept.renderings, texts) : undefined}
    <section>
      <h2 id="provenance">${say("concept.provenance")}</h2>
      ${provenance === null ? html`<p>${say("concept.provenance-none")}</p>` : provenanceFacts(provenance, texts)}
    </section>
    ${additions.history && historySection(additions.history, texts)}${additions.log && proofSection(concept, additions.log, texts)}
  `;
  return { title: title.text, main };
}

/** A domain, with a link to its concepts if the list can be limited to it. */
function domainText(domain: string, { hasNames }: ConceptLinks): HtmlValue {
  return hasNames ? html`<a href="${listUrl({ order: { language: undefined, domain } })}">${domain}</a>` : domain;
}

function collectionLinks({ collections }: Additions, { language }: Texts): HtmlValue | null {
  const links = collections.map((one, i) => html`${i > 0 ? ", " : ""}${collectionLink(one, undefined, language)}`);
  return links.length > 0 ? links : null;
}

/** Title and definition in the reader's language, or else the registry's own. */
function inLanguage(
  { name, definition, expressions }: ConceptDetail,
  { notes }: ConceptNotes,
  reader: string,
): { readonly title: Note; readonly definition: Note } {
  const preferred = expressions.find(
    ({ type, locale, language }) => type === "preferred" && isFor(locale ?? language, reader),
  );
  // An import chooses the definition from these. If a person wrote it, its language is unknown.
  const definitions = notes?.definition ?? notes?.scopeNote ?? [];
  const own = definitions.find(({ text }) => text === definition) ?? { text: definition };
  const isRead = reader === "en" && own.language === undefined;
  const defined = [own, ...definitions].find(({ language }) => isFor(language, reader));
  const isOwn = reader === "en" || preferred === undefined;
  return {
    title: isOwn ? { text: name } : { language: preferred.locale ?? preferred.language, text: preferred.expression },
    definition: isRead ? own : (defined ?? own),
  };
}

function renderingSection(renderings: readonly ConceptRendering[], { say }: Texts): Html {
  return html` <section>
    <h2 id="renderings">${say("concept.renderings")}</h2>
    <p>${say("concept.renderings-about")}</p>
    <ul class="renderings">
      ${renderings.map(
        ({ type, descriptor, unicodeSequence, confidence }) =>
          html` <li>
            ${unicodeSequence === null ? undefined : html`<span class="glyph" aria-hidden="true">${unicodeSequence}</span>`}
            <p>${descriptor}<br /><span class="note">${say("concept.rendering", { type, confidence })}</span></p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function provenanceFacts(provenance: Provenance, { say }: Texts): Html {
  const { source, license, sourceId, reviewedBy, reviewedAt } = provenance;
  return html`
    <dl class="facts">
      ${fact(say("concept.source"), source)} ${fact(say("concept.licence"), license)}
      ${fact(say("concept.source-id"), sourceId === null ? null : iriText(sourceId))}
      ${fact(say("concept.reviewed-by"), reviewedBy)} ${fact(say("concept.reviewed-on"), reviewedAt)}
    </dl>
  `;
}

/** Explains how codes are compared, and shows the record of a retired code. */
export function notFoundPage(code: string, retired: RetiredCode | undefined, texts: Texts): PageContent {
  const { say } = texts;
  const main = html`
    <h1>${say("missing.heading")}</h1>
    <p class="code">
      <code><bdi>${code}</bdi></code>
    </p>
    ${retired && retiredNotice(retired, texts)}
    <p>${say("missing.about")}</p>
    <p>${say("missing.onward")}</p>
  `;
  return { title: say("missing.title"), main };
}
