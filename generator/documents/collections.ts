/**
 * The file of the collections, in an order for people. A release that is printed again may name
 * twice, or name what it does not have: whatever it says, each is named once, and is there.
 */
import type { Collection, Collections } from "../../runtime/contract/collection.ts";
import { labelOf } from "../../runtime/pages/note-text.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { nameKey } from "../text/name-key.ts";
import { compareCodePoints } from "../text/order.ts";
import type { View } from "../view/view.ts";

/** Undefined if there are none. */
export function printCollections({ registry, index }: View): string | undefined {
  const { collections = [] } = registry;
  if (collections.length === 0) return undefined;
  const keyed = collections.map((collection) => ({ key: keyOf(collection), collection }));
  keyed.sort((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.collection.id, b.collection.id));
  const ids = new Set(collections.map(({ id }) => id));
  const document: Collections = {
    collections: keyed.map(({ collection: { members, parts, ...collection } }) => {
      const published = [...new Set(members)].filter((code) => index.conceptId(code) !== undefined);
      return {
        ...collection,
        members: collection.ordered ? published : published.sort(compareCodePoints),
        parts: [...new Set(parts)].filter((part) => ids.has(part)),
      };
    }),
  };
  return formatDocument(document);
}

function keyOf(collection: Collection): string {
  return nameKey(labelOf(collection, "en").text);
}
