/** A registry as import has written it, read here by itself. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse as parseYaml } from "yaml";

export interface RegistryOnDisk {
  readonly codes: ReadonlyMap<string, string>;
  readonly concepts: readonly {
    readonly code: string;
    readonly provenance: { readonly sourceId: string };
    readonly expressions: readonly {
      readonly language: string;
      readonly locale?: string;
      readonly expression: string;
      readonly type: string;
      readonly reviewStatus: string;
    }[];
    readonly hiddenLabels?: readonly { readonly language: string; readonly label: string }[];
    readonly source?: readonly string[];
    readonly unsaid?: readonly string[];
  }[];
  /** The statements that no field holds. */
  readonly kept: readonly string[];
  readonly retired: readonly Retired[];
  readonly languages: readonly string[];
}

interface Retired {
  readonly code: string;
  readonly replacedBy: string | null;
  readonly sourceId?: string;
  readonly reason?: string;
}

export function linesOf<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

function yamlOf(file: string): unknown {
  return existsSync(file) ? parseYaml(readFileSync(file, "utf8")) : undefined;
}

export function readBack(directory: string): RegistryOnDisk {
  const map = linesOf<{ sourceId: string; code: string }>(path.join(directory, "code-map.ndjson"));
  const { languages } = yamlOf(path.join(directory, "registry.yaml")) as { languages: string[] };
  const concepts = readdirSync(path.join(directory, "concepts")).flatMap((name) =>
    linesOf<RegistryOnDisk["concepts"][number]>(path.join(directory, "concepts", name)),
  );
  const others = readdirSync(path.join(directory, "vocabularies")).flatMap((name) =>
    linesOf<{ readonly source: readonly string[] }>(path.join(directory, "vocabularies", name)),
  );
  return {
    kept: [...concepts.flatMap(({ source = [] }) => source), ...others.flatMap(({ source }) => source)],
    codes: new Map(map.map(({ sourceId, code }) => [sourceId, code])),
    concepts,
    retired: (yamlOf(path.join(directory, "retired.yaml")) ?? []) as Retired[],
    languages,
  };
}
