/** Bounds of the reconciliation service. What an expression may be is bounded by runtime/contract/limits.ts, as for resolve. */

/** Queries in one batch; the manifest names it. */
export const BATCH_MAX = 100;
/** Body in bytes: a full batch of long expressions, percent-encoded. */
export const BODY_MAX_BYTES = 2 * 1024 * 1024;
/** Concepts and properties in one data extension. */
export const EXTEND_IDS_MAX = 100;
export const EXTEND_PROPERTIES_MAX = 100;
/** Suggestions in one listing, and where none are asked for. */
export const SUGGESTIONS_MAX = 100;
export const SUGGESTIONS = 10;
