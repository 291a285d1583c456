/**
 * Preconditions on GET and HEAD (RFC 9110 §13.1, §13.2.2): If-Match by strong comparison, then
 * If-None-Match by weak comparison, so `W/` is ignored there; `*` matches any current
 * representation. An If-None-Match that is not a list of entity tags is ignored, which at worst
 * sends a full answer; such an If-Match matches nothing. No resource has a modification date, so
 * the preconditions on dates are ignored (§13.1.3, §13.1.4).
 */

/** Whether If-Match fails: it does not list the current representation (§13.1.1). */
export function isPreconditionFailed(field: string | undefined, entityTag: string | undefined): boolean {
  if (field === undefined) return false;
  const tags = parseEntityTags(field);
  return tags !== "*" && !tags.some(({ weak, opaque }) => !weak && opaque === entityTag);
}

/** Whether the field says that the client already has the representation with this opaque tag. */
export function isNotModified(field: string | undefined, entityTag: string): boolean {
  if (field === undefined) return false;
  const tags = parseEntityTags(field);
  return tags === "*" || tags.some(({ opaque }) => opaque === entityTag);
}

interface EntityTag {
  readonly weak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

/** The entity tags of a list; none when the field is malformed. */
function parseEntityTags(field: string): readonly EntityTag[] | "*" {
  if (/^[ \t]*\*[ \t]*$/.test(field)) return "*";
  const tags: EntityTag[] = [];
  // §5.6.1: empty list elements are legal; §8.8.3: a comma may occur inside the quotes.
  const element = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < field.length) {
    const match = element.exec(field);
    if (match === null) return [];
    const [, weak, opaque] = match;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
  }
  return tags;
}
