/**
 * The page for a code that no published concept has: how codes are compared, and what is recorded
 * of a retired one. It suggests nothing else, and nothing follows a successor by itself.
 */
import { type Html, html } from "../text/html.ts";
import type { PageContent } from "./page.ts";
import type { Texts } from "./texts.ts";

/** What the registry records of a code that it retired. */
export interface RetiredCode {
  readonly code: string;
  readonly retiredIn: string;
  readonly replacedBy: string | null;
  /** Whether the successor is a published concept. */
  readonly isFollowed?: boolean;
  readonly name: string | null;
  readonly reason: string | null;
}

export function notFoundPage(code: string, retired: RetiredCode | undefined, texts: Texts): PageContent {
  const { say } = texts;
  const main = html`
    <h1>${say("missing.heading")}</h1>
    <p class="code">
      <code><bdi>${code}</bdi></code>
    </p>
    ${retired && retiredNotice(retired, texts)}
    <p>${say("missing.about")}</p>
    <p>${say("missing.onward")}</p>
  `;
  return { title: say("missing.title"), main };
}

function retiredNotice({ retiredIn, replacedBy, isFollowed, name, reason }: RetiredCode, { say }: Texts): Html {
  const successor = html`<code>${replacedBy ?? ""}</code>`;
  const code = isFollowed === true ? html`<a href="/concepts/${replacedBy ?? ""}">${successor}</a>` : successor;
  return html`<div class="notice">
    <p>
      ${say("missing.retired", { version: retiredIn })} ${name === null ? undefined : say("missing.was", { name })}
      ${reason ?? undefined}
    </p>
    <p>${replacedBy === null ? say("missing.no-successor") : say("missing.successor", { code })}</p>
  </div>`;
}
