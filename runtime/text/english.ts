/**
 * Texts that there are in English only, on pages in another language. A fragment is marked by an
 * element that HTML does not have and no escaped text can spell; a finished page gets the language
 * where there is text, and nothing where there can be no element (WCAG 3.1.2).
 */

/** Marks a fragment of markup. */
export function asEnglish(fragment: string): string {
  return `<en>${fragment}</en>`;
}

/** Attribute values in double quotes, and elements that have only text. */
const PLAIN = /="[^"]*"|<(title|option|textarea|script|style)\b[^]*?<\/\1>/g;

/** Turns the marks of a page into what browsers and screen readers know. */
export function markEnglish(page: string): string {
  if (!page.includes("<en>")) return page;
  return page
    .replaceAll(PLAIN, (plain) => plain.replaceAll(/<\/?en>/g, ""))
    .replaceAll("<en>", '<span lang="en" dir="ltr">')
    .replaceAll("</en>", "</span>");
}
