/** Answers and API reference are one text in three forms: what the JSON says, the Markdown and the page say word by word. */
import type { Answers, ApiReference } from "../../runtime/contract/reference.ts";
import { paths } from "../../runtime/policy.ts";
import type { Dist, Faults } from "./dist.ts";
import type { Documents } from "./documents.ts";
import { decodeEntities } from "./html.ts";

interface Passage {
  readonly id: string;
  readonly texts: readonly string[];
}

export function checkProse({ values }: Documents, dist: Dist): Faults {
  const answers = values.get(paths.answersJson) as Answers | undefined;
  const reference = values.get(paths.apiReferenceJson) as ApiReference | undefined;
  const passages = answers?.answers.map(({ id, question, answer }) => ({ id, texts: [question, answer] }));
  const sections = reference?.sections.map(({ id, title, text }) => ({ id, texts: [title, text] }));
  return [
    ...compareForms(dist, paths.answers, passages ?? []),
    ...compareForms(dist, paths.apiReference, sections ?? []),
  ];
}

function compareForms(dist: Dist, path: string, passages: readonly Passage[]): Faults {
  const faults: Faults = [];
  for (const [form, words] of [
    [".md", wordsOfMarkdown],
    [".html", wordsOfPage],
  ] as const) {
    const file = path.slice(1) + form;
    const text = dist.text(file);
    // What is missing is told with the manifest.
    if (text === undefined) continue;
    const said = words(text);
    for (const { id, texts } of passages) {
      if (!texts.every((wanted) => said.includes(wordsOfMarkdown(wanted)))) {
        faults.push(`${file}: does not say what the JSON says at ${id}`);
      }
    }
  }
  return faults;
}

/** Letters and digits alone: what marks up a text is not compared. */
function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function wordsOfMarkdown(markdown: string): string {
  const plain = markdown
    // Addresses of links, the languages of code, the numbers of lists: a page has them elsewhere.
    .replaceAll(/\]\([^)\s]*\)/g, "]")
    .replaceAll(/^ *```\w* *$/gm, "")
    .replaceAll(/^ *\d+\. /gm, "");
  return wordsOf(plain);
}

function wordsOfPage(html: string): string {
  const text = html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, " ")
    // Inline marks do not part words; everything else does.
    .replaceAll(/<\/?(?:code|em|strong|a|span)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ");
  return wordsOf(decodeEntities(text));
}
