/**
 * A page as it lies in dist, made into the bytes of one response. The tags that may run or style are marked there with an
 * empty `nonce` attribute, which gets the response's nonce (T-01). The shell has an empty title and an empty main, for
 * what is rendered at reply time.
 */
import { type Html, formatHtml, html } from "../text/html.ts";

/** What a page function gives: the title before the site's name, and what stands inside `main`. */
export interface PageContent {
  readonly title: string;
  readonly main: Html;
}

/** A page whose places for the nonce are known. */
export class Page {
  readonly #pieces: readonly string[];

  constructor(text: string) {
    this.#pieces = text.split(NONCE_MARK);
  }

  render(nonce: string): Uint8Array {
    return Buffer.from(this.#pieces.join(` nonce="${nonce}"`));
  }
}

/** Only these tags, with the bare attribute first: registry text is escaped and can make none of them. */
const NONCE_MARK = /(?<=<(?:script|link)) nonce(?= )/;

/** A shell that is split at its two empty places. Throws where it has none. */
export function parseShell(text: string): (content: PageContent) => Page {
  const [head, rest] = splitAfter(text, "<title>");
  const [middle, tail] = splitAfter(rest, '<main id="main">');
  return ({ title, main }) => new Page(`${head}${formatHtml(html`${title}`)}${middle}${formatHtml(main)}${tail}`);
}

function splitAfter(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark) + mark.length;
  if (at < mark.length) throw new Error(`The shell has no ${mark}`);
  return [text.slice(0, at), text.slice(at)];
}
