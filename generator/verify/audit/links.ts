/**
 * Checks that every address of this service in a document leads to something in this release, down
 * to the anchor of a page.
 */
import { addedResources, isNamesFile, prefixesIn, SEARCH_PATH } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { COMPUTED_PATHS, MCP_FILE, resources } from "../../../runtime/contract/policy.ts";
import { decodePart } from "../../../runtime/http/target.ts";
import { HERE } from "../../../runtime/pages/page.ts";
import { addressesIn, withoutLog } from "./addresses.ts";
import { attributesOf, decodeEntities } from "./html.ts";
import type { Dist, Faults, RegistryFacts } from "./parts.ts";

/**
 * Documents that quote the owner's texts, which may be addresses. The checks of schema and registry
 * cover the rest.
 */
const QUOTING: ReadonlySet<string> = new Set([
  paths.retired,
  paths.history,
  paths.coverage,
  ...resources.flatMap(({ path, variants }) => (path === paths.coveragePage ? variants.map(({ file }) => file) : [])),
]);

/** Change documents and their page quote them too. */
const CHANGES = paths.changes.slice(1);
const CHANGES_PAGE = `${paths.changesPage.slice(1)}.html`;

export function checkLinks(
  dist: Dist,
  origin: string,
  { codes, addresses }: Pick<RegistryFacts, "codes" | "addresses">,
): Faults {
  const published = new Set(codes);
  const prefixes = ["", ...prefixesIn(dist.files)];
  /** The folders of concepts and of their pages. */
  const concepts = [paths.concepts, ...prefixes.map((prefix) => prefix + paths.conceptPages)].map((one) => `${one}/`);
  const computed = prefixes.flatMap((prefix) => [...COMPUTED_PATHS, HERE].map((path) => prefix + path));
  const places = new Map<string, string | undefined>(computed.map((path) => [path, undefined]));
  for (const { path, variants } of [...resources, ...addedResources(dist.files)]) {
    const page = variants.find(({ policy }) => policy === "html");
    places.set(path, page?.file);
    for (const { location, policy, file } of variants) places.set(location, policy === "html" ? file : undefined);
  }
  for (const name of dist.names) if (name.startsWith(`${paths.assets.slice(1)}/`)) places.set(`/${name}`, undefined);
  // Examples quote concepts, and pages the registry's name, which may have addresses of this host.
  const quoted = new Set([...addresses, ...addressesIn(dist.manifest?.registry.name ?? "", origin)]);
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (file: string): Set<string> => {
    const known = anchors.get(file) ?? idsOf(dist.text(file.slice(1)) ?? "");
    anchors.set(file, known);
    return known;
  };
  const isDead = (address: string, own: string): boolean => {
    const [target = "", fragment] = address.split("#", 2);
    const path = target === "" ? own : (target.split("?", 1)[0] ?? "");
    if (isBelow(path, concepts)) return !published.has(path.slice(path.lastIndexOf("/") + 1));
    // The address ends where a template begins: some path must continue from there.
    const known = [...places.keys(), ...(published.size === 0 ? [] : concepts)];
    if (path.length > 1 && path.endsWith("/")) return !known.some((one) => one.startsWith(path));
    if (!places.has(path)) return true;
    const page = places.get(path);
    return fragment !== undefined && page !== undefined && !anchorsOf(page).has(decodePart(fragment));
  };
  const pathOfPage = new Map([...places].map(([path, file]) => [file, path]));
  return dist.names.filter(isText).flatMap((name) => {
    const text = dist.text(name);
    if (text === undefined) return [`${name}: not UTF-8, or too large`];
    const file = `/${name}`;
    const own = pathOfPage.get(file) ?? "/";
    const isPage = name.endsWith(".html");
    const isQuoting = QUOTING.has(file) || name === CHANGES_PAGE || name.startsWith(CHANGES) || isNamesFile(file);
    const named = isQuoting ? [] : [...addressesIn(isPage ? decodeEntities(text) : withoutLog(file, text), origin)];
    const found = new Set([
      ...named.filter((address) => !quoted.has(address)),
      ...(isPage ? linksIn(text) : []),
      ...(file === SEARCH_PATH ? [...text.matchAll(/"url": "([^"]*)"/g)].map(([, url = ""]) => url) : []),
    ]);
    return [...found]
      .filter((address) => isDead(address, own))
      .map((address) => `${name}: links to ${address}, which does not exist`);
  });
}

/** Files of linked data have names, not links; linked-data.ts checks them. */
function isText(name: string): boolean {
  const binary = /\.(?:zip|index|blocks|root|ndjson|ttl|jsonld|svg|css|js)$|\/void$/.test(name);
  // The definition that MCP answers from has links to the service, like the documents.
  return !binary && (name === MCP_FILE.slice(1) || !["manifest.json", "SHA256SUMS"].includes(name));
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder) && path.length > folder.length);
}

/** Attributes with the addresses that the scripts of a page load. */
export const LOADED: readonly string[] = [
  "script",
  "site",
  "tree",
  "minisearch",
  "resolver",
  "outcome",
  "kit",
  "classifier",
].map((name) => `data-${name}`);

/** Links of a page to this service, by path or anchor. */
function linksIn(html: string): string[] {
  return attributesOf(html, ["href", "src", "action", ...LOADED]).filter((address) => /^(?:\/(?!\/)|#)/.test(address));
}

function idsOf(html: string): Set<string> {
  return new Set(attributesOf(html, ["id"]));
}
