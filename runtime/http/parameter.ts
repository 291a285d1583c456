/** One parameter of a query string, `application/x-www-form-urlencoded` read strictly (URL Standard §5.1, ruling O-13). */

export type ParameterFault = { readonly fault: "repeated" | "not_utf8" };

/** The query of a request target, without its question mark. */
export function queryOf(target = ""): string {
  return target.split(/\?(.*)/s)[1] ?? "";
}

/** The parameter's text, undefined where it is missing, or why it cannot be read. */
export function readParameter(query: string, name: string): string | undefined | ParameterFault {
  const values: string[] = [];
  for (const pair of query.split("&")) {
    const [key = "", ...rest] = pair.split("=");
    if (decode(key) === name) values.push(rest.join("="));
  }
  const [raw, ...others] = values;
  if (raw === undefined) return undefined;
  if (others.length > 0) return { fault: "repeated" };
  return decode(raw) ?? { fault: "not_utf8" };
}

/** Undefined where the escapes are no UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
