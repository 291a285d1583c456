/** Checks each part of a release on its own, and returns the parts for the checks of agreement. */
import { MANIFEST_FILE } from "../../../runtime/release/manifest.ts";
import type { Effects } from "../../effects/effects.ts";
import { checkForeign, knownOrigins } from "./addresses.ts";
import { checkConceptHistory } from "./concept-history.ts";
import { checkContext } from "./context.ts";
import { readDocuments } from "./documents.ts";
import { readKits } from "./kits.ts";
import { checkLinkedData } from "./linked-data.ts";
import { checkLinks } from "./links.ts";
import type { Dist, Faults, Parts } from "./parts.ts";
import { checkRegistry } from "./registry.ts";
import { checkMappings } from "./mappings.ts";
import { checkNames } from "./names.ts";
import { checkSums } from "./sums.ts";

/** Returns no parts if the manifest does not say which origin the release is for. */
export function checkIntegrity(dist: Dist, effects: Effects): { readonly faults: Faults; readonly parts?: Parts } {
  const files = [...dist.faults, ...checkSums(dist)];
  const { manifest, index } = dist;
  if (manifest === undefined)
    return { faults: [...files, `${MANIFEST_FILE}: without it the documents cannot be judged`] };
  const { documents, ...read } = readDocuments(dist, manifest.origin);
  const { kits, ...opened } = readKits(dist, manifest.origin, effects);
  const { facts, ...audited } = index === undefined ? { faults: [] } : checkRegistry(index, manifest, effects);
  const known = knownOrigins(manifest, documents, facts?.origins ?? new Set());
  const faults = [...files, ...read.faults, ...opened.faults, ...audited.faults];
  if (facts === undefined)
    return { faults, parts: { dist: { ...dist, index: undefined }, documents, kits, known, facts } };
  const { codes } = facts;
  // A file that follows from all concepts cannot be judged if one of them could not be read.
  const isRead = index !== undefined && codes.length === index.conceptCount && !codes.includes("");
  const all = [
    ...faults,
    ...checkLinks(dist, manifest.origin, facts),
    ...checkForeign(dist, known),
    ...checkConceptHistory(dist, documents),
    ...(isRead && codes.length > 0 ? checkContext(dist, manifest.registry.registryVersion, facts.common) : []),
    ...(isRead ? checkMappings(dist, facts.claims) : []),
    ...(isRead ? checkNames(dist, index) : []),
    ...(isRead ? checkLinkedData({ dist, index, manifest, documents, codes }) : []),
  ];
  return { faults: all, parts: { dist, documents, kits, known, facts } };
}
