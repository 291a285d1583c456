/**
 * The values that checks take and return: the parts of a release that could be read, and findings
 * about it.
 */
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";

/** Findings of a check, a line each: `file: what is wrong`. */
export type Faults = string[];

/** The parts that several checks compare, and of which a release is printed again. */
export interface Parts {
  /** Its index is undefined if a lookup in it could fail. */
  readonly dist: Dist;
  readonly documents: Documents;
  readonly known: Known;
  /** Undefined if the index could not be read. */
  readonly facts: RegistryFacts | undefined;
}

/**
 * A dist as checks see it: the files in a folder, and the manifest and the index if they can be
 * read.
 */
export interface Dist {
  /** Regular files that can be read, in code-point order; names are below the folder, with `/`. */
  readonly names: readonly string[];
  /** The same with a leading `/`, as the runtime names files. */
  readonly files: readonly string[];
  readonly digests: Digests;
  /** Other names: not regular files, or not readable. */
  readonly unexpected: readonly string[];
  /** The bytes of a file, if it is no larger than a file of a release may be. */
  read(name: string): Uint8Array | undefined;
  /** The text of such a file, if it is UTF-8. */
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

/** The files of a kit by their names in it. */
export type Files = ReadonlyMap<string, Buffer>;

/** Hosts that a document may name. */
export interface Known {
  readonly origin: string;
  /** Hosts that the registry's own texts name. */
  readonly published: ReadonlySet<string>;
}

/** Facts that follow from the published registry. */
export interface RegistryFacts {
  readonly publishedConcepts: number;
  /** By the number of the concept. */
  readonly codes: readonly string[];
  /** Origins that its texts name, except that of its own service. */
  readonly origins: ReadonlySet<string>;
  /** Paths of its own service that its texts name, such as identifiers at the same host. */
  readonly addresses: ReadonlySet<string>;
  /** The identifiers that its concepts claim. */
  readonly claims: Set<string>;
  /** The content digest, over the lines of the concepts followed by these lines. */
  readonly contentSha256: (lines: readonly string[]) => string;
  readonly common: Common;
}

/** Whether each of these holds for every concept. */
export interface Common {
  readonly haveProvenance: boolean;
  /** Provenances name concepts elsewhere only by absolute IRIs. */
  readonly areByIri: boolean;
  /** Expressions have the strength of exact equivalence. */
  readonly areExact: boolean;
}
