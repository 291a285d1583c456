/** The content of the page for a path that the service does not have. */
import { html } from "../text/html.ts";
import type { PageContent } from "./page.ts";
import type { Texts } from "./texts.ts";

/** `path` is shown as it was requested, in ASCII. */
export function wrongPathPage(path: string, { say }: Texts): PageContent {
  const main = html`
    <h1>${say("missing.path-heading")}</h1>
    <p class="code">
      <code><bdi>${path}</bdi></code>
    </p>
    <p>${say("missing.path-about")}</p>
    <p>${say("missing.path-onward")}</p>
  `;
  return { title: say("missing.path-title"), main };
}
