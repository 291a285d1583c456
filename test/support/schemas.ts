/**
 * Judges live bodies, formats included (the runtime's own validator leaves them out): by the
 * contract's schemas, and by those that the service publishes, fetched over HTTP.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats, { type FormatsPlugin } from "ajv-formats";
import type { Type } from "typebox";
import { expect } from "vitest";
import { getJson } from "./documents.ts";
import type { Service } from "./service.ts";

const validators = new Map<Type.TSchema, ValidateFunction>();

/** Expects `value` to be an instance of `schema`, and gives it its type. */
export function expectSchema<T extends Type.TSchema>(schema: T, value: unknown): Type.Static<T> {
  const validate = validators.get(schema) ?? compileSchema(schema);
  validators.set(schema, validate);
  expect(validate(value) ? [] : validate.errors).toEqual([]);
  return value as Type.Static<T>;
}

/** Strict, all errors, `uri` checked. */
export function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  (addFormats as unknown as FormatsPlugin)(ajv, ["uri"]);
  return ajv;
}

/** One for all, because it compiles the schema of schemas first. */
const shared = makeAjv();

/** Compiles a schema that refers to no other. */
export function compileSchema(schema: object): ValidateFunction {
  const validate = shared.compile(schema);
  // Another of the same $id may follow.
  shared.removeSchema(schema);
  return validate;
}

/** Compiled once, by their text. */
const published = new Map<string, ValidateFunction>();

/** Compiles the schema at /schemas/<name>.v1.json. */
export async function publishedSchema(service: Service, name: string): Promise<ValidateFunction> {
  const schema = await getJson(service, `/schemas/${name}.v1.json`);
  const text = JSON.stringify(schema);
  const validate = published.get(text) ?? compileSchema(schema);
  published.set(text, validate);
  return validate;
}

export function expectValid(validate: ValidateFunction, value: unknown, what = ""): void {
  expect([what, validate(value) ? [] : validate.errors]).toEqual([what, []]);
}

/**
 * Where a valid value takes an undeclared member: pointers of objects, with `*` for array
 * positions. Open objects take anything; maps take another member of the kind they hold.
 */
export function openPlaces(validate: ValidateFunction, document: unknown): string[] {
  const open = new Set<string>();
  const seen = new Set<string>();
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value) && !seen.has(pointer)) {
      const held = value as Record<string, unknown>;
      for (const extra of ["urn:undeclared", true, ...Object.values(held).slice(0, 1)]) {
        held["undeclared"] = extra;
        if (validate(document)) open.add(pointer);
      }
      delete held["undeclared"];
      seen.add(pointer);
    }
    for (const [name, inner] of Object.entries(value)) visit(inner, `${pointer}/${Array.isArray(value) ? "*" : name}`);
  };
  visit(document, "");
  return [...open].sort();
}

/** Members that a valid value may lack: pointers, with `*` for array positions. */
export function optionalPlaces(validate: ValidateFunction, document: unknown): string[] {
  const optional = new Set<string>();
  const seen = new Set<string>();
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const place = `${pointer}/${Array.isArray(value) ? "*" : name}`;
      visit(inner, place);
      if (Array.isArray(value) || seen.has(place)) continue;
      seen.add(place);
      const held = value as Record<string, unknown>;
      delete held[name];
      if (validate(document)) optional.add(place);
      held[name] = inner;
    }
  };
  visit(document, "");
  return [...optional].sort();
}
