/**
 * The small files that crawlers and tools look for: llms.txt, robots.txt, sitemap.xml, security.txt
 * (RFC 9116).
 */
import { paths } from "../../runtime/contract/paths.ts";
import { REFERENCE_AREAS, referencePath } from "../../runtime/contract/policy.ts";
import type { Content } from "../content/content.ts";
import { PAGES } from "../content/site.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { listed, type Printing, type Section } from "./document.ts";
import { urlOf, type View } from "../view/view.ts";

const SECTIONS: readonly Section[] = ["For agents", "Integration", "Documentation", "Registry", "Optional"];

/** `/llms.txt`: title, summary, the request to resolve, lists of links. */
export function llmsText({ book: { view, examples }, table, has }: Printing): string {
  const { request } = examples.resolved ?? examples.abstained;
  const lines = listed(table, "llms").flatMap(({ path, llms: { section, title, note }, exists }) =>
    (exists?.(view) ?? has(path)) ? [{ section, text: `- [${title}](${urlOf(view, path)}): ${note}\n` }] : [],
  );
  return [
    `# ${view.about.name}\n`,
    `> ${view.about.vocabulary} A governed, reviewed, multilingual registry gives a stable ConceptCode to an exact expression, or abstains. It never guesses.\n`,
    `To resolve: \`POST ${urlOf(view, paths.resolve)}\` with \`Content-Type: application/json\` and \`${JSON.stringify(request)}\`.\n`,
    `${ACCEPTANCE_RULE} A candidate is never an assignment, and a code grants no permission.\n`,
    ...SECTIONS.flatMap((section) => [
      `## ${section}\n`,
      lines.map((line) => (line.section === section ? line.text : "")).join(""),
    ]),
  ].join("\n");
}

export function robotsText(view: View): string {
  return `User-agent: *\nAllow: /\nDisallow: ${paths.resolvePage}\n\nSitemap: ${urlOf(view, paths.sitemap)}\n`;
}

/** The package's pages, except the home page and those that the owner hides. */
export function shownPages({
  site: { hide = [] },
}: Content): readonly { readonly title: string; readonly key: string; readonly href: string }[] {
  return Object.entries(PAGES).flatMap(([name, page]) =>
    hide.includes(name as keyof typeof PAGES) ? [] : [{ ...page, key: `site.${name}` }],
  );
}

export function ownPath({ name }: Content["pages"][number]): string {
  return `/${name}`;
}

/** The path of a page in a language; the home page is at the prefix itself. */
function inLanguage(prefix: string, path: string): string {
  return prefix !== "" && path === paths.home ? prefix : prefix + path;
}

/** The sitemap protocol's limit on addresses in one file. */
const SITEMAP_MAX = 50_000;

const areas = REFERENCE_AREAS.map(referencePath);

/**
 * The pages that are not hidden, then the concepts' pages in code order, as many as one sitemap may
 * list.
 */
export function* sitemap(view: View, content: Content): Generator<string, void> {
  const shown = shownPages(content).flatMap(({ href }) => [href, ...(href === paths.apiReference ? areas : [])]);
  const inEnglish = [paths.home, ...shown, ...content.pages.map(ownPath)];
  const prefixes = content.languages.map(({ prefix }) => prefix);
  const pages = prefixes.flatMap((prefix) => inEnglish.map((path) => inLanguage(prefix, path)));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  // Neither an origin nor a ConceptCode has a character that XML would escape.
  for (const path of pages) yield `  <url><loc>${urlOf(view, path)}</loc></url>\n`;
  let left = SITEMAP_MAX - pages.length;
  for (const prefix of prefixes) {
    const shownConcepts = view.registry.concepts.first(Math.max(left, 0));
    for (const { code } of shownConcepts)
      yield `  <url><loc>${urlOf(view, prefix + paths.conceptPages)}/${code}</loc></url>\n`;
    left -= shownConcepts.length;
  }
  yield "</urlset>\n";
}

export function securityText(view: View, { site: { security } }: Content): string {
  const contact = security.contact.startsWith("/") ? urlOf(view, security.contact) : security.contact;
  return [
    `Contact: ${contact}`,
    `Expires: ${security.expires}`,
    "Preferred-Languages: en",
    `Canonical: ${urlOf(view, paths.securityText)}`,
    "",
  ].join("\n");
}
