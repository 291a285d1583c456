/**
 * One published concept for people: its code, what it means, every reviewed expression by language,
 * renderings, where all of it comes from, and how to cite it. It shows the record as published, in
 * its order, and adds nothing.
 */
import { changesAnchor, contextPath, SKOS_TURTLE_PATH } from "../contract/added-resources.ts";
import type { ConceptHistory } from "../contract/concept-history.ts";
import { groupBy } from "../text/group-by.ts";
import {
  type ConceptDetail,
  type ConceptExpression,
  type ConceptRendering,
  EXACT_STRENGTH,
  type Provenance,
} from "../contract/concept.ts";
import { textDirection } from "../text/direction.ts";
import { type Html, html } from "../text/html.ts";

/** What a release has besides its concepts. */
export interface ConceptLinks {
  readonly hasContext: boolean;
  readonly hasSkos: boolean;
}

export function conceptPage(
  concept: ConceptDetail,
  links: ConceptLinks,
  history: ConceptHistory | undefined,
): { title: string; main: Html } {
  const { code, name, definition, domain, registryVersion, provenance } = concept;
  const main = html`
    <p class="kicker"><a href="/concepts">Concepts</a></p>
    <h1>${name}</h1>
    <p class="code"><code data-copy>${code}</code></p>
    <p class="lede">${definition}</p>
    <dl class="facts">
      <div>
        <dt>Domain</dt>
        <dd>${domain}</dd>
      </div>
      <div>
        <dt>Registry version</dt>
        <dd>${registryVersion}</dd>
      </div>
      <div>
        <dt>As data</dt>
        <dd><a href="/api/v1/concepts/${code}">JSON</a></dd>
      </div>
    </dl>
    ${expressionSection(concept)} ${concept.renderings.length > 0 ? renderingSection(concept.renderings) : undefined}
    <section>
      <h2 id="provenance">Provenance</h2>
      ${provenance === null ? html`<p>None is recorded.</p>` : provenanceFacts(provenance)}
    </section>
    ${history && historySection(history)} ${citeSection(concept, links)}
  `;
  return { title: name, main };
}

function expressionSection({ expressions, provenance }: ConceptDetail): Html {
  // What all share is said once; the concept's own is in its section.
  const lines = new Set(expressions.map((entry) => provenanceLine(entry.provenance)));
  const [shared] = lines.size === 1 ? lines : [];
  const known = shared ?? provenanceLine(provenance);
  const languages = groupBy(expressions, ({ language }) => language);
  const near = expressions.some(({ equivalenceStrength }) => equivalenceStrength < EXACT_STRENGTH);
  const local = expressions.some(({ locale }) => locale !== null);
  return html` <section>
    <h2 id="expressions">Expressions</h2>
    <p>
      ${expressions.length} reviewed ${expressions.length === 1 ? "expression" : "expressions"}, each written exactly as
      it is matched. ${local ? "A tag next to an expression limits it to that locale." : undefined}
      ${near ? "Those with a strength below 1 are listed as near the concept and do not resolve." : undefined}
    </p>
    ${
      shared === undefined || shared === provenanceLine(provenance)
        ? undefined
        : html`<p class="note">All of them: ${shared}</p>`
    }
    <div class="languages">
      ${[...languages].map(
        ([language, entries]) =>
          html` <section>
            <h3 data-language="${language}">${language}</h3>
            <ul>
              ${entries.map((entry) => expressionItem(entry, known))}
            </ul>
          </section>`,
      )}
    </div>
  </section>`;
}

/** The expression, then its type, its locale, a strength below 1, and a provenance other than the known one. */
function expressionItem(entry: ConceptExpression, known: string): Html {
  const { expression, type, locale, equivalenceStrength, provenance } = entry;
  const tag = locale ?? entry.language;
  const near = equivalenceStrength < EXACT_STRENGTH;
  const line = provenanceLine(provenance);
  return html` <li>
    <bdi lang="${tag}" dir="${textDirection(tag)}" ${near ? html`class="near"` : undefined}>${expression}</bdi>
    <span class="type">${type}</span>
    ${locale === null ? undefined : html`<span class="tag">${locale}</span>`}
    ${near ? html`<span class="tag warn">strength ${equivalenceStrength}: listed, does not resolve</span>` : undefined}
    ${line === known ? undefined : html`<span class="note">${line}</span>`}
  </li>`;
}

function provenanceLine(provenance: Provenance | null): string {
  if (provenance === null) return "No provenance is recorded.";
  const { source, license, sourceId, reviewedBy, reviewedAt } = provenance;
  const review = [reviewedBy === null ? "" : `reviewed by ${reviewedBy}`, reviewedAt ?? ""].filter(
    (text) => text !== "",
  );
  return [source, license, sourceId ?? "", review.join(", ")].filter((text) => text !== "").join(" · ");
}

function renderingSection(renderings: readonly ConceptRendering[]): Html {
  return html` <section>
    <h2 id="renderings">Renderings</h2>
    <p>Pictures that suggest the concept. They never resolve.</p>
    <ul class="renderings">
      ${renderings.map(
        ({ type, descriptor, unicodeSequence, confidence }) =>
          html` <li>
            ${unicodeSequence === null ? undefined : html`<span class="glyph" aria-hidden="true">${unicodeSequence}</span>`}
            <p>${descriptor}<br /><span class="note">${type}, confidence ${confidence}</span></p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function provenanceFacts({ source, license, sourceId, reviewedBy, reviewedAt, ...matches }: Provenance): Html {
  const { exactMatch = [], closeMatch = [] } = matches;
  return html`
    <dl class="facts">
      ${fact("Source", source)} ${fact("Licence", license)} ${fact("Identifier at the source", sourceId)}
      ${fact("Reviewed by", reviewedBy)} ${fact("Reviewed on", reviewedAt)}
      ${exactMatch.map((match) => fact("Exact match elsewhere", match))}
      ${closeMatch.map((match) => fact("Close match elsewhere", match))}
    </dl>
  `;
}

function fact(term: string, text: string | null): Html | undefined {
  if (text === null) return undefined;
  return html`<div>
    <dt>${term}</dt>
    <dd>${text}</dd>
  </div>`;
}

/** Newest first. */
function historySection({ changes }: ConceptHistory): Html {
  return html` <section>
    <h2 id="history">History</h2>
    <ul>
      ${changes
        .toReversed()
        .map(
          ({ registryVersion, change, gained, lost }) =>
            html` <li>
              <a href="/changes#${changesAnchor(registryVersion)}">${registryVersion}</a>:
              ${SAID[change ?? "kept"]}${counted(gained, "newly lead")}${counted(lost, "no longer lead")}
            </li>`,
        )}
    </ul>
  </section>`;
}

function counted(of: number, verb: string): string {
  return of === 0 ? "" : `, ${of} ${of === 1 ? `expression ${verb}s` : `expressions ${verb}`} to it`;
}

const SAID = { added: "new", changed: "changed", retired: "retired", kept: "not changed itself" };

function citeSection(
  { code, registryVersion, canonicalUrl }: ConceptDetail,
  { hasContext, hasSkos }: ConceptLinks,
): Html {
  return html` <section>
    <h2 id="cite">How to cite this code</h2>
    <p>
      Record the code together with the registry version. The address always leads to the concept as it is published.
    </p>
    <dl class="facts cite">
      <div>
        <dt>code</dt>
        <dd><code data-copy>${code}</code></dd>
      </div>
      <div>
        <dt>registryVersion</dt>
        <dd><code data-copy>${registryVersion}</code></dd>
      </div>
      <div>
        <dt>canonicalUrl</dt>
        <dd><code data-copy>${canonicalUrl}</code></dd>
      </div>
      <div>
        <dt>As JSON</dt>
        <dd><a href="/api/v1/concepts/${code}">The record as published</a></dd>
      </div>
      ${
        hasContext
          ? html`<div>
              <dt>As linked data</dt>
              <dd>
                The same record is JSON-LD, by
                <a href="${contextPath(registryVersion)}">its context</a>${
                  hasSkos ? html`; <a href="${SKOS_TURTLE_PATH}">all concepts as SKOS</a>` : undefined
                }
              </dd>
            </div>`
          : undefined
      }
    </dl>
    <p class="note">The code identifies a meaning. It grants no permission to do anything.</p>
  </section>`;
}
