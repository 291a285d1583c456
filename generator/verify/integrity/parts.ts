/** What of a release could be read, and what is found in it: the values that checks take and give. */
import type { RecipeId } from "../../../runtime/contract/recipe.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import type { Manifest } from "../../../runtime/release/manifest.ts";
import type { Derived } from "./coverage.ts";

/** Findings of a check, a line each: `file: what is wrong`. */
export type Faults = string[];

/** What checks of agreement compare. */
export interface Parts {
  /** Its index is undefined where a lookup in it could break. */
  readonly dist: Dist;
  readonly documents: Documents;
  readonly kits: Kits;
  readonly known: Known;
  /** What the registry amounts to; undefined where its index could not be read. */
  readonly facts: RegistryFacts | undefined;
}

/** A dist as an auditor has it: the files in a folder and, of those that vouch for the rest, what can be read. */
export interface Dist {
  /** Regular files that can be read, in code-point order; names are below the folder, with `/`. */
  readonly names: readonly string[];
  /** The same with a leading `/`, as the runtime names files. */
  readonly files: readonly string[];
  readonly digests: Digests;
  /** Other names: not regular files, or not readable. */
  readonly unexpected: readonly string[];
  /** The bytes of a file that is no larger than any of a release. */
  read(name: string): Uint8Array | undefined;
  /** The text of such a file that is UTF-8. */
  text(name: string): string | undefined;
  readonly manifest: Manifest | undefined;
  readonly index: RegistryIndex | undefined;
  /** Why there is no manifest, or no index. */
  readonly faults: readonly string[];
  close(): void;
}

/** Files by name. */
export type Digests = ReadonlyMap<string, { readonly bytes: number; readonly sha256: string }>;

/** Parsed JSON documents that have their schema, by their path, with a leading `/`. */
export type Documents = ReadonlyMap<string, unknown>;

/** The kits that can be read. */
export type Kits = ReadonlyMap<RecipeId, Files>;

/** The files of a kit by their names in it. */
export type Files = ReadonlyMap<string, Buffer>;

/** Hosts that a document may name. */
export interface Known {
  readonly origin: string;
  /** What the registry's own texts name. */
  readonly published: ReadonlySet<string>;
}

/** What the published registry amounts to. */
export interface RegistryFacts {
  readonly publishedConcepts: number;
  readonly reviewedExactExpressions: number;
  readonly languages: readonly string[];
  readonly domains: readonly string[];
  readonly bundleSha256: string;
  /** In their order. */
  readonly codes: readonly string[];
  /** Origins that its texts name, its own service left aside. */
  readonly origins: ReadonlySet<string>;
  /** What its concepts say of identifiers. */
  readonly claims: Set<string>;
  /** The content digest, with these lines behind those of the concepts. */
  readonly contentSha256: (lines: readonly string[]) => string;
  readonly coverage: Derived;
  readonly common: Common;
}

/** What holds of every concept, or does not. */
export interface Common {
  readonly haveProvenance: boolean;
  /** Provenances name concepts elsewhere by absolute IRIs alone. */
  readonly areByIri: boolean;
  /** Expressions have the strength of exact ones. */
  readonly areExact: boolean;
}
