/** Reads the documents of a release by which pages lead through a vocabulary. */
import { COLLECTIONS_PATH, HIERARCHY_PATH } from "../contract/added-resources.ts";
import type { Collection, Collections } from "../contract/collection.ts";
import type { Hierarchy } from "../registry/hierarchy.ts";
import { documentText, type Served } from "../release/served.ts";
import { groupBy } from "../text/group-by.ts";

/** Undefined if the release has none. */
export function readHierarchy(documents: Served["documents"]): Hierarchy | undefined {
  return read(documents, HIERARCHY_PATH) as Hierarchy | undefined;
}

/** By name. */
export function readCollections(documents: Served["documents"]): readonly Collection[] {
  return (read(documents, COLLECTIONS_PATH) as Collections | undefined)?.collections ?? [];
}

interface Membership {
  readonly code: string;
  readonly collection: Collection;
}

/** By code. */
export function memberships(documents: Served["documents"]): ReadonlyMap<string, readonly Membership[]> {
  const all = readCollections(documents).flatMap((collection) =>
    collection.members.map((code) => ({ code, collection })),
  );
  return groupBy(all, ({ code }) => code);
}

function read(documents: Served["documents"], path: string): unknown {
  return documents.has(path) ? JSON.parse(documentText({ documents }, path)) : undefined;
}
