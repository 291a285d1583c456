/**
 * The TypeBox builders that this project uses. A schema is a JSON Schema 2020-12 value that carries
 * its TypeScript type. Only the types come from the library: its code is 700 files and takes longer
 * to load than the rest of the server. The values made here equal the library's.
 */
import type { Type } from "typebox";

export type Static<T extends Type.TSchema> = Type.Static<T>;
export type TSchema = Type.TSchema;
export type TProperties = Type.TProperties;
export type TObject<P extends TProperties> = Type.TObject<P>;
export type TUnion<T extends TSchema[]> = Type.TUnion<T>;
export type TNull = Type.TNull;

export const Unknown: typeof Type.Unknown = (options) => make({}, options);
export const Null: typeof Type.Null = (options) => make({ type: "null" }, options);
export const Boolean: typeof Type.Boolean = (options) => make({ type: "boolean" }, options);
export const Integer: typeof Type.Integer = (options) => make({ type: "integer" }, options);
export const Number: typeof Type.Number = (options) => make({ type: "number" }, options);
export const String: typeof Type.String = (options) => make({ type: "string" }, options);
export const Literal: typeof Type.Literal = (value, options) => make({ type: typeof value, const: value }, options);
export const Enum: typeof Type.Enum = (values: unknown, options?: object) => make({ enum: values }, options);
export const Array: typeof Type.Array = (items, options) => make({ type: "array", items }, options);
export const Union: typeof Type.Union = (anyOf: unknown, options?: object) => make({ anyOf }, options);

/** Members are required unless marked optional. */
export const Object: typeof Type.Object = (properties, options) => {
  const required = globalThis.Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})));
  return make({ type: "object", ...(required.length > 0 && { required }), properties }, options);
};

export const Optional: typeof Type.Optional = (schema) => {
  const optional = make(schema);
  Reflect.defineProperty(optional, OPTIONAL, { value: true });
  return optional;
};

/** An object with any member names. */
export function Record<T extends TSchema>(names: Type.TString, values: T): Type.TRecord<"^.*$", T> {
  if (globalThis.Object.keys(names).length > 1) throw new Error("Only plain text names a member of a Record");
  return make({ type: "object", patternProperties: { "^.*$": values } });
}

/** A schema in plain JSON Schema; the caller gives its type. */
export const Unsafe: typeof Type.Unsafe = (schema) => make(schema);

/** Marks a schema as optional, as the library does: a hidden property, absent from the JSON. */
const OPTIONAL = "~optional";

/** Returns `never` because the builders are typed by the library. */
function make(schema: object, options?: object): never {
  return { ...schema, ...options } as never;
}
