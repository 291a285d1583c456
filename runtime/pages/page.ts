/**
 * Turns a page of dist into the bytes of one response. Its script and link tags have an empty
 * `nonce` attribute, which gets the response's nonce (T-01). The shell has an empty `title` and
 * `main` for content that is rendered at reply time.
 */
import { SHELL_MARKS } from "../contract/interface.ts";
import { paths } from "../contract/paths.ts";
import { markEnglish } from "../text/english.ts";
import { type Html, formatHtml, html, type HtmlValue } from "../text/html.ts";

/** The result of a page function: the title without the site's name, and the content of `main`. */
export interface PageContent {
  readonly title: HtmlValue;
  readonly main: Html;
}

/** A page, split at its nonces. */
export class Page {
  readonly #pieces: readonly string[];

  constructor(text: string) {
    this.#pieces = text.split(NONCE_MARK);
  }

  render(nonce: string): Uint8Array {
    return encoder.encode(this.#pieces.join(` nonce="${nonce}"`));
  }
}

/** Matches these tags only if the attribute is first. Registry text is escaped and has no tags. */
const NONCE_MARK = /(?<=<(?:script|link)) nonce(?= )/;

/** The address of a rendered page: its path in English, and the prefix of its language. */
interface PageAddress {
  readonly here: string;
  readonly prefix: string;
}

/** Placeholder in a shell for the page's path, in the links to the page in other languages. */
export const HERE = "/.here";

/** Splits a shell at its empty `title` and `main`. Throws if it lacks one. */
export function parseShell(text: string): (content: PageContent, place?: PageAddress) => Page {
  const [head, rest] = splitAfter(text, SHELL_MARKS[0]);
  const [middle, tail] = splitAfter(rest, SHELL_MARKS[1]);
  return (content, { here, prefix } = { here: "", prefix: "" }) => {
    const at = (part: string): string => part.replaceAll(HERE, here);
    const title = formatHtml(html`${content.title}`);
    return new Page(markEnglish(`${at(head)}${title}${at(middle)}${formatMain(content, prefix)}${at(tail)}`));
  };
}

/** The content of `main`, with the links of a language. */
export function formatMain({ main }: PageContent, prefix: string): string {
  return withPrefix(withoutSlashes(formatHtml(main)), prefix, isRendered);
}

/** Writes void elements as in HTML. In texts `>` is escaped, so only tags change. */
function withoutSlashes(main: string): string {
  return main.replaceAll(/\s*\/>/g, ">");
}

/**
 * Points the links and forms of a page to the pages below a prefix, if they exist there. A link
 * with `hreflang` before its address stays as it is.
 */
export function withPrefix(page: string, prefix: string, hasPage: (path: string) => boolean): string {
  if (prefix === "") return page;
  return page.replaceAll(/(?<!hreflang="[^"]*") (href|action)="(\/[^"?#]*)/g, (whole, name: string, path: string) =>
    hasPage(path) ? ` ${name}="${prefix}${path === "/" ? "" : path}` : whole,
  );
}

/** Whether a page at this path is rendered at reply time, or linked from such a page. */
export function isRendered(path: string): boolean {
  const { home, conceptPages, resolvePage, changesPage } = paths;
  return [home, conceptPages, resolvePage, changesPage].includes(path as "/") || path.startsWith(`${conceptPages}/`);
}

function splitAfter(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark) + mark.length;
  if (at < mark.length) throw new Error(`The shell has no ${mark}`);
  return [text.slice(0, at), text.slice(at)];
}

const encoder = new TextEncoder();
