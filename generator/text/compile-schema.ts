/**
 * Compiles JSON Schema 2020-12 with Ajv, so that every validator of the generator has the same
 * settings: strict, no coercion, no removal, lengths in code points, every violation.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Reader, readerOf, type Validate } from "../../runtime/contract/validator.ts";
import type { Static, TSchema } from "../../runtime/contract/type.ts";

/**
 * Tests check our own schemas, so Ajv need not; and most validators run too rarely to repay
 * optimization.
 */
const fast = { meta: false, validateSchema: false, code: { optimize: false } } as const;
const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false, ...fast });

/**
 * Returns a reader for a schema. Call this at module load: the schema is compiled at first use,
 * because a command needs only a few.
 */
export function compileSchema<T extends TSchema>(schema: T): Reader<Static<T>> {
  let read: Reader<Static<T>> | undefined;
  return (value) => {
    read ??= readerOf(ajv.compile(schema) as Validate);
    return read(value);
  };
}
