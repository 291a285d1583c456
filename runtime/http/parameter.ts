/** One query parameter, `application/x-www-form-urlencoded`, strictly (URL Standard §5.1, O-13). */

export type ParameterRefusal = { readonly refusal: "repeated" | "not_utf8" };

/** The query of a request target, without its question mark. */
export function queryOf(target = ""): string {
  return target.split(/\?(.*)/s)[1] ?? "";
}

/** The parameter's text, undefined if it is missing, or why it cannot be read. */
export function readParameter(query: string, name: string): string | undefined | ParameterRefusal {
  const values: string[] = [];
  for (const pair of query.split("&")) {
    const [key = "", ...rest] = pair.split("=");
    if (decode(key) === name) values.push(rest.join("="));
  }
  const [raw, ...others] = values;
  if (raw === undefined) return undefined;
  if (others.length > 0) return { refusal: "repeated" };
  return decode(raw) ?? { refusal: "not_utf8" };
}

/** Undefined if the escapes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
