/**
 * Finds dead links in the pages: to a path of this service that is not served, or to an anchor that
 * a page lacks or has twice. `verify` finds the same in a finished dist; this check names the file
 * in which the link was written.
 */
import { addedResources, prefixesIn } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { COMPUTED_PATHS, resources } from "../../runtime/contract/policy.ts";
import { decodePart } from "../../runtime/http/target.ts";
import { HERE } from "../../runtime/pages/page.ts";
import type { Content, GuideSource, PageSource, Prosaic, WithMarkdown } from "../content/content.ts";
import { renderMarkdown } from "../content/markdown.ts";
import { TemplateError } from "../content/renderer.ts";
import { isPublished, type View } from "../view/view.ts";

/**
 * `texts` holds the pages by their file in dist. Throws TemplateError for the first page with a
 * dead link.
 */
export function checkLinks(texts: ReadonlyMap<string, string>, content: Content, view: View): void {
  const pages = [...resources, ...addedResources([...texts.keys()])];
  const prefixes = ["", ...prefixesIn(texts.keys())];
  const computed = prefixes.flatMap((prefix) => [...COMPUTED_PATHS, HERE].map((path) => prefix + path));
  /** The served paths, each with the file of its page. */
  const served = new Map<string, string | undefined>(computed.map((path) => [path, undefined]));
  for (const { path, variants } of pages) {
    for (const { location } of variants) served.set(location, undefined);
    served.set(path, variants.find(({ policy }) => policy === "html")?.file);
  }
  const known = new Map<string, ReadonlySet<string>>();
  const idsOf = (file: string): ReadonlySet<string> => {
    const ids = known.get(file) ?? new Set(attributesOf(texts.get(file) ?? "", "id"));
    known.set(file, ids);
    return ids;
  };
  const isDead = (link: string, own: string): boolean => {
    const [target = "", fragment] = link.split("#", 2);
    const path = target.split("?", 1)[0] ?? "";
    const code = codeIn(link);
    if (code !== undefined) return !isPublished(view, code);
    if (path.startsWith(`${paths.assets}/`)) return false;
    if (path !== "" && !served.has(path)) return true;
    const file = path === "" ? own : served.get(path);
    return fragment !== undefined && file !== undefined && !idsOf(file).has(decodePart(fragment));
  };
  const { contact } = content.site.security;
  const found = [...texts].flatMap(([file, text]) =>
    file.endsWith(".html") ? attributesOf(text, "href").map((link) => ({ link, file })) : [],
  );
  const links = [...found, { link: contact, file: "" }].map(({ link: written, file }) => {
    const link = written.startsWith(`${view.origin}/`) ? written.slice(view.origin.length) : written;
    return { link, written, file };
  });
  const dead = links.find(
    ({ link, written, file }) =>
      /^(?:\/(?!\/)|#)/.test(link) && isDead(link, file) && (link === written || !isNamed(written, view)),
  );
  if (dead === undefined) return;
  const { link, file } = dead;
  const [target = "", fragment = ""] = link.split("#", 2);
  const page = fragment === "" ? undefined : proseOf(target === "" ? file : (served.get(target) ?? ""), content);
  const other = page === undefined ? "" : `, or write {#${decodePart(fragment)}} after a heading of ${page.file}`;
  const source = sourceOf(dead, content);
  throw new TemplateError(`${source} links ${dead.written}, which nothing serves: change the link${other}`);
}

/** Whether a concept has the address, as an identifier at the host of the service is. */
function isNamed(address: string, { registry }: View): boolean {
  for (const concept of registry.concepts) if (JSON.stringify(concept.whole()).includes(address)) return true;
  return false;
}

/** Throws TemplateError for the first page with an anchor that leads to two places. */
export function checkAnchors(texts: ReadonlyMap<string, string>, content: Content): void {
  for (const [file, text] of texts) {
    const seen = new Set<string>();
    const twice = file.endsWith(".html")
      ? attributesOf(text, "id").find((id) => seen.size === seen.add(id).size)
      : undefined;
    if (twice === undefined) continue;
    const written = file.endsWith(`${paths.answers}.html`) ? languageOf(file, content).prose.answers : content.sections;
    const hasIt = ({ markdown }: WithMarkdown): boolean => renderMarkdown(markdown).includes(` id="${twice}"`);
    const source = (proseOf(file, content) ?? written.findLast(hasIt))?.file ?? "pages";
    const remedy = "change the heading, or write {#another} after it";
    throw new TemplateError(`${source} gives ${file} the anchor ${twice} twice: ${remedy}`);
  }
}

function codeIn(link: string): string | undefined {
  return /^(?:\/api\/v1|\/[A-Za-z-]+)?\/concepts\/([^/?#]+)(?:[?#]|$)/.exec(link)?.[1];
}

/** The source file of the link, if it can be found: a template may assemble the link from parts. */
function sourceOf({ link, file }: { readonly link: string; readonly file: string }, content: Content): string {
  const { sections, templates, site } = content;
  const { prefix, prose } = languageOf(file, content);
  const { answers, guide, pages } = prose;
  const page = proseOf(file, content) ?? [];
  const written = [page, answers, sections, guide, pages, templates, { ...site, file: "site.yaml" }].flat();
  // The link as it was before encoding and before the prefix of the language was added.
  const bare = link.startsWith(`${prefix}/`) ? link.slice(prefix.length) : link;
  const forms = [bare, decodePart(bare)].map((form) => JSON.stringify(form).slice(1, -1));
  return written.find((one) => forms.some((form) => JSON.stringify(one).includes(form)))?.file ?? "pages";
}

/** The owner's guide or page from which a page of dist is made. */
function proseOf(page: string, content: Content): GuideSource | PageSource | undefined {
  const { prefix, prose } = languageOf(page, content);
  const isOf = (name: string): boolean => page === `${prefix}/${name}.html`;
  return isOf(paths.mcpGuide.slice(1)) ? prose.guide : prose.pages.find(({ name }) => isOf(name));
}

function languageOf(page: string, content: Content): { readonly prefix: string; readonly prose: Prosaic } {
  const isOf = (prefix: string): boolean => page === `${prefix}.html` || page.startsWith(`${prefix}/`);
  const { prefix = "", prose = content } = content.languages.find((one) => one.prefix !== "" && isOf(one.prefix)) ?? {};
  return { prefix, prose };
}

/** All values of an attribute in a rendered page, where values are always quoted. */
function attributesOf(html: string, name: string): string[] {
  const found = html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"));
  return [...found].map(([, value = ""]) => value.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));
}
