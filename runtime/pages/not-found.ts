/** The page for a code that no published concept has: how codes are compared, no suggestions. */
import { type Html, html } from "../text/html.ts";

export function notFoundPage(code: string): { title: string; main: Html } {
  const main = html`
    <h1>No published concept has this code</h1>
    <p class="code">
      <code><bdi>${code}</bdi></code>
    </p>
    <p>
      Codes are compared character for character and never repaired:
      <strong>no published concept has exactly this code</strong>. It may be mistyped, or belong to another registry, or
      its concept may be retired; a retired code is never used again.
    </p>
    <p><a href="/concepts">Browse all concepts</a> or <a href="/">resolve an expression</a>.</p>
  `;
  return { title: "No such concept", main };
}
