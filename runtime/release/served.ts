/** The parts of a release that a host serves, as values without files. */
import type { Manifest } from "../contract/inputs.ts";
import type { MCPDefinition } from "../contract/mcp.ts";
import type { RegistryIndex } from "../registry/index.ts";

export interface Served {
  readonly manifest: Manifest;
  readonly index: RegistryIndex;
  /**
   * Lowercase hex SHA-256 of every opened file, by its path below the directory: all files except
   * the deployment identity.
   */
  readonly files: ReadonlyMap<string, string>;
  /** Prerendered documents by their path in dist, with a leading `/`. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** The data that `POST /mcp` answers from. */
  readonly mcp: MCPDefinition;
  /** Plain assets by their path. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/**
 * A prerendered document by its path. Throws if the release lacks it, which opening it excludes.
 */
export function documentOf({ documents }: Pick<Served, "documents">, file: string): Uint8Array {
  const bytes = documents.get(file);
  if (bytes === undefined) throw new Error(`The release has no ${file}`);
  return bytes;
}

/** The same as text. */
export function documentText(release: Pick<Served, "documents">, file: string): string {
  return decoder.decode(documentOf(release, file));
}

const decoder = new TextDecoder();
