/**
 * Checks that answers and reference are one text in three forms: JSON, the same Markdown, and a
 * page with the same words and links, which is rendered again here.
 */
import { isDeepStrictEqual } from "node:util";
import MarkdownIt from "markdown-it";
import { paths } from "../../../runtime/contract/paths.ts";
import { REFERENCE_AREAS, referencePath } from "../../../runtime/contract/policy.ts";
import type { Answers, ApiReference } from "../../contract/reference.ts";
import { attributesOf, tagsOf, wordsOf, wordsOfPage } from "./html.ts";
import type { Dist, Faults, Parts } from "./parts.ts";

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
  const articles = articlesOf(html ?? "");
  return answers.flatMap(({ id, question, answer }) => {
    const section = sections.get(wordsOf(question));
    const article = articles.get(id);
    const [front = "", ...rest] = wordsOfPage(bare(article ?? "")).split(wordsOfPage(rendered(answer, dist)));
    const asks = (one: string): boolean => {
      const words = wordsOf(bare(one));
      return words !== "" && ` ${front.trim()} `.includes(` ${words} `);
    };
    // An owner's template may have the question in front of the article.
    const isAnother = !asks(question) && answers.some((other) => asks(other.question));
    const faults: Faults = [];
    if (section !== undefined && !wordsOf(bare(section)).includes(wordsOf(bare(answer)))) faults.push(".md");
    // An article that is missing is reported with the ids.
    if (article !== undefined && (isAnother || rest.length === 0)) faults.push(".html");
    return faults.map((end) => `${paths.answers.slice(1)}${end}: has another answer to ${id}`);
  });
}

/** An article, with the summary that shows or hides it. */
const ARTICLE = /(?:<summary\b(?:(?!<\/?summary\b)[^])*<\/summary>\s*)?<article\b/gi;

/** The articles of a page, each up to the next, by their ids. */
function articlesOf(html: string): ReadonlyMap<string | undefined, string> {
  const starts = Array.from(html.matchAll(ARTICLE), ({ index }) => index);
  const parts = starts.map((start, i) => html.slice(start, starts[i + 1]));
  return new Map(parts.map((part) => [attributesOf(part.slice(part.search(/<article\b/i)), ["id"])[0], part]));
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
    const hasWords = [...titles.map((title) => wordsOf(bare(title))), wordsOfPage(due)].every((words) =>
      shown.includes(words),
    );
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
