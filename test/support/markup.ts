/** Reads this service's markup: HTML tags, ids and text, Markdown links, well-formed XML. */

export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const START_TAG = /<([a-zA-Z][\w-]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/g;
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Resolves the character references that our printers write. */
function resolveReferences(text: string): string {
  return text.replaceAll(/&(#\d+|#x[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return CHARACTERS[name] ?? whole;
    return String.fromCodePoint(Number(name.replace("#", "").replace(/^x/i, "0x")));
  });
}

/** Every start tag of a page, in order. */
export function tagsOf(page: string): Tag[] {
  return [...page.matchAll(START_TAG)].map(([, name = "", attributes = ""]) => ({
    name: name.toLowerCase(),
    attributes: new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", double, single, bare]) => [
        key.toLowerCase(),
        resolveReferences(double ?? single ?? bare ?? ""),
      ]),
    ),
  }));
}

export function idsOf(page: string): string[] {
  return tagsOf(page).flatMap(({ attributes }) => attributes.get("id") ?? []);
}

/** What a reader sees of some markup: its text, with a space where a tag was. */
export function textOf(markup: string): string {
  return resolveReferences(markup.replaceAll(/<[^>]*>/g, " "));
}

/** The letters and digits of a text, as words: these are the same in every form of the text. */
export function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim();
}

/** The words of Markdown as a reader sees them: no list numbers, code languages or link targets. */
export function wordsOfMarkdown(text: string): string {
  let code = false;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("```")) {
      code = !code;
      return "";
    }
    return code ? line : line.replace(/^\s*\d+\.\s/, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  });
  return wordsOf(lines.join("\n"));
}

/** Targets of inline links, code left out. */
export function markdownLinks(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}
