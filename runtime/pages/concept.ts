/**
 * The page of one published concept: its code, its name and definition in the reader's language if
 * the registry has them, every reviewed expression by language, relations and notes, provenance,
 * and how to cite it. The page shows the record in its own order and adds nothing. If no published
 * concept has the code, the page suggests none and does not redirect to a successor.
 */
import type { ConceptNotes, Note } from "../contract/concept-notes.ts";
import { groupBy } from "../text/group-by.ts";
import {
  type ConceptDetail,
  type ConceptExpression,
  type ConceptHistory,
  type ConceptRendering,
  EXACT_STRENGTH,
  type Provenance,
} from "../contract/concept.ts";
import { textDirection } from "../text/direction.ts";
import { formatHtml, type Html, html, type HtmlValue } from "../text/html.ts";
import {
  citeSection,
  type ConceptLinks,
  fact,
  historySection,
  iriText,
  isFor,
  noteSection,
  noteText,
  relationSection,
} from "./concept-sections.ts";
import type { PageContent } from "./page.ts";
import { type RetiredCode, retiredNotice } from "./retired.ts";
import type { Texts } from "./texts.ts";

type Additions = ConceptLinks & { readonly notes: ConceptNotes; readonly history: ConceptHistory | undefined };

export function conceptPage(concept: ConceptDetail, additions: Additions, texts: Texts): PageContent {
  const { say } = texts;
  const { code, name, domain, registryVersion, provenance } = concept;
  const { title, definition } = inLanguage(concept, additions.notes, texts.language);
  const notations = additions.notes.notations?.map(({ notation }) => notation).join(", ") ?? null;
  const main = html`
    <p class="kicker"><a href="/concepts">${say("concepts.title")}</a></p>
    <h1>${noteText(title)}</h1>
    <p class="code"><code data-copy>${code}</code></p>
    <p class="lede">${noteText(definition)}</p>
    <dl class="facts">
      ${title.text === name ? undefined : fact(say("concept.name"), name)} ${fact(say("concept.notation"), notations)}
      ${fact(say("concept.domain"), domain)} ${fact(say("concept.version"), registryVersion)}
      <div>
        <dt>${say("concept.data")}</dt>
        <dd><a href="/api/v1/concepts/${code}">JSON</a></dd>
      </div>
    </dl>
    ${expressionSection(concept, texts)} ${relationSection(additions.notes, provenance, texts)}
    ${noteSection(additions.notes, definition.text, texts)}
    ${concept.renderings.length > 0 ? renderingSection(concept.renderings, texts) : undefined}
    <section>
      <h2 id="provenance">${say("concept.provenance")}</h2>
      ${provenance === null ? html`<p>${say("concept.provenance-none")}</p>` : provenanceFacts(provenance, texts)}
    </section>
    ${additions.history && historySection(additions.history, texts)} ${citeSection(concept, additions, texts)}
  `;
  return { title: title.text, main };
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

function expressionSection({ expressions, provenance }: ConceptDetail, texts: Texts): Html {
  const { say } = texts;
  // A provenance that all expressions share is shown once; the concept's own is in its section.
  const own = provenanceLine(provenance, texts);
  const lines = new Set(expressions.map((entry) => formatHtml(provenanceLine(entry.provenance, texts))));
  const [first] = expressions;
  const shared = lines.size === 1 && first !== undefined ? provenanceLine(first.provenance, texts) : undefined;
  const known = formatHtml(shared ?? own);
  const languages = groupBy(expressions, ({ language }) => language);
  const near = expressions.some(({ equivalenceStrength }) => equivalenceStrength < EXACT_STRENGTH);
  const local = expressions.some(({ locale }) => locale !== null);
  return html` <section>
    <h2 id="expressions">${say("concept.expressions")}</h2>
    <p>
      ${texts.count("concept.reviewed", expressions.length, { count: expressions.length })}
      ${local ? say("concept.locale") : undefined} ${near ? say("concept.near") : undefined}
    </p>
    ${
      shared === undefined || known === formatHtml(own)
        ? undefined
        : html`<p class="note">${say("concept.shared", { provenance: texts.own(shared) })}</p>`
    }
    <div class="languages">
      ${[...languages].map(
        ([language, entries]) =>
          html` <section>
            <h3 data-language="${language}">${language}</h3>
            <ul>
              ${entries.map((entry) => expressionItem(entry, known, texts))}
            </ul>
          </section>`,
      )}
    </div>
  </section>`;
}

/** The expression, its type, its locale, a strength below 1, and its provenance if not `known`. */
function expressionItem(entry: ConceptExpression, known: string, texts: Texts): Html {
  const { expression, type, locale, equivalenceStrength, provenance } = entry;
  const tag = locale ?? entry.language;
  const near = equivalenceStrength < EXACT_STRENGTH;
  const line = provenanceLine(provenance, texts);
  return html` <li>
    <bdi lang="${tag}" dir="${textDirection(tag)}" ${near ? html`class="near"` : undefined}>${expression}</bdi>
    <span class="type">${type}</span>
    ${locale === null ? undefined : html`<span class="tag">${locale}</span>`}
    ${near ? html`<span class="tag warn">${texts.say("concept.strength", { strength: equivalenceStrength })}</span>` : undefined}
    ${formatHtml(line) === known ? undefined : html`<span class="note">${line}</span>`}
  </li>`;
}

function provenanceLine(provenance: Provenance | null, { say }: Texts): Html {
  if (provenance === null) return say("concept.no-provenance");
  const { source, license, sourceId, reviewedBy, reviewedAt } = provenance;
  const review = joined(
    [reviewedBy === null ? "" : say("concept.reviewed-by-line", { name: reviewedBy }), reviewedAt ?? ""],
    ", ",
  );
  return html`${joined([source, license, sourceId ?? "", review], " · ")}`;
}

/** The values that are not empty, separated by `between`. */
function joined(all: readonly HtmlValue[], between: string): HtmlValue {
  const said = all.filter((one) => one !== "");
  return said.length === 0 ? "" : said.map((one, i) => (i === 0 ? one : [between, one]));
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
