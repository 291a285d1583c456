/** What the index must say, by the plainest means: a map of every published key to its postings. */
import { type CheckedRegistry, tagOf } from "../../generator/registry/checked.ts";

export function postingsOf(registry: CheckedRegistry): Map<string, Set<string>> {
  const map = new Map<string, Set<string>>();
  registry.concepts.forEach(({ expressions }, conceptId) => {
    for (const expression of expressions) {
      const key = expression.expression.normalize("NFC");
      const posting = `${tagOf(expression).toLowerCase()} ${conceptId} ${expression.equivalenceStrength}`;
      map.set(key, (map.get(key) ?? new Set()).add(posting));
    }
  });
  return map;
}
