/** Checks what an owner's pages and settings decide: sitemap, security.txt, the search of pages. */
import { addedResources, namesPath, prefixesIn, SEARCH_PATH } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { REFERENCE_AREAS, referencePath } from "../../../runtime/contract/policy.ts";
import { isDay } from "../../text/day.ts";
import type { SearchDocument } from "../../contract/search.ts";
import type { Dist, Faults, Parts, RegistryFacts } from "./parts.ts";

export function checkSite({ documents, dist, known: { origin }, facts }: Parts): Faults {
  const faults = facts === undefined ? [] : checkSitemap(dist, origin, facts);
  const security = dist.text(paths.securityText.slice(1));
  if (security !== undefined && !isSecurityText(security, origin))
    faults.push(`${paths.securityText.slice(1)}: not a contact, an expiry, a language and its own address`);
  const search = documents.get(SEARCH_PATH) as SearchDocument | undefined;
  if (search === undefined || facts === undefined) return faults;
  if (search.concepts !== facts.publishedConcepts || search.named !== dist.names.includes(namesPath().slice(1)))
    faults.push(`${SEARCH_PATH.slice(1)}: its concepts, or its files of names, are not those of the release`);
  return faults;
}

/** RFC 9116: the owner chooses the contact, which is not plain HTTP elsewhere, and the expiry. */
function isSecurityText(text: string, origin: string): boolean {
  const form =
    /^Contact: (\S+)\nExpires: (\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:\d{2}))\nPreferred-Languages: en\nCanonical: (\S+)\n$/;
  const [, contact = "", expires = "", canonical] = form.exec(text) ?? [];
  const isContact = contact.startsWith(`${origin}/`) || /^(?:https:\/\/[^/]|(?:mailto|tel):[^/])/i.test(contact);
  return isContact && isDay(expires.slice(0, 10)) && canonical === origin + paths.securityText;
}

/** The sitemap protocol's limit. */
const SITEMAP_MAX = 50_000;
const PAGES = [
  paths.home,
  paths.conceptPages,
  paths.coveragePage,
  paths.answers,
  paths.apiReference,
  ...REFERENCE_AREAS.map(referencePath),
  paths.mcpGuide,
  paths.studioPage,
];

/** The sitemap lists the pages, as many concepts as fit, and nothing else. */
function checkSitemap(dist: Dist, origin: string, { codes }: RegistryFacts): Faults {
  const text = dist.text(paths.sitemap.slice(1));
  if (text === undefined) return [];
  const lineOf = (path: string): string => `  <url><loc>${origin}${path}</loc></url>\n`;
  const prefixes = ["", ...prefixesIn(dist.files)];
  const own = addedResources(dist.files)
    .flatMap(({ path, variants: [{ policy }] }) => (policy === "html" ? [path] : []))
    .filter((path) => !prefixes.some((prefix) => prefix !== "" && `${path}/`.startsWith(`${prefix}/`)))
    .toSorted();
  // An owner may hide any page except the home page.
  const english = [...PAGES.filter((path) => path === paths.home || text.includes(lineOf(path))), ...own];
  const pages = prefixes.flatMap((prefix) =>
    english.map((path) => (prefix !== "" && path === paths.home ? prefix : prefix + path)),
  );
  const concepts = prefixes
    .flatMap((prefix) => codes.map((code) => `${prefix}${paths.conceptPages}/${code}`))
    .slice(0, SITEMAP_MAX - pages.length);
  const lines = [...pages, ...concepts].map(lineOf);
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  return text === `${head}${lines.join("")}</urlset>\n`
    ? []
    : [`${paths.sitemap.slice(1)}: not the pages and concepts of this release`];
}
