/** Builds a dist from a benchmark's registry, with the project's own content. */
import path from "node:path";
import { writeDist } from "../generator/build.ts";
import { readContent } from "../generator/content/read.ts";
import { readAuthored } from "../generator/documents/documents.ts";
import { digestSources, PROJECT } from "../generator/effects/closure.ts";
import { fileSystem } from "../generator/effects/file-system.ts";
import { replaceDirectory } from "../generator/effects/output.ts";
import { checkRegistry } from "../generator/registry/check.ts";
import type { CheckedRegistry } from "../generator/registry/checked.ts";
import type { Concept } from "../generator/registry/concept.ts";
import { Concepts } from "../generator/registry/concepts.ts";
import { readRegistry } from "../generator/registry/read.ts";

export function starterRegistry(): CheckedRegistry {
  const { registry } = checkRegistry(readRegistry(fileSystem, "registry", () => undefined));
  if (registry === undefined) throw new Error("The starter registry has errors");
  return registry;
}

/** A registry without a past. */
export function registryOf(name: string, registryVersion: string, concepts: readonly Concept[]): CheckedRegistry {
  const none = { contentSha256: "0".repeat(64), retired: [], history: [], changes: [] };
  return { name, registryVersion, nearForms: true, concepts: Concepts.of(concepts), ...none };
}

export async function buildInto(
  out: string,
  registry: CheckedRegistry,
  origin = "http://127.0.0.1:8080",
): Promise<void> {
  const { content, findings } = readContent(fileSystem, path.join(PROJECT, "content"));
  if (content === undefined) throw new Error(JSON.stringify(findings));
  const authored = readAuthored(fileSystem, content);
  const dist = { registry, origin, authored, inputsSha256: "0".repeat(64), sources: digestSources(fileSystem) };
  await replaceDirectory(fileSystem, out, (output) => writeDist(dist, output));
}
