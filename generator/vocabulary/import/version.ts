/** The version of a registry after a change: the same, unless that one is released with other content. */
import { checkRegistry, type Verdict } from "../../registry/check.ts";
import { nextVersion } from "../../registry/history.ts";
import type { RegistrySource } from "../../registry/read.ts";
import type { RegistryRecord } from "../../registry/record.ts";

type Changed = RegistrySource & { readonly registry: RegistryRecord };

/** `after` with the version that it needs, and what the checks say of that. */
export function settleVersion(
  after: Changed,
  before: RegistrySource,
): { readonly after: Changed; readonly verdict: Verdict } {
  const original = before.registry?.registryVersion ?? after.registry.registryVersion;
  for (let registryVersion = original; ; registryVersion = nextVersion(registryVersion)) {
    const settled = { ...after, registry: { ...after.registry, registryVersion } };
    const verdict = checkRegistry(settled);
    if (!verdict.findings.some(({ rule }) => rule === "version-content-changed")) return { after: settled, verdict };
  }
}
