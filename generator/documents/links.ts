/**
 * Links of the pages that lead nowhere: to a path of this service that nothing serves, or to an anchor that a page does not
 * have. `verify` derives the same from a finished dist; this one names the file that the link was written in.
 */
import { addedResources, prefixesIn } from "../../runtime/contract/added-resources.ts";
import { COMPUTED_PATHS, paths, resources } from "../../runtime/contract/policy.ts";
import { HERE } from "../../runtime/pages/page.ts";
import type { Content } from "../content/content.ts";
import { TemplateError } from "../content/renderer.ts";
import type { View } from "../view/view.ts";

/** The texts of the pages by their file in dist. Throws TemplateError for the first page with a dead link. */
export function checkLinks(texts: ReadonlyMap<string, string>, content: Content, view: View): void {
  const pages = [...resources, ...addedResources([...texts.keys()])];
  /** Paths that are served, with the file of a page. */
  const prefixes = ["", ...prefixesIn(texts.keys())];
  const computed = prefixes.flatMap((prefix) => [...COMPUTED_PATHS, HERE].map((path) => prefix + path));
  const served = new Map<string, string | undefined>(computed.map((path) => [path, undefined]));
  for (const { path, variants } of pages) {
    for (const { location } of variants) served.set(location, undefined);
    served.set(path, variants.find(({ policy }) => policy === "html")?.file);
  }
  const idsOf = cached((file) => new Set(attributesOf(texts.get(file) ?? "", "id")));
  const isDead = (link: string, own: string): boolean => {
    const [target = "", fragment] = link.split("#", 2);
    const path = target.split("?", 1)[0] ?? "";
    const code = codeIn(link);
    if (code !== undefined) return !codes.has(code);
    if (path.startsWith(`${paths.assets}/`)) return false;
    if (path !== "" && !served.has(path)) return true;
    const file = path === "" ? own : served.get(path);
    return fragment !== undefined && file !== undefined && !idsOf(file).has(fragment);
  };
  const { contact } = content.site.security;
  const found = [...texts].flatMap(([file, text]) =>
    file.endsWith(".html") ? attributesOf(text, "href").map((link) => ({ link, file })) : [],
  );
  const links = [...found, { link: contact, file: "" }];
  const linked = view.registry.concepts.find(links.flatMap(({ link }) => codeIn(link) ?? []));
  const codes = new Set(Array.from(linked, ({ code }) => code));
  const dead = links.find(({ link, file }) => /^(?:\/(?!\/)|#)/.test(link) && isDead(link, file));
  if (dead === undefined) return;
  throw new TemplateError(`${sourceOf(dead.link, content)} links ${dead.link}, which nothing serves: change the link`);
}

function codeIn(link: string): string | undefined {
  return /^(?:\/api\/v1|\/[A-Za-z-]+)?\/concepts\/([^/?#]+)(?:[?#]|$)/.exec(link)?.[1];
}

/** The file that has the link in it, as far as one can be named; a template may put it together. */
function sourceOf(link: string, { answers, sections, guide, pages, templates, site }: Content): string {
  const written = [...answers, ...sections, guide, ...pages, ...templates, { ...site, file: "site.yaml" }];
  const has = (value: unknown): boolean => JSON.stringify(value).includes(JSON.stringify(link).slice(1, -1));
  return written.find((one) => has(one))?.file ?? "pages";
}

/** Values of an attribute of a rendered page, whose values are quoted. */
function attributesOf(html: string, name: string): string[] {
  const found = html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"));
  return [...found].map(([, value = ""]) => value.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));
}

function cached<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
