/**
 * Checks the pages for people. They contain nothing that the policy of every page forbids
 * (representation.ts), so they are safe on a host without that policy too. They send no search
 * engine to another host (RFC 6596), and none is of another version of the registry. The digests in
 * the studio are those of its kits. Answers and reference are one text in three forms: JSON, the
 * same Markdown, and a page with the same words and links, which is rendered again here.
 */
import { isDeepStrictEqual } from "node:util";
import MarkdownIt from "markdown-it";
import type { Interface } from "../../../runtime/contract/inputs.ts";
import { INTERFACE_FILE, kitPath, paths, REFERENCE_AREAS, referencePath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import type { Answers, ApiReference } from "../../contract/reference.ts";
import { attributesOf, decodeEntities, type Tag, tagsOf, wordsOf, wordsOfPage } from "../integrity/html.ts";
import { LOADED } from "../integrity/links.ts";
import type { Dist, Documents, Faults, Parts } from "../integrity/parts.ts";

const STUDIO = `${paths.studioPage.slice(1)}.html`;

export function checkPages(dist: Dist, documents: Documents): Faults {
  const { languages } = (documents.get(INTERFACE_FILE) ?? { languages: [] }) as Interface;
  const shells = languages.map(({ shell = "", texts }) => [shell, ...Object.values(texts)].join("\n"));
  const pages = dist.names
    .filter((name) => name.endsWith(".html"))
    .map((name) => [name, dist.text(name) ?? ""] as const);
  return [[INTERFACE_FILE.slice(1), shells.join("\n")] as const, ...pages].flatMap(([name, html]) =>
    [
      ...checkMarkup(html),
      ...checkPlace(html, dist),
      ...(name.split("/").at(-1) === STUDIO ? checkStudio(html, dist) : []),
    ].map((text) => `${name}: ${text}`),
  );
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
    return isOfRegistry && /^\d{4}\.\d{2}\.\d+$/.test(version) ? [version] : [];
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
  if (name === "meta") return /(?:^|\s)og:url(?:\s|$)/i.test(said("property")) ? trim(said("content")) : "";
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

interface Passage {
  readonly id: string;
  /** Plain text. */
  readonly titles: readonly string[];
  readonly links?: readonly string[];
  readonly markdown: string;
}

export function checkProse({ documents, dist, known: { origin } }: Parts): Faults {
  const answers = documents.get(paths.answersJson) as Answers | undefined;
  const reference = documents.get(paths.apiReferenceJson) as ApiReference | undefined;
  return [
    ...compareForms(dist, [paths.answers], answers === undefined ? [] : passagesOf(answers)),
    ...checkIds(answers, dist),
    ...checkQuestions(answers, dist),
    ...checkAddresses(answers, origin),
    ...compareForms(dist, REFERENCE_PAGES, reference === undefined ? [] : sectionsOf(reference)),
  ];
}

/**
 * Each answer must be an article of the page, and each article an answer; the page has them in
 * another order.
 */
function checkIds(json: Answers | undefined, dist: Dist): Faults {
  const html = dist.text(`${paths.answers.slice(1)}.html`);
  if (json === undefined || html === undefined) return [];
  const articles = tagsOf(html).tags.filter(({ name }) => name === "article");
  const shown = articles.map(({ attributes }) => attributes.get("id") ?? "");
  const isSame = isDeepStrictEqual(shown.toSorted(), json.answers.map(({ id }) => id).toSorted());
  return isSame ? [] : [`${paths.answersJson.slice(1)}: its answers are not those of the page`];
}

/**
 * Each answer must be in its article of the page, without the question of another one in front of
 * it, and in the Markdown below the heading with its question, if there is one.
 */
function checkQuestions(json: Answers | undefined, dist: Dist): Faults {
  const [markdown, html] = [".md", ".html"].map((end) => dist.text(paths.answers.slice(1) + end) ?? "");
  const bare = withoutOrigin(dist);
  const answers = json?.answers ?? [];
  const sections = sectionsOfAnswers(markdown ?? "", answers);
  const parts = (html ?? "").split(/(?=<article\b)/i).slice(1);
  const articles = new Map(parts.map((part) => [attributesOf(part, ["id"])[0], part]));
  return answers.flatMap(({ id, question, answer }) => {
    const section = sections.get(wordsOf(question));
    const article = articles.get(id);
    const [front = "", ...rest] = wordsOfPage(bare(article ?? "")).split(wordsOfPage(rendered(answer, dist)));
    const asks = (one: string): boolean => wordsOf(one) !== "" && ` ${front.trim()} `.includes(` ${wordsOf(one)} `);
    // An owner's template may have the question in front of the article.
    const isAnother = !asks(question) && answers.some((other) => asks(other.question));
    const faults: Faults = [];
    if (section !== undefined && !wordsOf(bare(section)).includes(wordsOf(bare(answer)))) faults.push(".md");
    // An article that is missing is reported with the ids.
    if (article !== undefined && (isAnother || rest.length === 0)) faults.push(".html");
    return faults.map((end) => `${paths.answers.slice(1)}${end}: has another answer to ${id}`);
  });
}

/** The Markdown below each heading with a question, by the words of the question. */
function sectionsOfAnswers(markdown: string, answers: Answers["answers"]): ReadonlyMap<string, string> {
  const questions = new Set(answers.map(({ question }) => wordsOf(question)));
  // An answer may have a heading, or a comment in code, with the words of another question.
  const prose = new Set(answers.flatMap(({ answer }) => answer.split("\n")));
  const sections = new Map<string, string>();
  let at = "";
  for (const line of markdown.split("\n")) {
    const heading = prose.has(line) ? "" : wordsOf(/^#{1,6} .*$/.exec(line)?.[0] ?? "");
    if (heading !== "" && questions.has(heading)) at = heading;
    if (at !== "") sections.set(at, `${sections.get(at) ?? ""}${line}\n`);
  }
  return sections;
}

/** The address by which an answer is quoted must lead to its article. */
function checkAddresses(json: Answers | undefined, origin: string): Faults {
  const others = json?.answers.filter(({ id, url }) => url !== `${origin}${paths.answers}#${id}`) ?? [];
  return others.map(({ id }) => `${paths.answersJson.slice(1)}: its address of ${id} does not lead to its article`);
}

const REFERENCE_PAGES = [paths.apiReference, ...REFERENCE_AREAS.map(referencePath)] as const;

function passagesOf({ acceptanceRule, answers }: Answers): Passage[] {
  const rule = { id: "acceptanceRule", titles: [acceptanceRule], markdown: "" };
  const listed = answers.map(({ id, question, answer, evidence }) => ({
    id,
    titles: [question, ...evidence.map(({ title }) => title)],
    links: evidence.map(({ url }) => url),
    markdown: answer,
  }));
  return [rule, ...listed];
}

function sectionsOf({ acceptanceRule, fields, errors, limits, sections }: ApiReference): Passage[] {
  const rule = { id: "acceptanceRule", titles: [acceptanceRule], markdown: "" };
  const tables = {
    fields: fields.map(({ name, direction, description }) => `${name} ${direction} ${description}`),
    errors: errors.map(({ code, status, message }) => `${code} ${status} ${message}`),
    limits: limits.map(({ name, value, unit, description }) => `${name} ${value} ${unit} ${description}`),
  };
  const rows = Object.entries(tables).map(([id, titles]) => ({ id, titles, markdown: "" }));
  return [rule, ...rows, ...sections.map(({ id, title, text }) => ({ id, titles: [title], markdown: text }))];
}

/** The first path has the Markdown form; the text may take several pages. */
function compareForms(dist: Dist, places: readonly [string, ...string[]], passages: readonly Passage[]): Faults {
  const [path] = places;
  const markdown = dist.text(`${path.slice(1)}.md`);
  const pages = places.flatMap((place) => dist.text(`${place.slice(1)}.html`) ?? []);
  const html = pages.length === places.length ? pages.join("\n") : undefined;
  const bare = withoutOrigin(dist);
  const said = wordsOf(bare(markdown ?? ""));
  const shown = wordsOfPage(bare(html ?? ""));
  const links = new Set(attributesOf(html ?? "", ["href"]).map(bare));
  return passages.flatMap(({ id, titles, links: own = [], markdown: prose }) => {
    const texts = [...titles, ...own, prose];
    const due = rendered(prose, dist);
    const hasWords = [...titles.map(wordsOf), wordsOfPage(due)].every((words) => shown.includes(words));
    const hasLinks = [...own.map(bare), ...attributesOf(due, ["href"])].every((address) => links.has(address));
    const faults: Faults = [];
    // A missing file is reported with the manifest.
    if (markdown !== undefined && !texts.every((text) => said.includes(wordsOf(bare(text))))) faults.push(".md");
    if (html !== undefined && !(hasWords && hasLinks)) faults.push(".html");
    return faults.map((form) => `${path.slice(1)}${form}: does not say what the JSON says at ${id}`);
  });
}

/** A page omits the origin of its own service. */
function withoutOrigin({ manifest }: Dist): (text: string) => string {
  return (text) => text.replaceAll(`${manifest?.origin ?? ""}/`, "/");
}

function rendered(prose: string, dist: Dist): string {
  return renderer.render(withoutOrigin(dist)(prose).replaceAll(ANCHOR, "$1"));
}

/** A heading, followed by an anchor that is not shown. */
const ANCHOR = /^( {0,3}#{1,6} .*)\s\{#[\p{L}\p{M}\p{N}-]+\}$/gmu;

/** CommonMark with tables and without HTML, as content is written. */
const renderer = new MarkdownIt({ html: false });
