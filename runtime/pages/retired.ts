/** What a page says of a code that is published no longer. */
import { type Html, html } from "../text/html.ts";
import type { Texts } from "./texts.ts";

/** The registry's record of a retired code. */
export interface RetiredCode {
  readonly code: string;
  readonly retiredIn: string;
  readonly replacedBy: string | null;
  /** Whether the successor is a published concept. */
  readonly isFollowed?: boolean;
  readonly name: string | null;
  readonly reason: string | null;
}

export function retiredNotice({ retiredIn, replacedBy, isFollowed, name, reason }: RetiredCode, { say }: Texts): Html {
  const successor = html`<code>${replacedBy ?? ""}</code>`;
  const code = isFollowed === true ? html`<a href="/concepts/${replacedBy ?? ""}">${successor}</a>` : successor;
  return html`<div class="notice">
    <p>
      ${say("missing.retired", { version: retiredIn })}
      ${name === null ? undefined : say("missing.was", { name: html`<bdi>${name}</bdi>` })}
      ${reason === null ? undefined : html`<bdi>${reason}</bdi>`}
    </p>
    <p>${replacedBy === null ? say("missing.no-successor") : say("missing.successor", { code })}</p>
  </div>`;
}
