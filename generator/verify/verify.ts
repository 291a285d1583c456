/**
 * Checks a dist by itself, from its files alone: sums and identity, index against concepts, documents by their schemas and
 * against each other, links, kits. Imports nothing of the builder, and goes on after a fault: every one is named.
 */
import { INDEX_FILE, type Manifest, MANIFEST_FILE } from "../../runtime/release/manifest.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRelease } from "../../runtime/release/release.ts";
import type { Effects } from "../effects/effects.ts";
import { checkForeign, originsIn } from "./addresses.ts";
import { checkAgents, checkQuotes } from "./agents.ts";
import { checkCoverage } from "./coverage.ts";
import { type Dist, type Faults, openDist } from "./dist.ts";
import { checkAgreement, checkFacts, type Documents, readDocuments } from "./documents.ts";
import { checkHistory } from "./history.ts";
import { checkExamples, checkIntegration } from "./integration.ts";
import { type Beside, checkKits, readKits } from "./kits.ts";
import { memberAt } from "./json.ts";
import { checkLinks } from "./links.ts";
import { checkOpenApi } from "./openapi.ts";
import { checkPages } from "./pages.ts";
import { checkProse } from "./prose.ts";
import { checkRegistry } from "./registry.ts";
import { checkCatalog, checkInstructions, checkSite, checkSitemap } from "./site.ts";
import { checkSums } from "./sums.ts";

/** Faults of the release in `directory`, one line each; none when it is whole. */
export async function verifyRelease(effects: Effects, directory: string): Promise<Faults> {
  const dist = openDist(effects, directory);
  try {
    const faults = [...dist.faults, ...checkSums(dist), ...checkContent(dist)];
    // Last, so that what it would say in one line is told fault by fault before.
    return [...new Set(faults.length > 0 ? faults : openWhole(directory))].map(formatFault);
  } finally {
    dist.close();
  }
}

function checkContent(dist: Dist): Faults {
  const { manifest, index } = dist;
  // Everything else is judged by the origin it is for.
  if (manifest === undefined) return [`${MANIFEST_FILE}: without it the documents cannot be judged`];
  const { origin } = manifest;
  const documents = readDocuments(dist, origin);
  const { kits, faults: broken } = readKits(dist);
  const walked = index === undefined ? { faults: [] } : walkRegistry(index, manifest);
  const known = {
    origin,
    published: new Set([
      ...(walked.facts?.origins ?? []),
      ...[...originsIn(registryTexts(manifest, documents))].filter((one) => one !== origin),
    ]),
  };
  // Where the walk did not come to its end, nothing is looked up in the index.
  const sound = walked.facts === undefined ? { ...dist, index: undefined } : dist;
  const beside = { dist: sound, documents, facts: walked.facts, known };
  return [
    ...documents.faults,
    ...walked.faults,
    ...checkAgreement(documents, dist, origin),
    ...checkAgents(documents, dist, origin),
    ...checkQuotes(documents, dist),
    ...checkOpenApi(documents, origin),
    ...checkProse(documents, dist),
    ...checkPages(dist),
    ...checkSite(dist, origin),
    ...checkCatalog(documents, origin),
    ...checkByRegistry(beside),
    ...broken,
    ...checkIntegration(documents, sound, kits),
    ...checkKits(kits, beside),
  ];
}

/** What only the registry decides. */
function checkByRegistry({ dist, documents, facts, known }: Beside): Faults {
  if (facts === undefined || dist.manifest === undefined || dist.index === undefined) return [];
  return [
    ...checkFacts(documents, dist.manifest, facts),
    ...checkHistory(documents, dist.manifest, facts),
    ...checkCoverage(documents.values.get(paths.coverage), facts.coverage),
    ...checkLinks(dist, known.origin, facts.codes),
    ...checkForeign(dist, known),
    ...checkSitemap(dist, known.origin, facts),
    ...checkInstructions(dist, known.origin, facts),
    ...checkExamples(documents, dist.index),
  ];
}

/** What the owner of a registry writes beside its concepts. */
function registryTexts({ registry }: Manifest, { values }: Documents): string {
  const [retired, history] = [paths.retired, paths.history].map((path) => values.get(path));
  return JSON.stringify([registry.name, memberAt(retired, "retired"), memberAt(history, "releases")]);
}

/** Hostile bytes can break the reader of an index anywhere: whatever it is, the index is at fault. */
function walkRegistry(index: RegistryIndex, manifest: Manifest): ReturnType<typeof checkRegistry> {
  try {
    return checkRegistry(index, manifest);
  } catch {
    return { faults: [`${INDEX_FILE}: damaged inside, so its concepts cannot be read`] };
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

const LINE_MAX = 400;

/** One line, whatever a name or a text in it holds: nothing in it moves a cursor or ends the line. */
function formatFault(fault: string): string {
  const line = fault.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ""}}`,
  );
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX).toWellFormed()}…` : line;
}
