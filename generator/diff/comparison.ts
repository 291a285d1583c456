/**
 * What `npm run diff` finds, as one value: the shape of `--json`, and what the text is made from. A is before, B is after.
 * Every list is complete and in a fixed order, so the same two releases give the same bytes.
 */
import type { ChangeRecord } from "../contract/changes.ts";
import type { List } from "./change-list.ts";

export interface Comparison {
  readonly schema: "service-semantics.diff.v1";
  /** `same`: every byte agrees (exit code 0). `reassigned`: some expression resolves to another code (3). Else 1. */
  readonly verdict: "same" | "different" | "reassigned";
  /** False where bytes differ and nothing else does: no answer, concept, document by its content, or fact. */
  readonly meaningful: boolean;
  readonly a: Side;
  readonly b: Side;
  /** What keeps the findings from being the whole truth, one line each. */
  readonly warnings: readonly string[];
  /** By kind, `reassigned` first; within one by expression, then language. */
  readonly resolutions: List<ResolutionChange>;
  /** In code order. */
  readonly concepts: List<ConceptChange>;
  /** Of the manifest, the deployment identity and the index: what is not content of a document. */
  readonly facts: readonly Fact[];
  /** In path order. */
  readonly documents: readonly DocumentChange[];
}

export interface Side {
  /** As it was named. */
  readonly given: string;
  readonly kind: "directory" | "archive" | "revision";
  /** Of a revision. */
  readonly commit: string | null;
  readonly origin: string | null;
  readonly registryVersion: string;
  readonly concepts: number;
  /** Distinct texts. */
  readonly expressions: number;
}

/** One request whose answer differs. Other requests in other languages follow from these: see resolutions.ts. */
export type ResolutionChange = Readonly<ChangeRecord["resolutions"][number]>;
export type Answer = ResolutionChange["before"];

export interface ConceptChange {
  readonly code: string;
  /** `retired`: published in A, not in B. */
  readonly change: "added" | "retired" | "changed";
  /** In B, or in A where it is retired. */
  readonly name: string;
  /**
   * In its detail, without `registryVersion` and the origin; empty unless `changed`. Where the detail says the same, in
   * what the index prints of the concept elsewhere: `/listed`, `/resolved` and `/candidate`.
   */
  readonly changes: readonly JsonChange[];
}

export interface JsonChange {
  /** RFC 6901. Into A for what is removed, into B for everything else. */
  readonly pointer: string;
  /** `reordered`: the same elements in another order; before and after are what distinguishes them. */
  readonly kind: "added" | "removed" | "changed" | "reordered";
  /** What distinguishes the array element that the pointer leads to or through from its neighbours. */
  readonly of?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Fact extends JsonChange {
  readonly file: string;
}

export interface DocumentChange {
  /** Below the release; of an asset, without its digest; of a file in a kit, `kit.zip!/name`. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /**
   * Set where nothing differs that is the document's own: the `origin`; `digests` and sizes of other documents; `bytes`
   * that say the same, such as white space in JSON; or all of it is `derived` from the rest of the release.
   */
  readonly only?: "origin" | "digests" | "bytes" | "derived";
  /** How many digests and sizes of other documents differ, which follow from those. */
  readonly follows: number;
  /** Of JSON. */
  readonly changes?: readonly JsonChange[];
  /** Of other text. */
  readonly lines?: LineChanges;
  /** Of what is neither, in bytes. */
  readonly sizes?: { readonly before: number; readonly after: number };
}

/** Lines that one side has and the other has not, however they are ordered. */
export interface LineChanges {
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
  /** The same lines in another order. */
  readonly reordered: boolean;
}

export interface Line {
  readonly line: number;
  readonly text: string;
}
