/** What some releases have besides the resources of every release (policy.ts). */
import { documentFiles, fixed, page, paths, type Resource, SHELL_FILE, variant } from "./policy.ts";

/** The key space of identifiers: a path that only a registry with identifiers has, and its file in dist. */
export const MAPPINGS_PATH = "/registry/mappings.ndjson";

/** What recorded releases changed, by concept: a line for each code with changes (ConceptHistory). */
export const CONCEPT_HISTORY_PATH = "/registry/concept-history.ndjson";

/** All that is published, as SKOS for others, and what describes these files (VoID, DCAT). */
export const SKOS_TURTLE_PATH = "/registry/concepts.ttl";
export const SKOS_JSONLD_PATH = "/registry/concepts.jsonld";
export const DATASET_PATH = "/.well-known/void";

/** What makes the JSON of a concept JSON-LD: of one version, so that a cache never pairs two. */
export function contextPath(registryVersion: string): string {
  return `/registry/contexts/${registryVersion}.jsonld`;
}

/** First segments of our paths, without an ending: an owner's page takes none of these names. */
const RESERVED = new Set(
  [...Object.values(paths), ...documentFiles].map((path) => path.split("/")[1]?.replace(/\..*/, "")),
);

/** The page `/NAME` that an owner adds to a release; undefined if that is not a name, or is ours. */
export function ownPage(name: string): Resource | undefined {
  const isName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
  return isName && !RESERVED.has(name) ? fixed(page(`/${name}`)) : undefined;
}

/** The change document of a version, and the schema of all of them. */
export function changesPath(registryVersion: string): string {
  return `${paths.changes}/${registryVersion}.json`;
}
/** A version on the page of changes. */
export function changesAnchor(registryVersion: string): string {
  return `v${registryVersion.replaceAll(".", "-")}`;
}
export const CHANGES_SCHEMA = `${paths.schemas}/registry-changes.v1.json`;

/** What pages search: data of theirs, not of the API, as the names below. */
export const SEARCH_PATH = "/search.json";

/** The names of the concepts in order, those of the registry or of a language, where they are few enough. */
export function namesPath(language?: string): string {
  return `/registry/names${language === undefined ? "" : `/${language}`}.json`;
}
const NAMES = /^\/registry\/names(?:\/([A-Za-z0-9-]+))?\.json$/;

export function isNamesFile(file: string): boolean {
  return NAMES.test(file);
}

/** The languages that a release with these files has names in. */
export function namedLanguages(files: Iterable<string>): string[] {
  return [...files].flatMap((file) => NAMES.exec(file)?.[1] ?? []);
}

/**
 * What a release with these files, each with a leading `/`, has besides `resources`: the pages of
 * its owner, what changed in its registry, where a change is recorded (O-68), its mappings (O-69),
 * its concepts as linked data (O-70), and their names.
 */
export function addedResources(files: Iterable<string>): Resource[] {
  return [...files].flatMap((file) => {
    if (documentFiles.has(file)) return [];
    const [, first = "", name] = /^\/([^/.]+)(?:\/([^.]+))?\.html$/.exec(file) ?? [];
    if (isPageLanguage(first)) return translatedPage(first, name) ?? [];
    return addedResource(file) ?? (name === undefined ? ownPage(first) : undefined) ?? [];
  });
}

/** Whether a tag can be the first segment of pages in that language: a tag as it is usually written. */
export function isPageLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/.test(tag) && !RESERVED.has(tag) && tag !== "en";
}

/** A page `/NAME` of the release in another language; its home page is at the tag alone. */
function translatedPage(tag: string, name: string | undefined): Resource | undefined {
  if (name === undefined) return fixed(page(`/${tag}`));
  const file = `/${name}.html`;
  const isKnown = (documentFiles.has(file) && file !== SHELL_FILE) || file === `${paths.changesPage}.html`;
  return isKnown || ownPage(name) !== undefined ? fixed(page(`/${tag}/${name}`)) : undefined;
}

/** What is before the paths of a release's pages in each language but English. */
export function prefixesIn(files: Iterable<string>): string[] {
  const answers = page(paths.answers).file;
  const tags = [...files].map((file) => (file.endsWith(answers) ? file.slice(1, -answers.length) : ""));
  return tags.filter(isPageLanguage).map((tag) => `/${tag}`);
}

const CHANGES = new RegExp(`^${paths.changes}/\\d{4}\\.\\d{2}\\.\\d+\\.json$`);

const CONTEXT = /^\/registry\/contexts\/\d{4}\.\d{2}\.\d+\.jsonld$/;

function addedResource(file: string): Resource | undefined {
  if (file === SKOS_TURTLE_PATH || file === DATASET_PATH) return fixed(variant(file, "turtle"));
  if (file === SKOS_JSONLD_PATH || CONTEXT.test(file)) return fixed(variant(file, "jsonld"));
  if (file === MAPPINGS_PATH || file === CONCEPT_HISTORY_PATH) return fixed(variant(file, "bundle"));
  if (file === `${paths.changesPage}.html`) return fixed(page(paths.changesPage));
  if (file === paths.changesFeed) return fixed(variant(file, "atom"));
  if (file === SEARCH_PATH || isNamesFile(file)) return fixed(variant(file, "json"));
  return file === CHANGES_SCHEMA || CHANGES.test(file) ? fixed(variant(file, "json")) : undefined;
}
