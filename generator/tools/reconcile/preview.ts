/**
 * The preview of a concept, for the frame of a client: it has no script, no style and nothing from
 * another origin.
 */
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import { COMMON_FIELDS } from "../../../runtime/http/representation.ts";
import type { Answer } from "../../../runtime/routes/route.ts";
import { textDirection } from "../../../runtime/text/direction.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { formatHtml, html } from "../../../runtime/text/html.ts";
import { tagOf } from "../../registry/concept.ts";

/** In pixels. */
export const PREVIEW_SIZE = { width: 420, height: 320 } as const;

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/** `view` is the address of its page. */
export function answerPreview(concept: ConceptDetail, view: string): Answer {
  const fields = [...COMMON_FIELDS, "Cache-Control", "no-store", "Content-Security-Policy", POLICY];
  return { status: 200, fields: [...fields, "Content-Type", "text/html; charset=utf-8"], body: pageOf(concept, view) };
}

function pageOf(concept: ConceptDetail, view: string): string {
  const { code, name, definition, domain, registryVersion, expressions } = concept;
  const languages = groupBy(expressions, tagOf);
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${name}</title>
    </head>
    <body>
      <h1><a href="${view}" target="_blank" rel="noopener">${name}</a></h1>
      <p><code>${code}</code>, ${domain}, registry ${registryVersion}</p>
      <p>${definition}</p>
      <dl>
        ${[...languages].map(
          ([tag, entries]) =>
            html`<dt>${tag}</dt>
              ${entries.map(({ expression }) => html`<dd lang="${tag}" dir="${textDirection(tag)}">${expression}</dd>`)}`,
        )}
      </dl>
    </body>
  </html>`;
  return `<!doctype html>\n${formatHtml(page)}\n`;
}
