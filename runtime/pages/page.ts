/**
 * Turns a page of dist into the bytes of one response. Its script and link tags have an empty
 * `nonce` attribute, which gets the response's nonce (T-01). The shell has an empty title and an
 * empty main, for content that is rendered at reply time.
 */
import { type Html, formatHtml, html } from "../text/html.ts";

/** The result of a page function: the title before the site's name, and the content of `main`. */
export interface PageContent {
  readonly title: string;
  readonly main: Html;
}

/** A page, split where its nonces go. */
export class Page {
  readonly #pieces: readonly string[];

  constructor(text: string) {
    this.#pieces = text.split(NONCE_MARK);
  }

  render(nonce: string): Uint8Array {
    return encoder.encode(this.#pieces.join(` nonce="${nonce}"`));
  }
}

/** Matches only these tags with the attribute first: registry text is escaped and has none. */
const NONCE_MARK = /(?<=<(?:script|link)) nonce(?= )/;

/** Splits a shell at its empty title and main. Throws if it lacks one. */
export function parseShell(text: string): (content: PageContent) => Page {
  const [head, rest] = splitAfter(text, "<title>");
  const [middle, tail] = splitAfter(rest, '<main id="main">');
  return ({ title, main }) =>
    new Page(`${head}${formatHtml(html`${title}`)}${middle}${withoutSlashes(formatHtml(main))}${tail}`);
}

/** Void elements as HTML writes them; in texts `>` is escaped, so this touches tags only. */
function withoutSlashes(main: string): string {
  return main.replaceAll(/\s*\/>/g, ">");
}

function splitAfter(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark) + mark.length;
  if (at < mark.length) throw new Error(`The shell has no ${mark}`);
  return [text.slice(0, at), text.slice(at)];
}

const encoder = new TextEncoder();
