/**
 * Checks the pages for people. They contain nothing that the policy of every page forbids
 * (representation.ts), so they are safe on a host without that policy too. They send no search
 * engine to another host (RFC 6596), none is of another version of the registry, and none is in
 * another language than its address says. The digests in the studio are those of its kits.
 */
import { prefixesIn } from "../../../runtime/contract/added-resources.ts";
import type { Interface } from "../../../runtime/contract/inputs.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { INTERFACE_FILE, kitPath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { SHOWN_VERSION } from "../../contract/version.ts";
import { attributesOf, decodeEntities, type Tag, tagsOf, wordsOfPage } from "./html.ts";
import { LOADED } from "./links.ts";
import type { Dist, Documents, Faults } from "./parts.ts";

const SHOWN = new RegExp(`^${SHOWN_VERSION}$`);
const STUDIO = `${paths.studioPage.slice(1)}.html`;

export function checkPages(dist: Dist, documents: Documents): Faults {
  const { languages } = (documents.get(INTERFACE_FILE) ?? { languages: [] }) as Interface;
  const shells = languages.map(({ shell = "", texts }) => [shell, ...Object.values(texts)].join("\n"));
  const prefixes = prefixesIn(dist.files);
  const pages = dist.names
    .filter((name) => name.endsWith(".html"))
    .map((name) => [name, dist.text(name) ?? ""] as const);
  return [[INTERFACE_FILE.slice(1), shells.join("\n")] as const, ...pages].flatMap(([name, html]) =>
    [
      ...checkMarkup(html),
      ...checkPlace(html, dist),
      ...checkLanguage(
        html,
        prefixes.find((prefix) => prefix === `/${name.split(/[/.]/, 1)[0]}`),
      ),
      ...(name.split("/").at(-1) === STUDIO ? checkStudio(html, dist) : []),
    ].map((text) => `${name}: ${text}`),
  );
}

/** `prefix` is that of the address, if it has one. A page need not say its language. */
function checkLanguage(html: string, prefix: string | undefined): Faults {
  const root = tagsOf(html).tags.find(({ name }) => name === "html");
  const [said = "", due = ""] = [root?.attributes.get("lang"), prefix?.slice(1)];
  const isDue = `${said}-`.toLowerCase().startsWith(`${due}-`.toLowerCase());
  return said === "" || prefix === undefined || isDue ? [] : [`says that it is in ${said}, not in ${due}`];
}

/** The addresses that a page gives itself and its other forms, and the version that it shows. */
function checkPlace(html: string, { manifest }: Dist): Faults {
  if (manifest === undefined) return [];
  const { origin, registry } = manifest;
  const others = tagsOf(html)
    .tags.map(ownAddressOf)
    .filter((address) => isElsewhere(address) && address !== origin && !address.startsWith(`${origin}/`));
  const versions = [...html.matchAll(VERSION)].flatMap(([, name = "", attributes = "", shown = ""]) => {
    const version = decodeEntities(shown).trim();
    const isOfRegistry = /\bnowrap\b/i.test(attributes) && decodeEntities(name).trim() === registry.name;
    return isOfRegistry && SHOWN.test(version) ? [version] : [];
  });
  return [
    ...others.map((address) => `gives ${address} as its own address, which is not this service`),
    ...versions
      .filter((version) => version !== registry.registryVersion)
      .map((version) => `is of version ${version} of the registry`),
  ];
}

/**
 * The address of a canonical page or of another form, but of no feed and of no page in another
 * language: an owner may have those anywhere.
 */
function ownAddressOf({ name, attributes }: Tag): string {
  const said = (attribute: string): string => attributes.get(attribute) ?? "";
  if (name === "meta")
    return /(?:^|\s)og:url(?:\s|$)/i.test(`${said("property")} ${said("name")}`) ? trim(said("content")) : "";
  const isForm =
    /(?:^|\s)alternate(?:\s|$)/i.test(said("rel")) && !attributes.has("hreflang") && !FEED.test(said("type"));
  const isOwn = isForm || /(?:^|\s)canonical(?:\s|$)/i.test(said("rel"));
  return name === "link" && isOwn ? trim(said("href")) : "";
}

const FEED = /^\s*[a-z]+\/(?:(?:atom|rss)\+xml|feed\+json)\s*(?:;|$)/i;

/** As the layout writes the registry's name and version; no prose has this element. */
const VERSION = /(?<=>)([^<>]*)\s<span\b([^<>]*)>([^<>]*)<\/span\b/gi;

function checkMarkup(html: string): Faults {
  const { tags, unclear } = tagsOf(html);
  return [
    ...unclear.slice(0, 1).map((text) => `has ${text}, which can be read as another tag than it looks like`),
    ...tags.filter(isForbidden).map((tag) => `has ${textOf(tag)}, which the policy of pages forbids`),
    ...tags
      .flatMap(loadsOf)
      .filter(isElsewhere)
      .map((address) => `loads from or sends to ${address}, which is not this service`),
  ];
}

function textOf({ name, attributes }: Tag): string {
  return `<${[name, ...[...attributes].toReversed().map(([attribute, value]) => `${attribute}="${value}"`)].join(" ").slice(0, 200)}`;
}

/** Frames, elements that lead a reader away unasked, and elements that change an address later. */
const FORBIDDEN = /^(?:applet|base|embed|frame|iframe|object|set|animate.*)$/;
/** Attributes with an address that a browser fetches unasked, or sends something to. */
const LOADS = /^(?:src|action|formaction|poster|data|ping|background|manifest)$/;

function isForbidden({ name, attributes }: Tag): boolean {
  return (
    FORBIDDEN.test(name) ||
    (name === "script" && !attributes.has("nonce")) ||
    (name === "meta" && /refresh/i.test(attributes.get("http-equiv") ?? "")) ||
    [...attributes].some(([attribute, value]) => {
      if (attribute.endsWith("href")) return /^(?:javascript|data|vbscript):/i.test(trim(value));
      if (attribute === "style") return /url|\\|\/\//i.test(value);
      return attribute.startsWith("on") || /^\s*url\(\s*["']?[^#]/i.test(value);
    })
  );
}

function loadsOf({ name, attributes }: Tag): string[] {
  const isLoading =
    name === "link"
      ? /\b(?:stylesheet|icon|manifest|\w*pre(?:load|fetch|connect|render))\b/i.test(attributes.get("rel") ?? "")
      : !["a", "area"].includes(name);
  return [...attributes].flatMap(([attribute, value]) => {
    if (attribute.endsWith("srcset")) return value.split(/[\s,]+/);
    const isAddress = LOADS.test(attribute) || LOADED.includes(attribute);
    return isAddress || (isLoading && attribute.endsWith("href")) ? [value] : [];
  });
}

/**
 * Whether an address has a scheme, or a host after two slashes; a browser reads a backslash as a
 * slash.
 */
function isElsewhere(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(trim(address));
}

/** Removes the characters that a browser ignores in an address. */
function trim(address: string): string {
  // oxlint-disable-next-line no-control-regex
  return address.replaceAll(/^[\0- ]+|[\t\n\r]/g, "");
}

/**
 * The digests that the page compares its kits with, and those in rows of a table that link to one
 * kit and show one digest; an owner's own studio may have none.
 */
function checkStudio(html: string, { digests }: Dist): Faults {
  const known = new Map(RECIPE_IDS.map((id) => [kitPath(id), digests.get(kitPath(id).slice(1))?.sha256]));
  const compared = tagsOf(html).tags.map(({ attributes }) => [
    attributes.get("data-kit"),
    attributes.get("data-sha256"),
  ]);
  const rows = html.split(/<tr\b/i).map((row) => row.split(/<\/tr\b/i, 1)[0] ?? "");
  const listed = rows.slice(1).flatMap((row) => {
    const links = attributesOf(row, ["href"]).filter((link) => known.has(link));
    const shown = wordsOfPage(row).match(/\b[0-9a-f]{64}\b/gi) ?? [];
    return links.length === 1 && shown.length === 1 ? [[links[0], shown[0].toLowerCase()]] : [];
  });
  return [...compared, ...listed].flatMap(([kit = "", digest = ""]) =>
    digest === "" || known.get(kit) === digest ? [] : [`shows another digest for ${kit}`],
  );
}
