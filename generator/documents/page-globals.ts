/** The values that the templates of the pages may print. content/README.md lists them. */
import type { IntegrationStudio } from "../contract/integration.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { product } from "../../runtime/contract/product.ts";
import { ENGLISH } from "../content/interface.ts";
import type { Asset, Content, PageLanguage } from "../content/content.ts";
import { partsOf, renderMarkdown } from "../content/markdown.ts";
import type { ApiReference } from "../contract/reference.ts";
import type { referenceAreas } from "./reference-areas.ts";
import { releaseDay } from "../registry/checked.ts";
import type { coverageView } from "./coverage.ts";
import type { Examples } from "../view/examples.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { ownPath, shownPages } from "./site-files.ts";
import { urlOf, type View, withOrigin } from "../view/view.ts";

/** The values that are the same in every language. */
export interface Printed {
  readonly assets: Readonly<Record<string, Asset>>;
  readonly examples: Examples;
  readonly reference: ApiReference;
  readonly areas: ReturnType<typeof referenceAreas>;
  readonly studio: IntegrationStudio;
  readonly coverage: ReturnType<typeof coverageView>;
}

/** The keys of texts for script; with a log also those of its proofs. */
const SCRIPTED = /^(?:find|script)\./;
const PROVING = /^(?:find|script|proof)\./;

export function pageGlobals(
  view: View,
  { content, language }: { readonly content: Content; readonly language: PageLanguage },
  { assets, examples, reference, areas, studio, coverage }: Printed,
): Record<string, unknown> {
  const { registry, facts, origin, summary, readiness, about } = view;
  const { resolved } = examples;
  const { sections: _printed, ...tables } = reference;
  const { answers, guide, pages } = language.prose ?? content;
  return {
    origin,
    site: { ...siteGlobals(content, language), description: about.description || null },
    language: languageGlobals(language),
    languages: content.languages.map(languageGlobals),
    scripted: Object.keys(language.texts).filter((key) => (about.log === undefined ? SCRIPTED : PROVING).test(key)),
    pages: Object.fromEntries(pages.map(({ name, markdown }) => [name, renderMarkdown(markdown)])),
    product,
    registry: {
      name: registry.name,
      registryVersion: registry.registryVersion,
      day: releaseDay(registry, facts) ?? null,
      hasChanges: registry.changes.length > 0,
      ...summary,
    },
    readiness,
    acceptanceRule: ACCEPTANCE_RULE,
    assets: assetPaths(assets),
    studio,
    coverage,
    example: resolved === undefined ? null : { ...resolved.request, ...resolved.answer.data.concept },
    asks: {
      same: examples.sameMeaning,
      ambiguous: examples.ambiguous?.request.expression ?? null,
      unknown: examples.abstained.request.expression,
    },
    answers: answers.map(({ evidence, ...answer }) => ({
      ...answer,
      language: answer.language ?? ENGLISH,
      markdown: withOrigin(view, answer.markdown),
      html: renderMarkdown(answer.markdown),
      evidence: evidence.map(({ title, path }) => ({ title, path, href: urlOf(view, path) })),
    })),
    reference: {
      ...tables,
      areas,
      sections: content.sections.map(({ id, title, markdown }) => ({
        id,
        title,
        markdown: withOrigin(view, markdown),
        html: renderMarkdown(markdown),
      })),
    },
    guide: {
      ...guide,
      language: guide.language ?? ENGLISH,
      ...partsOf(guide.markdown),
    },
  };
}

export function assetPaths(assets: Printed["assets"]): Record<string, string> {
  return Object.fromEntries(Object.entries(assets).map(([kind, { name }]) => [kind, `${paths.assets}/${name}`]));
}

/** The settings of site.yaml; null, or an empty list, if they are not set. */
function siteGlobals(content: Content, language: PageLanguage) {
  const { name, publisher = null, contact = null, legal = [], hide = [], ...site } = content.site;
  const own = (language.prose ?? content).pages.flatMap((page) =>
    page.nav === undefined ? [] : [{ title: page.nav, href: ownPath(page) }],
  );
  const navigation = site.navigation ?? [
    { title: "Home", key: "site.home", href: paths.home },
    ...shownPages(content),
    ...own,
  ];
  return { name, publisher, contact, legal, hide, navigation };
}

/** A language, for links to the page in it; its name comes from its own texts. */
function languageGlobals({ language, prefix, direction, texts }: PageLanguage) {
  return { tag: language, prefix, direction, name: texts["language.name"] ?? language };
}
