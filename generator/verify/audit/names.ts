/**
 * Checks the files of names against the concepts: each lists exactly the names of the concepts, in
 * order, and no file is missing. If there are too many concepts, there need not be any.
 */
import { type ConceptDetail, EXACT_STRENGTH } from "../../../runtime/contract/concept.ts";
import { isNamesFile, namesPath } from "../../../runtime/contract/added-resources.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import type { Name } from "../../../runtime/registry/names.ts";
import { NAMES_MAX_CONCEPTS } from "../../../runtime/contract/limits.ts";
import { letterOf, nameKey } from "../../text/name-key.ts";
import { compareCodePoints } from "../../text/order.ts";
import { detailsOf } from "./concept.ts";
import type { Dist, Faults } from "./parts.ts";

export function checkNames(dist: Dist, index: RegistryIndex): Faults {
  const { conceptCount } = index;
  const there = dist.names.filter((name) => isNamesFile(`/${name}`));
  if (there.length === 0 && conceptCount > NAMES_MAX_CONCEPTS) return [];
  const wanted = new Map(namesOf(detailsOf(index)).map(([language, text]) => [namesPath(language).slice(1), text]));
  const missing = [...wanted.keys()].filter((name) => !there.includes(name)).map((name) => `${name}: missing`);
  const differing = there.filter((name) => dist.text(name) !== wanted.get(name));
  return [...missing, ...differing.map((name) => `${name}: does not list the names of the concepts in order`)];
}

/** The expected texts of the files, by language. */
function namesOf(details: Iterable<ConceptDetail>): [language: string | undefined, text: string][] {
  const concepts = Array.from(details, namedOf);
  if (concepts.length === 0) return [];
  const domains = [...new Set(concepts.map(({ domain }) => domain))].sort(compareCodePoints);
  const languages = new Set(concepts.flatMap((concept) => [...concept.preferred.keys()]));
  return [undefined, ...languages].map((language) => {
    const names = concepts.flatMap((concept, id): Name[] => {
      const name = language === undefined ? concept.name : concept.preferred.get(language);
      return name === undefined ? [] : [[name, concept.code, domains.indexOf(concept.domain), id]];
    });
    const keys = new Map(names.map(([name]) => [name, nameKey(name)]));
    const sortKeyOf = ([name]: Name): string => keys.get(name) ?? "";
    names.sort((a, b) => compareCodePoints(sortKeyOf(a), sortKeyOf(b)) || compareCodePoints(a[0], b[0]) || a[3] - b[3]);
    const letters = new Map<string, number>();
    for (const [i, name] of names.entries()) {
      const letter = letterOf(sortKeyOf(name));
      if (!letters.has(letter)) letters.set(letter, i);
    }
    return [language, `${JSON.stringify({ language: language ?? null, domains, letters: [...letters], names })}\n`];
  });
}

interface Named extends Pick<ConceptDetail, "code" | "name" | "domain"> {
  /** By language; that of a locale is used only if there is no other. */
  readonly preferred: ReadonlyMap<string, string>;
}

function namedOf({ code, name, domain, expressions }: ConceptDetail): Named {
  const preferred = expressions.filter(
    ({ type, equivalenceStrength }) => type === "preferred" && equivalenceStrength === EXACT_STRENGTH,
  );
  const byLanguage = new Map<string, string>();
  for (const { language, expression } of [...preferred.filter(({ locale }) => locale === null), ...preferred])
    if (!byLanguage.has(language)) byLanguage.set(language, expression);
  return { code, name, domain, preferred: byLanguage };
}
