/**
 * The small files that crawlers and tools look for: llms.txt, robots.txt, sitemap.xml, security.txt
 * (RFC 9116).
 */
import { paths, REFERENCE_AREAS, referencePath } from "../../runtime/contract/policy.ts";
import type { Content } from "../content/content.ts";
import { PAGES } from "../content/site.ts";
import type { Examples } from "../view/examples.ts";
import { ACCEPTANCE_RULE } from "../view/rules.ts";
import { urlOf, type View, withScope } from "../view/view.ts";

/** `/llms.txt`: title, summary, the request to resolve, lists of links. */
export function llmsText(view: View, { resolved, abstained }: Examples): string {
  const { request } = resolved ?? abstained;
  const link = (title: string, path: string, note: string) => `- [${title}](${urlOf(view, path)}): ${note}\n`;
  return [
    `# ${view.about.name}\n`,
    `> ${withScope(view, "A governed, reviewed, multilingual registry gives a stable ConceptCode to an exact expression, or abstains. It never guesses.")}\n`,
    `To resolve: \`POST ${urlOf(view, paths.resolve)}\` with \`Content-Type: application/json\` and \`${JSON.stringify(request)}\`.\n`,
    `${ACCEPTANCE_RULE} A candidate is never an assignment, and a code grants no permission.\n`,
    "## For agents\n",
    link("Instructions", paths.agentInstructions, "the operating rules in short, with an answer, plain text") +
      link("Capabilities", paths.capabilities, "the agent contract: all rules and addresses, JSON") +
      link("Connect", paths.connect, "directions and the canonical first request, JSON") +
      link("Tool descriptor", paths.agentTool, "JSON") +
      link("MCP manifest", paths.mcpServer, "JSON; the endpoint is POST /mcp") +
      link("Adoption guide", paths.adoptionGuide, "value, placement, stages, safety, JSON"),
    "## Integration\n",
    link("Readiness", paths.readiness, "the checklist, five recipes, six fixtures each, JSON") +
      link("Studio", paths.studio, "the journey to a kit, with files and digests, JSON") +
      link("Studio page", paths.studioPage, "the same journey for people, HTML"),
    "## Documentation\n",
    link("Answers", paths.answersMarkdown, "questions with evidence, Markdown") +
      link("API reference", paths.apiReferenceMarkdown, "operations, fields, errors, limits, digests, Markdown") +
      link("OpenAPI", paths.openapi, "OpenAPI 3.1.0, JSON") +
      link("MCP guide", paths.mcpGuide, "for people, HTML"),
    "## Registry\n",
    link("Status", paths.status, "counts, languages, domains, JSON") +
      link("Concepts", paths.concepts, "all published concepts, JSON") +
      link("Public bundle", paths.bundle, "one concept per line, newline-delimited JSON") +
      link("Retired codes", paths.retired, "with their successors, JSON") +
      link("Release history", paths.history, "versions and content digests, JSON") +
      link("Coverage", paths.coverage, "concepts by language and domain, ambiguous expressions, JSON") +
      link("Coverage page", paths.coveragePage, "the same as a picture and lists, HTML") +
      (view.registry.changes.length > 0
        ? link("Changes", paths.changesFeed, "what each release changed, Atom; a document for each in JSON")
        : ""),
    "## Optional\n",
    link("API catalog", paths.apiCatalog, "RFC 9727 linkset") +
      link("Discovery receipt", paths.discovery, "the ten routes and their digest, JSON"),
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
