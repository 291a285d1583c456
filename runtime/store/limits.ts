/** The limits of reading from a store, as docs/scale.md lists them. */
export const STORE_LIMITS = {
  /** For each attempt, connecting included. */
  timeoutMs: 1000,
  /** How often a read is tried. */
  attempts: 4,
  /** The pause before the second attempt is at most twice this, by chance; each further one may be twice as long. */
  pauseMs: 25,
  /** After so many attempts in a row without an answer nothing is asked but the probe. */
  silentMax: 8,
  /** How often the probe asks for the blocks that could not be read. */
  probeMs: 1000,
  /** After an attempt without an answer, when the client of a cluster begins anew. */
  renewMs: 5000,
  /** Blocks that the probe asks for; those beyond are asked for by requests alone. */
  probedMax: 1000,
} as const;

/** What memory holds of a store by default. */
export const CACHE_BYTES = 64 * 1024 * 1024;
