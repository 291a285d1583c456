/** Registries for tests, made from records: JSON is YAML, so the real reader reads them. */
import { createHash } from "node:crypto";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { checkRegistry, type Verdict } from "../../generator/registry/check.ts";
import { judge } from "../../generator/registry/load.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { digestHistory } from "../../generator/registry/memory.ts";
import { changesFile, readRegistry } from "../../generator/registry/read.ts";
import { memoryFile } from "../../generator/registry/read-memory.ts";
import type { ConceptRecord, ExpressionRecord, HistoryRecord, RetiredRecord } from "../../generator/registry/record.ts";
import { memoryEffects } from "./memory-effects.ts";

export interface RegistryFiles {
  readonly concepts: readonly unknown[];
  readonly registry?: Readonly<Record<string, unknown>>;
  readonly retired?: RetiredRecord;
  readonly history?: readonly PastRelease[];
  /** More files, or other content for these, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** An entry of the history whose digests a test does not care about. */
export type PastRelease = Omit<HistoryRecord[number], "memorySha256" | "changesSha256"> &
  Partial<HistoryRecord[number]>;

/** What releases with these entries leave in a registry, without any code that they gave. */
export function filesOfReleases(releases: readonly PastRelease[]): Record<string, string> {
  const files: Record<string, string> = {};
  const history: HistoryRecord = [];
  for (const [i, release] of releases.entries()) {
    const { registryVersion, contentSha256, reassigned = [] } = release;
    const previous = releases[i - 1]?.registryVersion;
    const resolutions = reassigned.map(({ from, to, ...request }) => {
      return { kind: "reassigned", ...request, before: { code: from }, after: { code: to } };
    });
    const changes = JSON.stringify({ registryVersion, previous, contentSha256, resolutions, concepts: [] });
    const head = { registryVersion, contentSha256, historySha256: digestHistory(history) };
    const memory = `${JSON.stringify(head)}\n`;
    if (previous !== undefined) files[`registry/${changesFile(registryVersion)}`] = changes;
    if (i === releases.length - 1) files[`registry/${memoryFile(registryVersion)}`] = memory;
    history.push({
      ...release,
      memorySha256: release.memorySha256 ?? sha256(memory),
      ...(previous !== undefined && { changesSha256: release.changesSha256 ?? sha256(changes) }),
    });
  }
  return { ...files, "registry/history.yaml": JSON.stringify(history) };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A reviewed preferred expression of strength 1, with whatever is said otherwise. */
export function expression(language: string, text: string, more: Partial<ExpressionRecord> = {}): ExpressionRecord {
  return { language, expression: text, type: "alternate", equivalenceStrength: 1, reviewStatus: "reviewed", ...more };
}

export function concept(
  code: string,
  expressions: ExpressionRecord[],
  more: Partial<ConceptRecord> = {},
): ConceptRecord {
  return {
    code,
    name: `Name of ${code}`,
    definition: `Definition of ${code}.`,
    domain: "test",
    provenance: null,
    expressions,
    renderings: [],
    ...more,
  };
}

/** The files of a registry below `registry/`. */
export function registryFiles({
  concepts,
  registry,
  retired,
  history,
  files,
}: RegistryFiles): Record<string, string | Uint8Array> {
  const head = {
    name: "Test",
    registryVersion: "2026.11.1",
    languages: ["en", "de", "fr", "pt"],
    license: "CC0-1.0",
    ...registry,
  };
  const made: Record<string, string | Uint8Array> = { "registry/registry.yaml": JSON.stringify(head) };
  if (retired !== undefined) made["registry/retired.yaml"] = JSON.stringify(retired);
  if (history !== undefined) Object.assign(made, filesOfReleases(history));
  concepts.forEach((record, i) => {
    const { code = `unnamed-${i}`, domain = "test" } = record as { code?: string; domain?: string };
    const path = `registry/concepts/${domain}/${code}.yaml`;
    // Two records of one code need two files.
    made[path in made ? `registry/concepts/${domain}/${code}-${i}.yaml` : path] = JSON.stringify(record);
  });
  return { ...made, ...files };
}

export function checkFiles(files: RegistryFiles): Verdict {
  return judge(readRegistry(memoryEffects(registryFiles(files)), "registry", () => undefined));
}

/** A registry that has no findings that are errors. */
export function checkedRegistry(files: RegistryFiles): CheckedRegistry {
  const { registry, findings } = checkFiles(files);
  if (registry === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return registry;
}

/** The registry in a folder. */
export function registryIn(directory: string): CheckedRegistry {
  const { registry, findings } = checkRegistry(readRegistry(fileSystem, directory, () => undefined));
  if (registry === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return registry;
}
