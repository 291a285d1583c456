/**
 * Checks retired codes and releases: no retired code is published, the current release is the one
 * in the manifest, and its content digest follows only from the bundle and the retired codes (O-16,
 * O-57).
 */
import { isDeepStrictEqual } from "node:util";
import type { RegistryHistory, RetiredCodes } from "../../contract/history.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { areSame, compatibilityOf, reassignmentsIn, type RegistryChanges } from "../../contract/changes.ts";
import { changesPath } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import type { Documents, Faults, RegistryFacts } from "./parts.ts";
import { releaseVersionOf } from "../../contract/version.ts";
import { compareVersions } from "../../text/version.ts";

export function checkHistory(documents: Documents, { registry }: Manifest, facts: RegistryFacts): Faults {
  const retired = documents.get(paths.retired) as RetiredCodes | undefined;
  const history = documents.get(paths.history) as RegistryHistory | undefined;
  return [
    ...checkRetired(retired?.retired ?? [], facts.codes).map((text) => `${paths.retired.slice(1)}: ${text}`),
    ...(retired === undefined || digestWith(retired.retired, facts) === registry.contentSha256
      ? []
      : [`${paths.retired.slice(1)}: with the concepts it does not give the content digest of the manifest`]),
    ...(history === undefined ? [] : checkReleases(history, registry)).map(
      (text) => `${paths.history.slice(1)}: ${text}`,
    ),
    ...checkChanges(documents, history?.releases ?? []),
  ];
}

/**
 * Each change document must match a recorded release, the release before it, and the recorded
 * reassignments.
 */
function checkChanges(documents: Documents, releases: RegistryHistory["releases"]): Faults {
  const changes = [...documents].filter(([place]) => place.startsWith(`${paths.changes}/`));
  return changes.flatMap(([place, value]) => {
    const { registryVersion, contentSha256, previous, acknowledgement, log, resolutions } = value as RegistryChanges;
    const at = releases.findIndex((release) => release.registryVersion === registryVersion);
    const own = releases[at];
    const isSame = own?.contentSha256 === contentSha256 && own.acknowledgement === acknowledgement;
    const isOf = isSame && isDeepStrictEqual(own.log, log) && releases[at - 1]?.registryVersion === previous;
    const { compatibility, concepts } = value as RegistryChanges;
    if (!isOf || changesPath(registryVersion) !== place) return [`${place.slice(1)}: not of a recorded release`];
    if (compatibility !== compatibilityOf(resolutions, concepts))
      return [`${place.slice(1)}: its compatibility does not follow from its changes`];
    if (areSame(releases[at]?.reassigned ?? [], reassignmentsIn(resolutions))) return [];
    return [`${place.slice(1)}: what it reassigns is not what ${paths.history.slice(1)} says`];
  });
}

/**
 * The content digest in registry/history.yaml: over a line for each concept, then one for each
 * retired code.
 */
function digestWith(retired: RetiredCodes["retired"], { contentSha256 }: RegistryFacts): string {
  return contentSha256(
    retired.map(({ code, retiredIn, replacedBy }) => `${JSON.stringify({ retired: code, retiredIn, replacedBy })}\n`),
  );
}

function checkRetired(retired: RetiredCodes["retired"], published: readonly string[]): Faults {
  const active = new Set(published.map((code) => code.toLowerCase()));
  return retired.flatMap(({ code, replacedBy }, i) => {
    const faults: Faults = [];
    if (active.has(code.toLowerCase())) faults.push(`${code} is published`);
    if (i > 0 && code <= (retired[i - 1]?.code ?? "")) faults.push(`${code} is not in code order`);
    if (replacedBy === code) faults.push(`${code} is replaced by itself`);
    return faults;
  });
}

function checkReleases({ current, releases }: RegistryHistory, registry: Manifest["registry"]): Faults {
  const faults: Faults = [];
  const { registryVersion, contentSha256, recorded } = current;
  if (registryVersion !== registry.registryVersion || contentSha256 !== registry.contentSha256)
    faults.push("its current release is not that of the manifest");
  const own = releases.find((release) => release.registryVersion === registryVersion);
  if (recorded !== (own !== undefined)) faults.push("is wrong about whether its current release is recorded");
  if (own !== undefined && own.contentSha256 !== contentSha256)
    faults.push("records another content for its current release");
  const versions = releases.map((release) => release.registryVersion);
  if (own === undefined) versions.push(releaseVersionOf(registryVersion));
  if (versions.some((version, i) => i > 0 && !(compareVersions(versions[i - 1] ?? "", version) < 0)))
    faults.push("its releases are not in the order of their versions");
  return faults;
}
