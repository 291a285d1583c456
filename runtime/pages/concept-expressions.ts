/**
 * The reviewed expressions of a concept on its page, by language. Each links to the page of its own
 * resolution, in the language that it is reviewed for.
 */
import { type ConceptDetail, type ConceptExpression, EXACT_STRENGTH, type Provenance } from "../contract/concept.ts";
import { textDirection } from "../text/direction.ts";
import { groupBy } from "../text/group-by.ts";
import { formatHtml, type Html, html, type HtmlValue } from "../text/html.ts";
import { isFor } from "./note-text.ts";
import type { Texts } from "./texts.ts";
import { toResolution } from "./way-on.ts";

/** The expressions by language, those that the reader can read first. */
export function expressionSection({ expressions, provenance }: ConceptDetail, texts: Texts): Html {
  const { say } = texts;
  // A provenance that all expressions share is shown once; the concept's own is in its section.
  const own = provenanceLine(provenance, texts);
  const lines = new Set(expressions.map((entry) => formatHtml(provenanceLine(entry.provenance, texts))));
  const [first] = expressions;
  const shared = lines.size === 1 && first !== undefined ? provenanceLine(first.provenance, texts) : undefined;
  const known = formatHtml(shared ?? own);
  const languages = [...groupBy(expressions, ({ language }) => language)];
  languages.sort(([a], [b]) => Number(isFor(b, texts.language)) - Number(isFor(a, texts.language)));
  const near = expressions.some(({ equivalenceStrength }) => equivalenceStrength < EXACT_STRENGTH);
  const preferred = expressions.some(({ type }) => type === "preferred");
  const local = expressions.some(({ locale }) => locale !== null);
  return html` <section>
    <h2 id="expressions">${say("concept.expressions")}</h2>
    <p>
      ${texts.count("concept.reviewed", expressions.length, { count: expressions.length })}
      ${preferred ? say("concept.preferred") : undefined} ${say("concept.leads")}
      ${local ? say("concept.locale") : undefined} ${near ? say("concept.near") : undefined}
    </p>
    ${
      shared === undefined || known === formatHtml(own)
        ? undefined
        : html`<p class="note">${say("concept.shared", { provenance: texts.own(shared) })}</p>`
    }
    ${languages.length < LANGUAGES_MIN ? undefined : languageFilter(languages, texts)}
    <div class="languages">
      ${languages.map(
        ([language, entries]) =>
          html` <section id="in-${language}">
            <h3 data-language="${language}">${language}</h3>
            <ul>
              ${entries.map((entry) => expressionItem(entry, known, texts))}
            </ul>
          </section>`,
      )}
    </div>
  </section>`;
}

/** A concept in fewer languages is visible as a whole. */
const LANGUAGES_MIN = 4;

/** Links to each language. While one is the target of the address, the style hides the others. */
function languageFilter(languages: readonly (readonly [string, unknown])[], { say }: Texts): Html {
  return html`
    <nav class="paging" aria-label="${say("concept.filter")}">
      <ul>
        <li><a href="#expressions">${say("concept.all-languages")}</a></li>
        ${languages.map(([language]) => html`<li><a href="#in-${language}">${language}</a></li>`)}
      </ul>
    </nav>
  `;
}

/**
 * The expression as a link to what it resolves to, an unusual type, its locale, a strength below 1,
 * and its provenance if not `known`.
 */
function expressionItem(entry: ConceptExpression, known: string, texts: Texts): Html {
  const { expression, type, locale, equivalenceStrength, provenance } = entry;
  const tag = locale ?? entry.language;
  const near = equivalenceStrength < EXACT_STRENGTH;
  const line = provenanceLine(provenance, texts);
  const mark = near ? html`class="near"` : undefined;
  const text = html`<bdi lang="${tag}" dir="${textDirection(tag)}" ${mark}>${expression}</bdi>`;
  const shown = type === "preferred" ? html`<strong>${text}</strong>` : text;
  return html` <li>
    ${toResolution({ expression, language: tag }, shown)}
    ${UNMARKED.has(type) ? undefined : html`<span class="type">${type}</span>`}
    ${locale === null ? undefined : html`<span class="tag">${locale}</span>`}
    ${near ? html`<span class="tag warn">${texts.say("concept.strength", { strength: equivalenceStrength })}</span>` : undefined}
    ${formatHtml(line) === known ? undefined : html`<span class="note">${line}</span>`}
  </li>`;
}

/** Their looks tell these types apart. */
const UNMARKED: ReadonlySet<ConceptExpression["type"]> = new Set(["preferred", "alternate"]);

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
