/**
 * Names with a typing error: what a filter offers if nothing has its words. A word may differ by
 * one character that is missing, added, another one, or exchanged with its neighbour. Such a name
 * is a suggestion to read and never a match.
 */
import { searchTerms } from "../text/search-text.ts";
import type { Name, Names } from "./names.ts";

/** A change of a shorter word makes another word of it, such as `car` of `cat`. */
const LENGTH_MIN = 4;

/** Names between two steps: a few milliseconds of work. */
const STEP = 1000;

/**
 * The first `most` names that have each term in a word, or almost; other requests can run at each
 * `yield`.
 */
export function* similarNames(
  { names }: Pick<Names, "names">,
  terms: readonly string[],
  most: number,
): Generator<void, Name[]> {
  const wanted = terms.map((term) => Array.from(term));
  const found: Name[] = [];
  for (const [i, name] of names.entries()) {
    if (i % STEP === STEP - 1) yield;
    const words = searchTerms(name[0]);
    if (terms.every((term, at) => words.some((word) => word.includes(term) || isAlmost(wanted[at] ?? [], word))))
      found.push(name);
    if (found.length === most) break;
  }
  return found;
}

/** Whether one typing error makes the characters of a word. */
function isAlmost(typed: readonly string[], word: string): boolean {
  // A character has at most two code units.
  if (typed.length < LENGTH_MIN || word.length > 2 * typed.length + 2) return false;
  const meant = Array.from(word);
  if (Math.abs(typed.length - meant.length) > 1) return false;
  let start = 0;
  while (start < typed.length && typed[start] === meant[start]) start++;
  const [given, right] = [rest(typed, start + 1), rest(meant, start + 1)];
  const isExchanged = typed[start] === meant[start + 1] && typed[start + 1] === meant[start];
  return (
    given === right ||
    rest(typed, start) === right ||
    given === rest(meant, start) ||
    (isExchanged && rest(typed, start + 2) === rest(meant, start + 2))
  );
}

function rest(of: readonly string[], from: number): string {
  return of.slice(from).join("");
}
