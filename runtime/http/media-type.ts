/**
 * Whether the Content-Type of a request body (RFC 9110 §8.3.1) is JSON in UTF-8. Sticky patterns
 * read it part by part, so that the time grows linearly with the field. Ruling O-29.
 */

/** The type and subtype alone, without parameters. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";", 1)[0] ?? mediaType;
}

const TYPE = /[ \t]*application\/json[ \t]*/iy;
// §5.6.6: a parameter may be missing between two semicolons.
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?/y;

/** True for `application/json` in any case, with no charset or with UTF-8. */
export function isJsonContentType(field: string | undefined): boolean {
  if (field === undefined) return false;
  if (field === "application/json") return true;
  TYPE.lastIndex = 0;
  if (!TYPE.test(field)) return false;
  PARAMETER.lastIndex = TYPE.lastIndex;
  while (PARAMETER.lastIndex < field.length) {
    const parameter = PARAMETER.exec(field);
    if (parameter === null) return false;
    const [, name = "", value = ""] = parameter;
    if (name.toLowerCase() === "charset" && !/^"?utf-8"?$/i.test(value)) return false;
  }
  return true;
}

/**
 * Whether a body has a content coding, by its Content-Encoding (RFC 9110 §8.4), whose list may have
 * empty elements. The service never decodes one.
 */
export function hasContentCoding(field: string | undefined): boolean {
  return field !== undefined && !/^(?:[ \t]*(?:identity[ \t]*)?(?:,|$))*$/i.test(field);
}
