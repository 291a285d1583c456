/** A subject with all that is said of it, ready to be written in any format. Predicates and types are prefixed names. */

export interface Node {
  readonly iri: string;
  /** Those of one predicate stand together. */
  readonly properties: readonly Property[];
}

export type Property = readonly [predicate: string, object: RdfObject];

/** A resource, a text with or without its language, a typed literal, or a value as a JSON literal. */
export type RdfObject =
  | { readonly iri: string }
  | { readonly text: string; readonly language?: string }
  | { readonly text: string; readonly datatype: string }
  | { readonly json: unknown };
