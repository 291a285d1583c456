/** The choices of the person who imports. */
export const IMPORT_FORMATS = ["skos", "csv", "tbx", "json"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
export const CODE_SOURCES = ["mint", "notation", "uri"] as const;
export const REPAIRS = ["nfc", "spaces", "tags"] as const;
export type Repair = (typeof REPAIRS)[number];
export const MISSING_DEFINITION = ["label", "error"] as const;
export const REVIEWS = ["in_review", "reviewed"] as const;

export const NO_LICENSE = "NOASSERTION";

export interface ImportSettings {
  /** The name of a new registry. Left out: the name of the source. */
  readonly name?: string | undefined;
  /**
   * The domain of concepts that name none. Left out: the domain of which the source is a newer
   * dump, else the name of the file.
   */
  readonly domain: string | undefined;
  readonly codeFrom: (typeof CODE_SOURCES)[number];
  /**
   * `reviewed`: the person vouches for the file, so everything that it does not mark otherwise is
   * published.
   */
  readonly reviewAs: (typeof REVIEWS)[number];
  readonly missingDefinition: (typeof MISSING_DEFINITION)[number];
  readonly repairs: ReadonlySet<Repair>;
  /** The tag of texts that have none. */
  readonly untagged: string | undefined;
  /** Only these languages and narrower ones; empty: all. */
  readonly languages: readonly string[];
  /**
   * The name and licence of the source. Left out: those that a concept already has, else the name
   * of the file and NOASSERTION.
   */
  readonly source: string | undefined;
  readonly license: string | undefined;
  /** The name of a source that nobody names: the first file, without folder and extension. */
  readonly fallbackName: string;
  /** The version of a new registry, if the source does not give one. */
  readonly registryVersion: string;
}
