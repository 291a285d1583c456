/**
 * The files of names: one with every concept under the registry's own name, and one for each
 * language with the concepts that have a preferred expression in it. They are sorted here, so that
 * a page of the list is a slice of one file.
 */
import { namesPath } from "../../runtime/contract/added-resources.ts";
import type { Name, Names } from "../../runtime/registry/names.ts";
import { letterOf, nameKey } from "../text/name-key.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** By path. Empty for a registry with too many concepts, or without any. */
export function printNames({ facts, summary: { domains } }: View): ReadonlyMap<string, string> {
  return new Map(
    Array.from(facts.names, ([language, list]) => [
      namesPath(language),
      `${JSON.stringify(sorted(list, { language: language ?? null, domains }))}\n`,
    ]),
  );
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
