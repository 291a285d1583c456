/**
 * The files of names: one with every concept under the registry's own name, and one for each
 * language with the concepts that have a preferred expression in it. They are sorted here, so that
 * a page of the list is a slice of one file.
 */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { namesPath } from "../../runtime/contract/added-resources.ts";
import { NAMES_MAX_CONCEPTS } from "../../runtime/contract/limits.ts";
import type { Name, Names } from "../../runtime/registry/names.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import type { Concept } from "../registry/concept.ts";
import { letterOf, nameKey } from "../text/name-key.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** By path. Empty for a registry with too many concepts, or without any. */
export function printNames({ registry: { concepts }, summary: { domains } }: View): ReadonlyMap<string, string> {
  const lists = new Map<string | undefined, Name[]>();
  if (concepts.length > NAMES_MAX_CONCEPTS) return new Map();
  let id = 0;
  for (const { code, name, domain, expressions } of concepts) {
    const named = (language: string | undefined, text: string): void => {
      const list = lists.get(language) ?? [];
      list.push([text, code, domains.indexOf(domain), id]);
      lists.set(language, list);
    };
    named(undefined, name);
    for (const [language, text] of preferredNames(expressions)) named(language, text);
    id++;
  }
  return new Map(
    [...lists].map(([language, list]) => [
      namesPath(language),
      `${JSON.stringify(sorted(list, { language: language ?? null, domains }))}\n`,
    ]),
  );
}

/** The first preferred expression of each language; one of a locale only if there is no other. */
function preferredNames(expressions: Concept["expressions"]): [string, string][] {
  const preferred = expressions.filter(
    ({ type, equivalenceStrength }) => type === "preferred" && equivalenceStrength === EXACT_STRENGTH,
  );
  return [...groupBy(preferred, ({ language }) => language)].flatMap(([language, all]) => {
    const chosen = all.find(({ locale }) => locale === null) ?? all[0];
    return chosen === undefined ? [] : [[language, chosen.expression] as [string, string]];
  });
}

function sorted(list: readonly Name[], head: Pick<Names, "language" | "domains">): Names {
  const keyed = list
    .map((name) => ({ key: nameKey(name[0]), name }))
    .sort((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name[0], b.name[0]));
  const letters = keyed.map(({ key }, i): [string, number] => [letterOf(key), i]);
  return {
    ...head,
    letters: letters.filter(([letter], i) => letter !== letters[i - 1]?.[0]),
    names: keyed.map(({ name }) => name),
  };
}
