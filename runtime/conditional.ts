/**
 * If-None-Match (RFC 9110 §13.1.2): weak comparison, so `W/` is ignored; `*` matches any current representation.
 * A field that is not a list of entity tags is ignored, which costs a full answer and never a wrong one.
 */

/** Whether the precondition says that the client already has the representation with this opaque tag. */
export function isNotModified(field: string | undefined, entityTag: string): boolean {
  if (field === undefined) return false;
  const tags = parseEntityTags(field);
  return tags === "*" || tags.includes(entityTag);
}

/** Opaque tags with their quotes, `W/` dropped; none when the field is malformed. */
function parseEntityTags(field: string): readonly string[] | "*" {
  if (/^[ \t]*\*[ \t]*$/.test(field)) return "*";
  const tags: string[] = [];
  // §5.6.1: empty list elements are legal; §8.8.3: a comma may stand inside the quotes.
  const element = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < field.length) {
    const match = element.exec(field);
    if (match === null) return [];
    if (match[1] !== undefined) tags.push(match[1]);
  }
  return tags;
}
