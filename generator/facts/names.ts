/** The names of concepts, and their preferred expressions in each language. */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { NAMES_MAX_CONCEPTS } from "../../runtime/contract/limits.ts";
import type { Name } from "../../runtime/registry/names.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import type { Concept } from "../registry/concept.ts";
import type { Concepts } from "../registry/concepts.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Passing } from "./passing.ts";

/** In code order; under undefined are the registry's own names. */
export type NamesByLanguage = ReadonlyMap<string | undefined, readonly Name[]>;

/** None for a registry with too many concepts. */
export class NameLists {
  readonly #lists = new Map<string | undefined, Name[]>();
  readonly #areListed: boolean;
  /** The places of the domains in the files of names. */
  readonly #domains: ReadonlyMap<string, number>;

  constructor({ length, domains }: Pick<Concepts, "length" | "domains">) {
    this.#areListed = length <= NAMES_MAX_CONCEPTS;
    this.#domains = new Map(domains.values.toSorted(compareCodePoints).map((domain, i) => [domain, i]));
  }

  take({ concept, id }: Passing): void {
    if (!this.#areListed) return;
    const { code, name, domain, expressions } = concept;
    const place = this.#domains.get(domain) ?? 0;
    this.#add(undefined, [name, code, place, id]);
    for (const [language, text] of preferredNames(expressions)) this.#add(language, [text, code, place, id]);
  }

  #add(language: string | undefined, name: Name): void {
    const list = this.#lists.get(language);
    if (list === undefined) this.#lists.set(language, [name]);
    else list.push(name);
  }

  found(): NamesByLanguage {
    return this.#lists;
  }
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
