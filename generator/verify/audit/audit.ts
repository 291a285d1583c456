/**
 * Judges a release alone, with nothing of the builder: sums, index and keys, schemas, links,
 * archives, markup, and what only an owner or the registry decides.
 */
import { MANIFEST_FILE } from "../../../runtime/contract/files.ts";
import type { Effects } from "../../effects/effects.ts";
import { checkForeign, knownOrigins } from "./addresses.ts";
import { checkChanges } from "./changes.ts";
import { checkConceptHistory } from "./concept-history.ts";
import { checkContext } from "./context.ts";
import { readDocuments } from "./documents.ts";
import { checkHistory } from "./history.ts";
import { checkKits } from "./kits.ts";
import { checkLinkedData } from "./linked-data.ts";
import { checkLinks } from "./links.ts";
import type { Dist, Faults, Parts } from "./parts.ts";
import { checkPages } from "./pages.ts";
import { checkProse } from "./prose.ts";
import { checkRegistry } from "./registry.ts";
import { checkMappings } from "./mappings.ts";
import { checkNames } from "./names.ts";
import { checkSite } from "./site.ts";
import { checkSums } from "./sums.ts";

/** Returns no parts if the manifest does not say which origin the release is for. */
export function auditRelease(dist: Dist, effects: Effects): { readonly faults: Faults; readonly parts?: Parts } {
  const files = [...dist.faults, ...checkSums(dist)];
  const { manifest, index } = dist;
  if (manifest === undefined)
    return { faults: [...files, `${MANIFEST_FILE}: without it the documents cannot be judged`] };
  const { documents, ...read } = readDocuments(dist, manifest.origin);
  const { facts, ...audited } = index === undefined ? { faults: [] } : checkRegistry(index, manifest, effects);
  const known = knownOrigins(manifest, documents, facts?.origins ?? new Set());
  const faults = [...files, ...read.faults, ...checkKits(dist, manifest.origin, effects), ...audited.faults];
  if (facts === undefined) {
    const parts = { dist: { ...dist, index: undefined }, documents, known, facts };
    return { faults: [...faults, ...checkOwned(parts)], parts };
  }
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
  const parts = { dist, documents, known, facts };
  return { faults: [...all, ...checkOwned(parts)], parts };
}

/** What an owner or the registry decides: histories, changes, prose in its forms, pages. */
function checkOwned(parts: Parts): Faults {
  const { dist, documents, facts } = parts;
  const isWhole = dist.manifest !== undefined && facts !== undefined;
  return [
    ...(isWhole ? checkHistory(documents, dist.manifest, facts) : []),
    ...checkChanges(parts),
    ...checkProse(parts),
    ...checkPages(dist, documents),
    ...checkSite(parts),
  ];
}
