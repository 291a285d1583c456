/** Judges live bodies by the contract's schemas, formats included (the runtime's own validator leaves them out). */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats, { type FormatsPlugin } from "ajv-formats";
import type { Type } from "typebox";
import { expect } from "vitest";

const ajv = new Ajv2020({ strict: true, allErrors: true });
(addFormats as unknown as FormatsPlugin)(ajv, ["uri"]);
const validators = new Map<Type.TSchema, ReturnType<typeof ajv.compile>>();

/** Expects `value` to be an instance of `schema`, and gives it its type. */
export function expectSchema<T extends Type.TSchema>(schema: T, value: unknown): Type.Static<T> {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  expect(validate(value) ? [] : validate.errors).toEqual([]);
  return value as Type.Static<T>;
}
