/** Reads one `application/x-www-form-urlencoded` parameter strictly (URL Standard §5.1, O-13). */
import { QUERY_MAX_LENGTH } from "../contract/limits.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { countCodePoints } from "../text/expression.ts";
import { searchTerms } from "../text/search-text.ts";

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

/** A parameter's text; empty if it is missing or cannot be read. */
export function textOf(query: string, name: string): string {
  const text = readParameter(query, name);
  return typeof text === "string" ? text : "";
}

/**
 * Reads `q` from a raw query string: the terms to filter by, none if it is missing, or a problem.
 */
export function readQuery(query: string): readonly string[] | Problem {
  const text = readParameter(query, "q") ?? "";
  if (typeof text !== "string") {
    const reasons = { repeated: "may be given only once", not_utf8: "is not valid percent-encoded UTF-8" };
    return problem("invalid_query", `The query parameter q ${reasons[text.refusal]}`);
  }
  if (countCodePoints(text) > QUERY_MAX_LENGTH) {
    return problem("invalid_query", `The query parameter q may have at most ${QUERY_MAX_LENGTH} characters`);
  }
  return searchTerms(text);
}

/** Undefined if the escapes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
