/**
 * The page for a code that no published concept has: how codes are compared, and what is recorded
 * of a retired one. It suggests nothing else, and nothing follows a successor by itself.
 */
import { type Html, html } from "../text/html.ts";

/** What the registry records of a code that it retired. */
export interface RetiredCode {
  readonly code: string;
  readonly retiredIn: string;
  readonly replacedBy: string | null;
  readonly name: string | null;
  readonly reason: string | null;
}

export function notFoundPage(code: string, retired: RetiredCode | undefined): { title: string; main: Html } {
  const main = html`
    <h1>No published concept has this code</h1>
    <p class="code">
      <code><bdi>${code}</bdi></code>
    </p>
    ${retired && retiredNotice(retired)}
    <p>
      Codes are compared character for character and never repaired:
      <strong>no published concept has exactly this code</strong>. It may be mistyped, or belong to another registry, or
      its concept may be retired; a retired code is never used again.
    </p>
    <p><a href="/concepts">Browse all concepts</a> or <a href="/">resolve an expression</a>.</p>
  `;
  return { title: "No such concept", main };
}

function retiredNotice({ retiredIn, replacedBy, name, reason }: RetiredCode): Html {
  return html`<div class="notice">
    <p>
      <strong>Retired in ${retiredIn}.</strong> ${name === null ? undefined : html`It was the code of “${name}”.`}
      ${reason ?? undefined}
    </p>
    <p>
      ${replacedBy === null ? "The registry names no successor." : html`The registry names <code>${replacedBy}</code> as its successor.`}
    </p>
  </div>`;
}
