/** The schemas as this service publishes them, fetched over HTTP and compiled with formats. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats, { type FormatsPlugin } from "ajv-formats";
import { expect } from "vitest";
import { getJson } from "./documents.ts";
import type { Service } from "./service.ts";

/** Strict, all errors, `uri` checked. */
export function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  (addFormats as unknown as FormatsPlugin)(ajv, ["uri"]);
  return ajv;
}

/** Compiles the schema at /schemas/<name>.v1.json. */
export async function publishedSchema(service: Service, name: string): Promise<ValidateFunction> {
  return makeAjv().compile(await getJson(service, `/schemas/${name}.v1.json`));
}

export function expectValid(validate: ValidateFunction, value: unknown, what = ""): void {
  expect([what, validate(value) ? [] : validate.errors]).toEqual([what, []]);
}

/**
 * Where a valid value takes an undeclared member: pointers of objects, with `*` for array positions. Open objects take
 * anything; maps take another member of the kind they hold.
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
