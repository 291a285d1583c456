/**
 * Compiles JSON Schema 2020-12 with Ajv, so that every validator of the generator has the same
 * settings: strict, no coercion, no removal, lengths in code points, every violation. A member that
 * is left out gets the default of its schema. An unknown property is reported with the one that may
 * be meant.
 */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { type Reader, readerOf, type Validate } from "../../runtime/contract/validator.ts";
import type { Static, TSchema } from "../../runtime/contract/type.ts";
import { suggestion } from "./nearest.ts";
import { type Shaped, shapeOf } from "./shaped.ts";

/**
 * Tests check our own schemas, so Ajv need not; and most validators run too rarely to repay
 * optimization.
 */
const fast = { meta: false, validateSchema: false, code: { optimize: false } } as const;
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  validateFormats: false,
  verbose: true,
  useDefaults: true,
  ...fast,
});

/** A reader that also knows the schema. */
export type SchemaReader<T> = Reader<T> & {
  /** The parts of a value that it refuses which have their shape. */
  readonly shapeOf: (value: unknown) => Shaped<T> | undefined;
};

/**
 * Returns a reader for a schema. Call this at module load: the schema is compiled at first use,
 * because a command needs only a few.
 */
export function compileSchema<T extends TSchema>(schema: T): SchemaReader<Static<T>> {
  let read: Reader<Static<T>> | undefined;
  const reader: Reader<Static<T>> = (value) => {
    read ??= readerOf(suggesting(ajv.compile(schema)));
    return read(value);
  };
  return Object.assign(reader, { shapeOf: (value: unknown) => shapeOf(schema, value) });
}

function suggesting(validate: ReturnType<typeof ajv.compile>): Validate {
  const suggest: Validate = (value) => {
    const isValid = validate(value) === true;
    suggest.errors = validate.errors?.map(withSuggestion) ?? null;
    return isValid;
  };
  return suggest;
}

function withSuggestion(error: ErrorObject): ErrorObject {
  const name = String(error.params["additionalProperty"]);
  const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
  const meant = error.keyword === "additionalProperties" ? suggestion(name, known) : "";
  // The reader of violations takes the message of a keyword that it does not know.
  return meant === ""
    ? error
    : { ...error, keyword: "unknown", message: `has the unknown property ${JSON.stringify(name)}${meant}` };
}
