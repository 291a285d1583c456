/** The version of a registry after a change: the same, unless that one is released with other content. */
import { checkRegistry, type Verdict } from "../../registry/check.ts";
import { nextVersion } from "../../registry/history.ts";
import type { RegistrySource } from "../../registry/read.ts";
import type { EditableSource } from "../edit/edit.ts";

/** The version that changes of published content lead to: the next one, where this one is released. */
export function workingVersion({ history }: RegistrySource, version: string): string {
  return history.some(({ registryVersion }) => registryVersion === version) ? nextVersion(version) : version;
}

/** `after` with the version that it needs, and what the checks say of that. */
export function settleVersion(
  after: EditableSource,
  before: RegistrySource,
): { readonly after: EditableSource; readonly verdict: Verdict } {
  const original = before.registry?.registryVersion ?? after.registry.registryVersion;
  for (let registryVersion = original; ; registryVersion = nextVersion(registryVersion)) {
    const settled = { ...after, registry: { ...after.registry, registryVersion } };
    const verdict = checkRegistry(settled);
    if (!verdict.findings.some(({ rule }) => rule === "version-content-changed")) return { after: settled, verdict };
  }
}
