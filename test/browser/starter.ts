/** The starter registry, checked. */
import { fileSystem } from "../../generator/effects/file-system.ts";
import { checkRegistry } from "../../generator/registry/check.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { readRegistry } from "../../generator/registry/read.ts";

export function starterRegistry(): CheckedRegistry {
  const { registry } = checkRegistry(readRegistry(fileSystem, "registry", () => undefined));
  if (registry === undefined) throw new Error("The starter registry has errors: npm run lint:registry");
  return registry;
}
