/**
 * Sections of a concept's page in addition to its record: relations and mappings, notes, changes,
 * how to cite it, its forms, how to prove it. Texts in the reader's language come first.
 */
import { changesAnchor, contextPath } from "../contract/added-resources.ts";
import {
  type ConceptNotes,
  type Note,
  type NoteName,
  NOTES,
  type RelatedConcepts,
  RELATIONS,
} from "../contract/concept-notes.ts";
import { type ConceptDetail, type ConceptHistory, MATCHES, type Provenance } from "../contract/concept.ts";
import type { Interface } from "../contract/inputs.ts";
import { paths } from "../contract/paths.ts";
import { type Html, html, type HtmlValue } from "../text/html.ts";
import { shellQuote } from "../text/shell.ts";
import type { Texts } from "./texts.ts";
import { isFor, noteText } from "./note-text.ts";
import { listItem } from "./walk.ts";

/** What a vocabulary says of a concept, and how many narrower concepts each concept has. */
export interface Related {
  readonly notes: ConceptNotes;
  readonly narrower: ReadonlyMap<string, number>;
}

/** Relations to concepts of this registry, then mappings to concepts elsewhere. */
export function relationSection(
  { notes, narrower }: Related,
  provenance: Provenance | null,
  texts: Texts,
): Html | undefined {
  const { say } = texts;
  const relations = RELATIONS.flatMap((relation) => {
    const related = notes[relation];
    if (related === undefined) return [];
    const list = relatedList(related, relation === "narrower" ? narrower : NONE, texts);
    return [fact(say(`concept.relation-${relation}`), html`<div id="${relation}">${list}</div>`)];
  });
  const mappings = MATCHES.flatMap((match) => {
    const matches = provenance?.[match] ?? [];
    if (matches.length === 0) return [];
    return [fact(say(`concept.match-${match}`), html`<ul>${matches.map((iri) => html`<li>${iriText(iri)}</li>`)}</ul>`)]; // prettier-ignore
  });
  if (relations.length + mappings.length === 0) return undefined;
  return html`<section>
    <h2 id="relations">${say("concept.relations")}</h2>
    <dl class="facts related">${relations}${mappings}</dl>
  </section>`;
}

/** A term of a description list with its value, if there is one. */
export function fact(term: Html, value: HtmlValue | null): Html | undefined {
  if (value === null) return undefined;
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}

const NONE: ReadonlyMap<string, number> = new Map();

function relatedList({ count, concepts }: RelatedConcepts, narrower: Related["narrower"], texts: Texts): Html {
  const more = count - concepts.length;
  return html`<ul class="tree">
    ${concepts.map((one) => listItem(one, narrower, texts))}
    ${more > 0 ? html`<li class="note">${texts.count("concept.more", more, { count: more })}</li>` : undefined}
  </ul>`;
}

/** Registries name concepts by any IRI; only those that browsers can fetch become links. */
export function iriText(iri: string): Html {
  return /^https?:\/\/[^\0-\x20<>"{}|^`\\]+$/i.test(iri)
    ? html`<a href="${iri}" rel="noreferrer">${iri}</a>`
    : html`${iri}`;
}

/**
 * Each kind of note; notes in other languages are collapsed. `shown`, the definition at the head of
 * the page, is not repeated.
 */
export function noteSection({ notes }: ConceptNotes, shown: string, texts: Texts): Html | undefined {
  const kinds = NOTES.flatMap((name) => {
    const all = notes?.[name]?.filter(({ text }) => text !== shown) ?? [];
    return all.length === 0 ? [] : [noteKind(name, all, texts)];
  });
  if (kinds.length === 0) return undefined;
  return html`<section>
    <h2 id="notes">${texts.say("concept.notes")}</h2>
    ${kinds}
  </section>`;
}

function noteKind(name: NoteName, all: readonly Note[], texts: Texts): Html {
  const own = all.filter(({ language }) => language === undefined || isFor(language, texts.language));
  const others = all.filter((note) => !own.includes(note));
  return html`<h3>${texts.say(`concept.note-${name}`)}</h3>
    ${own.map((note) => html`<p>${noteText(note)}</p>`)}
    ${others.length > 0 ? otherLanguages(others, texts) : undefined}`;
}

function otherLanguages(notes: readonly Note[], texts: Texts): Html {
  return html`<details>
    <summary>${texts.count("concept.other-languages", notes.length, { count: notes.length })}</summary>
    <dl class="facts">${notes.map((note) => fact(html`${note.language ?? ""}`, noteText(note)))}</dl>
  </details>`;
}

/** The changes by release, newest first. */
export function historySection({ changes }: ConceptHistory, texts: Texts): Html {
  const counted = (key: string, of: number): HtmlValue =>
    of === 0 ? undefined : [", ", texts.count(key, of, { count: of })];
  return html` <section>
    <h2 id="history">${texts.say("concept.history")}</h2>
    <ul>
      ${changes
        .toReversed()
        .map(
          ({ registryVersion, change, gained, lost }) =>
            html` <li>
              <a href="${paths.changesPage}#${changesAnchor(registryVersion)}">${registryVersion}</a>:
              ${texts.say(`concept.history-${change ?? "kept"}`)}${counted("concept.gained", gained)}${counted("concept.lost", lost)}
            </li>`,
        )}
    </ul>
  </section>`;
}

/** What a release has besides the concepts. */
export interface ConceptLinks {
  readonly hasContext: boolean;
  readonly hasSkos: boolean;
  /** Lists of names, by which the list of concepts can be limited to a domain. */
  readonly hasNames: boolean;
}

/** The record as JSON, and as linked data if the release has it. */
export function dataLinks(
  { code, registryVersion }: ConceptDetail,
  { hasContext, hasSkos }: ConceptLinks,
  { say, own }: Texts,
): Html {
  const record = html`<a href="/api/v1/concepts/${code}">JSON</a>`;
  if (!hasContext) return record;
  const context = html`<a href="${contextPath(registryVersion)}">${own(say("concept.its-context"))}</a>`;
  return html`${record}; ${say("concept.context", { context })}${hasSkos ? html`; ${say("concept.skos")}` : undefined}`;
}

/** What to record of a concept, as one block to copy. */
export function citeSection({ code, registryVersion, canonicalUrl }: ConceptDetail, say: Texts["say"]): Html {
  const record = [`code: ${code}`, `registryVersion: ${registryVersion}`, `canonicalUrl: ${canonicalUrl}`].join("\n");
  return html` <section class="cite">
    <h2 id="cite">${say("concept.cite")}</h2>
    <p>${say("concept.cite-about")}</p>
    <div class="block">
      <pre tabindex="0"><code data-copy>${record}</code></pre>
    </div>
    <p class="note">${say("concept.no-permission")}</p>
  </section>`;
}

/** How to prove what the page says; the script adds a button to a log of the same origin. */
export function proofSection(
  { code, registryVersion }: ConceptDetail,
  { address, script, verifier }: NonNullable<Interface["log"]>,
  { say, own }: Texts,
): Html {
  const log = html`<a href="${address}/checkpoint">${own(say("concept.its-log"))}</a>`;
  const commands = `npx srs log prove --log ${shellQuote(address)} --code ${code} > ${code}.tlog-proof
npx srs log verify ${code}.tlog-proof --vkey KEY`;
  return html` <section>
    <h2 id="proof">${say("concept.proof")}</h2>
    <p>${say("concept.proof-about", { log })}</p>
    ${
      script &&
      html`<div
        id="prove"
        data-log="${address}"
        data-code="${code}"
        data-version="${registryVersion}"
        data-verifier="${verifier}"
      ></div>`
    }
    <p>${say("concept.proof-commands")}</p>
    <div class="block">
      <pre tabindex="0"><code data-copy>${commands}</code></pre>
    </div>
    ${script && html`<script nonce type="module" src="${script}"></script>`}
  </section>`;
}
