/**
 * Whether the Content-Type of a request body (RFC 9110 §8.3.1) is JSON, or a form, in UTF-8. Sticky
 * patterns read it part by part, so that the time is linear in the length of the field. Ruling
 * O-29.
 */

/** The type and subtype, without parameters. */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";", 1)[0] ?? mediaType;
}

const TYPE = /[ \t]*([\w/-]+)[ \t]*/y;
// §5.6.6: a parameter may be missing between two semicolons.
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")[ \t]*)?/y;

/** True for `application/json` in any case, with no charset or with UTF-8. */
export function isJsonContentType(field: string | undefined): boolean {
  return isInUtf8(field, "application/json");
}

/** True for `application/x-www-form-urlencoded` in any case, with no charset or with UTF-8. */
export function isFormContentType(field: string | undefined): boolean {
  return isInUtf8(field, "application/x-www-form-urlencoded");
}

function isInUtf8(field: string | undefined, type: string): boolean {
  if (field === undefined) return false;
  if (field === type) return true;
  TYPE.lastIndex = 0;
  if (TYPE.exec(field)?.[1]?.toLowerCase() !== type) return false;
  PARAMETER.lastIndex = TYPE.lastIndex;
  while (PARAMETER.lastIndex < field.length) {
    const parameter = PARAMETER.exec(field);
    if (parameter === null) return false;
    const [, name = "", value = ""] = parameter;
    // §5.6.4: a backslash in quotes means the character after it.
    const charset = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : value;
    if (name.toLowerCase() === "charset" && charset.toLowerCase() !== "utf-8") return false;
  }
  return true;
}

/**
 * Whether Content-Encoding (RFC 9110 §8.4), whose list may have empty elements, names a content
 * coding other than `identity`. The service never decodes one.
 */
export function hasContentCoding(field: string | undefined): boolean {
  return field !== undefined && !/^(?:[ \t]*(?:identity[ \t]*)?(?:,|$))*$/i.test(field);
}
