/**
 * Checks a dist by itself, from its files alone: sums and identity, index against concepts, documents by their schemas and
 * against each other, links, kits. Imports nothing of the builder, and goes on after a fault: every one is named.
 */
import { INDEX_FILE, type Manifest, MANIFEST_FILE } from "../../runtime/manifest.ts";
import type { RegistryIndex } from "../../runtime/registry-index.ts";
import { openRelease, ReleaseError } from "../../runtime/release.ts";
import type { Effects } from "../effects.ts";
import { type Dist, type Faults, openDist } from "./dist.ts";
import { checkAgreement, checkFacts, readDocuments } from "./documents.ts";
import { checkKits } from "./kits.ts";
import { checkLinks } from "./links.ts";
import { checkProse } from "./prose.ts";
import { checkRegistry } from "./registry.ts";
import { checkSums } from "./sums.ts";

/** Faults of the release in `directory`; none when it is whole. */
export async function verifyRelease(effects: Effects, directory: string): Promise<Faults> {
  const dist = openDist(effects, directory);
  try {
    const faults = [...dist.faults, ...checkSums(dist), ...(await checkContent(dist))];
    // Last, so that what it would say in one line is told fault by fault before.
    return faults.length > 0 ? faults : openWhole(directory);
  } finally {
    dist.close();
  }
}

async function checkContent(dist: Dist): Promise<Faults> {
  const { manifest, index } = dist;
  // Everything else is judged by the origin it is for.
  if (manifest === undefined) return [`${MANIFEST_FILE}: without it the documents cannot be judged`];
  const { origin } = manifest;
  const documents = readDocuments(dist, origin);
  const faults = [...documents.faults, ...checkAgreement(documents, dist, origin), ...checkProse(documents, dist)];
  const walked = index === undefined ? undefined : walkRegistry(index, manifest);
  if (typeof walked === "string") faults.push(walked);
  else if (walked !== undefined) {
    faults.push(...walked.faults, ...checkFacts(documents, manifest, walked.facts));
    faults.push(...checkLinks(dist, origin, walked.facts.has));
  }
  return [...faults, ...(await checkKits(dist))];
}

/** Hostile bytes can break the reader of an index anywhere: whatever it is, the index is at fault. */
function walkRegistry(index: RegistryIndex, manifest: Manifest): ReturnType<typeof checkRegistry> | string {
  try {
    return checkRegistry(index, manifest);
  } catch {
    return `${INDEX_FILE}: damaged inside, so its concepts cannot be read`;
  }
}

/** What the runtime itself says of it. */
function openWhole(directory: string): Faults {
  try {
    openRelease(directory).close();
    return [];
  } catch (error) {
    if (error instanceof ReleaseError) return [error.message];
    throw error;
  }
}
