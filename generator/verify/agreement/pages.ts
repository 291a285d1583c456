/**
 * Pages for people. Nothing in them is what the policy of every page forbids (representation.ts), so that it is not there
 * on a host without that policy either; the digests in the studio are those of its kits. Answers and reference are one text
 * in three forms: JSON, the same Markdown, and a page with the same words and links, rendered here again.
 */
import MarkdownIt from "markdown-it";
import { kitPath, paths, REFERENCE_AREAS, referencePath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import type { Answers, ApiReference } from "../../contract/reference.ts";
import type { Dist, Faults } from "../integrity/dist.ts";
import { attributesOf, decodeEntities } from "../integrity/html.ts";
import type { Parts } from "../integrity/integrity.ts";

const STUDIO = `${paths.studioPage.slice(1)}.html`;

export function checkPages(dist: Dist): Faults {
  return dist.names
    .filter((name) => name.endsWith(".html"))
    .flatMap((name) => {
      const html = dist.text(name) ?? "";
      const forbidden = FORBIDDEN.flatMap((pattern) => html.match(pattern) ?? ([] as string[]));
      const foreign = loadsOf(html).filter((address) => isElsewhere(address));
      const faults = [
        ...forbidden.map((text) => `has ${text}, which the policy of pages forbids`),
        ...foreign.map((address) => `loads from or sends to ${address}, which is not this service`),
        ...(name === STUDIO ? checkStudio(html, dist) : []),
      ];
      return faults.map((text) => `${name}: ${text}`);
    });
}

/** Scripts without a nonce, handlers, frames, and what leads a reader away unasked. */
const FORBIDDEN = [
  /<script(?![^>]{0,2000}\snonce[\s=>])[^>]{0,200}/gi,
  /<(?:applet|base|embed|frame|iframe|object)\b[^>]{0,200}/gi,
  /<[a-z][^<>]{0,2000}\son[a-z]{1,30}\s*=/gi,
  /<meta\s[^>]{0,2000}http-equiv\s*=\s*["']?refresh/gi,
  /\shref\s*=\s*["']?\s*(?:javascript|data|vbscript):/gi,
];

/** What a browser fetches without being asked, or sends a form to. */
function loadsOf(html: string): string[] {
  const links = html.match(/<link\s[^>]{0,2000}>/gi) ?? ([] as string[]);
  return [
    ...attributesOf(html, ["src", "srcset", "action", "formaction", "poster", "data"]),
    ...links
      .filter((tag) => /\brel="?(?:stylesheet|icon|preload|modulepreload)\b/i.test(tag))
      .flatMap((tag) => attributesOf(tag, ["href"])),
  ];
}

/** By scheme, or by a host behind two slashes; a browser takes a backslash for one. */
function isElsewhere(address: string): boolean {
  return /^[\s\0]*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address);
}

/** Digests by which a page compares its kits; a studio of an owner's own may have none. */
function checkStudio(html: string, { digests }: Dist): Faults {
  const known = new Map(RECIPE_IDS.map((id) => [kitPath(id), digests.get(kitPath(id).slice(1))?.sha256]));
  const shown = html.match(/<input\s[^>]{0,2000}>/g) ?? ([] as string[]);
  return shown.flatMap((tag) => {
    const [kit = ""] = attributesOf(tag, ["data-kit"]);
    const [digest = ""] = attributesOf(tag, ["data-sha256"]);
    return known.get(decodeEntities(kit)) === digest || digest === "" ? [] : [`shows another digest for ${kit}`];
  });
}

interface Passage {
  readonly id: string;
  /** Plain text. */
  readonly titles: readonly string[];
  readonly markdown: string;
}

export function checkProse({ documents, dist }: Parts): Faults {
  const answers = documents.get(paths.answersJson) as Answers | undefined;
  const reference = documents.get(paths.apiReferenceJson) as ApiReference | undefined;
  return [
    ...compareForms(dist, [paths.answers], answers === undefined ? [] : passagesOf(answers)),
    ...compareForms(dist, REFERENCE_PAGES, reference === undefined ? [] : sectionsOf(reference)),
  ];
}

const REFERENCE_PAGES = [paths.apiReference, ...REFERENCE_AREAS.map(referencePath)] as const;

function passagesOf({ acceptanceRule, answers }: Answers): Passage[] {
  const rule = { id: "acceptanceRule", titles: [acceptanceRule], markdown: "" };
  const listed = answers.map(({ id, question, answer, evidence }) => {
    return { id, titles: [question, ...evidence.map(({ title }) => title)], markdown: answer };
  });
  return [rule, ...listed];
}

function sectionsOf({ acceptanceRule, sections }: ApiReference): Passage[] {
  const rule = { id: "acceptanceRule", titles: [acceptanceRule], markdown: "" };
  return [rule, ...sections.map(({ id, title, text }) => ({ id, titles: [title], markdown: text }))];
}

/** The first path has the Markdown form; the page may be several. */
function compareForms(dist: Dist, places: readonly [string, ...string[]], passages: readonly Passage[]): Faults {
  const [path] = places;
  const markdown = dist.text(`${path.slice(1)}.md`);
  const pages = places.flatMap((place) => dist.text(`${place.slice(1)}.html`) ?? []);
  const html = pages.length === places.length ? pages.join("\n") : undefined;
  // A page leaves the address of its own service out.
  const bare = (text: string): string => text.replaceAll(`${dist.manifest?.origin ?? ""}/`, "/");
  const said = wordsOf(bare(markdown ?? ""));
  const shown = wordsOfPage(bare(html ?? ""));
  const links = new Set(attributesOf(html ?? "", ["href"]).map(bare));
  return passages.flatMap((passage) => {
    const texts = [...passage.titles, passage.markdown];
    const rendered = renderer.render(bare(passage.markdown));
    const hasWords = [...passage.titles.map(wordsOf), wordsOfPage(rendered)].every((words) => shown.includes(words));
    const hasLinks = attributesOf(rendered, ["href"]).every((address) => links.has(address));
    const faults: Faults = [];
    // A missing file is reported with the manifest.
    if (markdown !== undefined && !texts.every((text) => said.includes(wordsOf(bare(text))))) faults.push(".md");
    if (html !== undefined && !(hasWords && hasLinks)) faults.push(".html");
    return faults.map((form) => `${path.slice(1)}${form}: does not say what the JSON says at ${passage.id}`);
  });
}

/** CommonMark with tables and no HTML, as content is written. */
const renderer = new MarkdownIt({ html: false });

/** Letters and digits alone: what marks up a text is not compared. */
function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function wordsOfPage(html: string): string {
  const text = html
    // Inline marks do not split words; everything else does.
    .replaceAll(/<\/?(?:code|em|strong|a|span|s)\b[^<>]*>/g, "")
    .replaceAll(/<[^<>]*>/g, " ");
  return wordsOf(decodeEntities(text));
}
