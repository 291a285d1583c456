/** Content-Type of a request body (RFC 9110 §8.3.1): is it JSON that we may read as UTF-8? Ruling O-29. */

const MEDIA_TYPE =
  /^[ \t]*application\/json[ \t]*(?<parameters>(?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?[ \t]*)*)$/i;
const CHARSET = /;[ \t]*charset=(?:"(?<quoted>[^"]*)"|(?<token>[^;\s]*))/gi;

/** True for `application/json` in any case, with no charset or with UTF-8. */
export function isJsonContentType(field: string | undefined): boolean {
  if (field === "application/json") return true;
  const parameters = MEDIA_TYPE.exec(field ?? "")?.groups?.["parameters"];
  if (parameters === undefined) return false;
  return [...parameters.matchAll(CHARSET)].every(
    ({ groups }) => (groups?.["quoted"] ?? groups?.["token"])?.toLowerCase() === "utf-8",
  );
}
