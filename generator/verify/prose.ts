/**
 * Answers and reference are one text in three forms: what the JSON says, the Markdown says to the letter, and the page word by
 * word with the same links, as the Markdown of each text reads when it is rendered here again.
 */
import MarkdownIt from "markdown-it";
import type { Answers, ApiReference } from "../../runtime/contract/reference.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { Dist, Faults } from "./dist.ts";
import type { Documents } from "./documents.ts";
import { attributesOf, decodeEntities } from "./html.ts";

interface Passage {
  readonly id: string;
  /** Plain text. */
  readonly titles: readonly string[];
  readonly markdown: string;
}

export function checkProse({ values }: Documents, dist: Dist): Faults {
  const answers = values.get(paths.answersJson) as Answers | undefined;
  const reference = values.get(paths.apiReferenceJson) as ApiReference | undefined;
  return [
    ...compareForms(dist, paths.answers, answers === undefined ? [] : passagesOf(answers)),
    ...compareForms(dist, paths.apiReference, reference === undefined ? [] : sectionsOf(reference)),
  ];
}

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

function compareForms(dist: Dist, path: string, passages: readonly Passage[]): Faults {
  const [markdown, html] = [".md", ".html"].map((form) => dist.text(path.slice(1) + form));
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
    // What is missing is told with the manifest.
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
    // Inline marks do not part words; everything else does.
    .replaceAll(/<\/?(?:code|em|strong|a|span|s)\b[^<>]*>/g, "")
    .replaceAll(/<[^<>]*>/g, " ");
  return wordsOf(decodeEntities(text));
}
