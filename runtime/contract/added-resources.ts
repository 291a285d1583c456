/** The resources that only some releases have; policy.ts has those of every release. */
import { paths } from "./paths.ts";
import {
  COMPUTED_PATHS,
  documentFiles,
  fixed,
  formOf,
  page,
  type PolicyName,
  type Resource,
  resources,
  SHELL_FILE,
  variant,
} from "./policy.ts";

/** The key space of identifiers: the path, and the file in dist, of a registry with identifiers. */
export const MAPPINGS_PATH = "/registry/mappings.ndjson";

/** Changes of recorded releases by concept: one line (ConceptHistory) for each changed code. */
export const CONCEPT_HISTORY_PATH = "/registry/concept-history.ndjson";

/** The published registry as SKOS, and the description of these files (VoID, DCAT). */
export const SKOS_TURTLE_PATH = "/registry/concepts.ttl";
export const SKOS_JSONLD_PATH = "/registry/concepts.jsonld";
export const DATASET_PATH = "/.well-known/void";

export const CONTEXTS_PATH = "/registry/contexts";

/**
 * The JSON-LD context of concepts. The path has the version, so that no cache mixes two versions.
 */
export function contextPath(registryVersion: string): string {
  return `${CONTEXTS_PATH}/${registryVersion}.jsonld`;
}

/**
 * First segments of our paths, without extension: an owner's page cannot have one of these names.
 */
const RESERVED = new Set(
  [...Object.values(paths), ...documentFiles].map((path) => path.split("/")[1]?.replace(/\..*/, "")),
);

/** The page `/NAME` that an owner adds; undefined if NAME is malformed or reserved. */
export function ownPage(name: string): Resource | undefined {
  const isName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
  return isName && !RESERVED.has(name) ? fixed(page(`/${name}`)) : undefined;
}

/** The change document of a version. */
export function changesPath(registryVersion: string): string {
  return `${paths.changes}/${registryVersion}.json`;
}
/** The fragment of a version on the page of changes. */
export function changesAnchor(registryVersion: string): string {
  return `v${registryVersion.replaceAll(".", "-")}`;
}
/** The schema of all change documents. */
export const CHANGES_SCHEMA = `${paths.schemas}/registry-changes.v1.json`;

/** The search data of pages. Like the names below, it is not part of the API. */
export const SEARCH_PATH = "/search.json";

/**
 * The concepts' names in order, in the registry or in one language. Only registries of at most
 * NAMES_MAX_CONCEPTS have these files.
 */
export function namesPath(language?: string): string {
  return `/registry/names${language === undefined ? "" : `/${language}`}.json`;
}
const NAMES = /^\/registry\/names(?:\/([A-Za-z0-9-]+))?\.json$/;

export function isNamesFile(file: string): boolean {
  return NAMES.test(file);
}

/** The languages for which these files include a file of names. */
export function namedLanguages(files: Iterable<string>): string[] {
  return [...files].flatMap((file) => NAMES.exec(file)?.[1] ?? []);
}

/** The collections of vocabularies (collection.ts); only a release with some has it. */
export const COLLECTIONS_PATH = "/registry/collections.json";

/** Where to begin to walk; only a release with broader and narrower concepts has it. */
export const HIERARCHY_PATH = "/registry/hierarchy.json";

/**
 * The resources that a release with these files, each with a leading `/`, has in addition to
 * `resources`: the owner's pages, recorded changes of the registry (O-68), mappings (O-69),
 * concepts as linked data (O-70), and names.
 */
export function addedResources(files: Iterable<string>): Resource[] {
  return [...files].flatMap((file) => {
    if (documentFiles.has(file)) return [];
    const [, first = "", name] = /^\/([^/.]+)(?:\/([^.]+))?\.html$/.exec(file) ?? [];
    if (isPageLanguage(first)) return translatedPage(first, name) ?? [];
    return addedResource(file) ?? (name === undefined ? ownPage(first) : undefined) ?? [];
  });
}

/** Whether a tag, in its usual letter case, can be the first path segment of a language's pages. */
export function isPageLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/.test(tag) && !RESERVED.has(tag) && tag !== "en";
}

/** The page `/TAG/NAME`, a translation of `/NAME`; the home page is `/TAG`. */
function translatedPage(tag: string, name: string | undefined): Resource | undefined {
  if (name === undefined) return fixed(page(`/${tag}`));
  const file = `/${name}.html`;
  const isKnown = (documentFiles.has(file) && file !== SHELL_FILE) || file === `${paths.changesPage}.html`;
  return isKnown || ownPage(name) !== undefined ? fixed(page(`/${tag}/${name}`)) : undefined;
}

/** The path prefixes of a release's pages in languages other than English. */
export function prefixesIn(files: Iterable<string>): string[] {
  const answers = page(paths.answers).file;
  const tags = [...files].map((file) => (file.endsWith(answers) ? file.slice(1, -answers.length) : ""));
  return tags.filter(isPageLanguage).map((tag) => `/${tag}`);
}

/** Where a release may have further documents. No router reads more than a name into these. */
const FURTHER = /^\/(?:registry|schemas|\.well-known)(?:\/[A-Za-z0-9][A-Za-z0-9.-]*)+$/;

/** A document of a release that `resources` does not have is served in the form of its name. */
function addedResource(file: string): Resource | undefined {
  if (file === `${paths.changesPage}.html`) return fixed(page(paths.changesPage));
  const policy = file === DATASET_PATH ? "turtle" : formOf(file);
  const isFurther = FURTHER.test(file) && !COMPUTED_PATHS.includes(file);
  return policy !== undefined && (isFurther || file === SEARCH_PATH) ? fixed(variant(file, policy)) : undefined;
}

/** The policy of the document at a path, of every release or of some; a computed one is JSON. */
export function policyAt(path: string): PolicyName {
  const all = [...resources, ...addedResources([path, `${path}.html`])].flatMap(({ variants }) => variants);
  return all.find(({ location }) => location === path)?.policy ?? "json";
}
