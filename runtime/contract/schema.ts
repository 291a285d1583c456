/**
 * Building blocks of the contract's schemas. Each shape is written once, as a TypeBox value, which
 * is also JSON Schema 2020-12. The TypeScript type, the validators and every published schema are
 * derived from it.
 * Source: contract §2 ("all objects below reject undeclared properties unless marked otherwise").
 */
import * as Type from "./type.ts";

/** An object that rejects undeclared properties. */
export function closed<P extends Type.TProperties>(properties: P): Type.TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object that explicitly allows other properties. */
export function open<P extends Type.TProperties>(properties: P): Type.TObject<P> {
  return Type.Object(properties, { additionalProperties: true });
}

/** Optional members with these names and the same schema. */
export function optionalEach<N extends string, T extends Type.TSchema>(names: readonly N[], schema: T) {
  const optional = Type.Optional(schema);
  return Object.fromEntries(names.map((name) => [name, optional])) as Record<N, typeof optional>;
}

export function nullable<T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> {
  return Type.Union([schema, Type.Null()]);
}
