/**
 * Marks texts that exist only in English on pages in another language (WCAG 3.1.2). The mark is an
 * element that does not exist in HTML and that escaped text cannot contain. In a finished page each
 * mark becomes a `span` with `lang`; marks are removed where no element is allowed.
 */

/** Marks a fragment of HTML. */
export function asEnglish(fragment: string): string {
  return `<en>${fragment}</en>`;
}

/** Attribute values in double quotes, and elements that contain only text. */
const PLAIN = /="[^"]*"|<(title|option|textarea|script|style)\b[^]*?<\/\1>/g;

/** Turns the marks of a page into elements that browsers and screen readers know. */
export function markEnglish(page: string): string {
  if (!page.includes("<en>")) return page;
  return page
    .replaceAll(PLAIN, (plain) => plain.replaceAll(/<\/?en>/g, ""))
    .replaceAll("<en>", '<span lang="en" dir="ltr">')
    .replaceAll("</en>", "</span>");
}
