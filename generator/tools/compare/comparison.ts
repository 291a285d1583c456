/**
 * The findings of `npm run diff` as one value: the shape of `--json`, and the source of the text. A
 * is before, B is after. Every list is complete and in a fixed order, so the same two releases give
 * the same bytes.
 */
import type { Compatibility, ResolutionChange } from "../../contract/changes.ts";
import type { List } from "../../promise/change-list.ts";

export interface Comparison {
  readonly schema: "service-semantics.diff.v1";
  /**
   * `same`: every byte agrees (exit code 0). `reassigned`: some expression resolves to another code
   * (3). Else 1.
   */
  readonly verdict: "same" | "different" | "reassigned";
  /** False if nothing but bytes differs: no answer, concept, content of a document, or fact. */
  readonly meaningful: boolean;
  /** How safe an update from A to B is: the worst change of a resolution or a concept. */
  readonly compatibility: Compatibility;
  readonly a: Side;
  readonly b: Side;
  /** Why the findings may be incomplete, one line each. */
  readonly warnings: readonly string[];
  /** By kind, `reassigned` first; within one by expression, then language. */
  readonly resolutions: List<ResolutionChange>;
  /** In code order. */
  readonly concepts: List<ConceptChange>;
  /**
   * Changes of the manifest, the deployment identity and the index, which are not content of a
   * document.
   */
  readonly facts: readonly Fact[];
  /** In path order. */
  readonly documents: readonly DocumentChange[];
}

export interface Side {
  /** The argument that names it. */
  readonly given: string;
  readonly kind: "directory" | "archive";
  readonly origin: string | null;
  readonly registryVersion: string;
  readonly concepts: number;
  /** B36, as its status says; null if that cannot be read. */
  readonly expressions: number | null;
}

export interface ConceptChange {
  readonly code: string;
  /** `retired`: published in A, not in B. */
  readonly change: "added" | "retired" | "changed";
  /** The name in B, or in A if the concept is retired. */
  readonly name: string;
  /**
   * Changes in its detail, without `registryVersion` and the origin; empty unless `changed`. If the
   * detail is the same, changes in the other texts of the index about the concept: `/listed`,
   * `/resolved` and `/candidate`. Changes in its notes follow.
   */
  readonly changes: readonly JsonChange[];
}

export interface JsonChange {
  /** RFC 6901. Points into A if `removed`, otherwise into B. */
  readonly pointer: string;
  /**
   * `reordered`: the same elements in another order; before and after list the keys that
   * distinguish them.
   */
  readonly kind: "added" | "removed" | "changed" | "reordered";
  /** The key that distinguishes the array element that the pointer leads to or through. */
  readonly of?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Fact extends JsonChange {
  readonly file: string;
}

export interface DocumentChange {
  /**
   * Relative to the release. An asset is without its digest; a file in a kit is `kit.zip!/name`.
   */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /**
   * Set if nothing of the document's own differs: only the `origin`, or `digests` and sizes of
   * other documents, or `bytes` without a change of meaning, such as white space in JSON.
   * `concepts` if it contains, lists or counts concepts, or only quotes the registry's version or
   * counts. `derived` if all of it follows from the rest of the release.
   */
  readonly only?: "origin" | "digests" | "bytes" | "concepts" | "derived";
  /** How many values or lines differ only because concepts or other documents differ. */
  readonly follows: number;
  /** For JSON. */
  readonly changes?: readonly JsonChange[];
  /** For other text. */
  readonly lines?: LineChanges;
  /** For anything else, in bytes. */
  readonly sizes?: { readonly before: number; readonly after: number };
}

/** Lines that only one side has, in any order. */
export interface LineChanges {
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
  /** Whether the lines are the same in another order. */
  readonly reordered: boolean;
}

export interface Line {
  readonly line: number;
  readonly text: string;
}
