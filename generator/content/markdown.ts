/**
 * Renders Markdown to HTML: CommonMark with tables, no raw HTML, and an id on every heading. Tables
 * and code scroll separately.
 */
import MarkdownIt from "markdown-it";
import { codeBlock } from "./highlight.ts";

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

const ANCHOR = /\s\{#([\p{L}\p{M}\p{N}-]+)\}$/u;

// A link can lead to a heading by its text: `## Identity recovery` is `#identity-recovery`. A
// translation keeps the anchor with `## Rettung {#identity-recovery}`. This runs before inline
// parsing, so that no text has the braces.
markdown.core.ruler.after("block", "heading_ids", ({ tokens }) => {
  const seen = new Set<string>();
  tokens.forEach((token, i) => {
    const text = tokens[i + 1];
    if (token.type !== "heading_open" || text === undefined) return;
    const slug = ANCHOR.exec(text.content)?.[1] ?? slugOf(text.content);
    text.content = text.content.replace(ANCHOR, "");
    let id = slug;
    for (let n = 2; seen.has(id); n++) id = `${slug}-${n}`;
    seen.add(id);
    token.attrSet("id", id);
  });
});

markdown.renderer.rules["table_open"] = () =>
  '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules["table_close"] = () => "</table></div>\n";

markdown.renderer.rules["fence"] = (tokens, i) =>
  `${codeBlock((tokens[i]?.content ?? "").trimEnd(), tokens[i]?.info.trim() ?? "")}\n`;
markdown.renderer.rules["code_block"] = (tokens, i) => `${codeBlock((tokens[i]?.content ?? "").trimEnd(), "")}\n`;

export function renderMarkdown(text: string): string {
  return markdown.render(text);
}

/** Renders a line of text without a block around it. */
export function renderLine(text: string): string {
  return markdown.renderInline(text);
}

/** The words of a text, including those of code within a sentence. */
export function wordsOf(text: string): string {
  return wordsIn(markdown.parse(text, {}));
}

interface Part {
  readonly id: string;
  readonly title: string;
  /** The title and the text below it, as HTML. */
  readonly heading: string;
  readonly html: string;
  readonly text: string;
}

/** What precedes the second-level headings of a text, as HTML, and the part below each of them. */
export function partsOf(text: string): { readonly preface: string; readonly parts: readonly Part[] } {
  const tokens = markdown.parse(text, {});
  const starts = tokens.flatMap(({ type, tag, level }, i) =>
    type === "heading_open" && tag === "h2" && level === 0 ? [i] : [],
  );
  const render = (some: typeof tokens): string => markdown.renderer.render(some, markdown.options, {});
  const parts = starts.map((start, i) => {
    const [heading, below] = [tokens[start + 1], tokens.slice(start + 3, starts[i + 1])];
    const id = String(tokens[start]?.attrGet("id"));
    const inline = render(heading === undefined ? [] : [heading]);
    return { id, title: heading?.content ?? "", heading: inline, html: render(below), text: wordsIn(below) };
  });
  return { preface: render(tokens.slice(0, starts[0])), parts };
}

function wordsIn(tokens: ReturnType<typeof markdown.parse>): string {
  const inline = tokens.map(({ children }) =>
    (children ?? []).map(({ type, content }) => (type === "text" || type === "code_inline" ? content : " ")).join(""),
  );
  return inline.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** The texts and addresses outside of code. */
export function sentencesOf(text: string): string[] {
  const inline = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline.flatMap(({ type, content, attrs }) => [
    ...(type === "text" ? [content] : []),
    ...(attrs ?? []).map(([, value]) => String(value)),
  ]);
}

/** Lower-case words of any script, with hyphens between them; an id is never empty. */
function slugOf(text: string): string {
  const words = text
    .toLowerCase()
    .normalize("NFC")
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["section"];
  return words.join("-");
}
