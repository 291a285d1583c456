/** Reads the hierarchy of a release, which pages show. */
import { HIERARCHY_PATH } from "../contract/added-resources.ts";
import type { Hierarchy } from "../registry/hierarchy.ts";
import { documentText, type Served } from "../release/served.ts";

/** Undefined if the release has none. */
export function readHierarchy(documents: Served["documents"]): Hierarchy | undefined {
  if (!documents.has(HIERARCHY_PATH)) return undefined;
  return JSON.parse(documentText({ documents }, HIERARCHY_PATH)) as Hierarchy;
}
