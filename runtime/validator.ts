/**
 * Ajv (JSON Schema 2020-12) behind one function, so that every validator of the service has the same settings: strict,
 * no coercion, no removal, lengths in code points.
 */
import { type ErrorObject, Ajv2020 } from "ajv/dist/2020.js";
import type { Type } from "typebox";

/** One place where a value breaks its schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** What is wrong, without the value. */
  readonly text: string;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: readonly Violation[] };

const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });

/** Compiles a schema to a parser; compile once, at module load. */
export function compileSchema<T extends Type.TSchema>(schema: T): (value: unknown) => Reading<Type.Static<T>> {
  const validate = ajv.compile<Type.Static<T>>(schema);
  return (value) =>
    validate(value) ? { ok: true, value } : { ok: false, violations: toViolations(validate.errors ?? []) };
}

/** One violation a place: the branches of a union fail together and are alternatives, everything else holds at once. */
function toViolations(errors: readonly ErrorObject[]): Violation[] {
  const places = new Map<string, { alternatives: Set<string>; faults: Set<string> }>();
  for (const error of errors.filter(({ keyword }) => keyword !== "anyOf")) {
    const { pointer, text } = toViolation(error);
    const place = places.get(pointer) ?? { alternatives: new Set(), faults: new Set() };
    places.set(pointer, place);
    (error.schemaPath.includes("/anyOf/") ? place.alternatives : place.faults).add(text);
  }
  return [...places].map(([pointer, { alternatives, faults }]) => {
    const union = alternatives.size === 0 ? [] : [[...alternatives].join(" or ")];
    return { pointer, text: [...faults, ...union].join("; ") };
  });
}

function toViolation({ instancePath, keyword, params, message = keyword }: ErrorObject): Violation {
  switch (keyword) {
    case "additionalProperties":
      return {
        pointer: instancePath,
        text: `unknown property ${JSON.stringify(shorten(String(params["additionalProperty"])))}`,
      };
    case "required":
      return { pointer: instancePath, text: `missing property ${JSON.stringify(params["missingProperty"])}` };
    case "const":
      return { pointer: instancePath, text: `must be ${JSON.stringify(params["allowedValue"])}` };
    case "enum":
      return { pointer: instancePath, text: `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}` };
    default:
      return { pointer: instancePath, text: message };
  }
}

/** A name that somebody sent may be long; its beginning is enough to find it. */
function shorten(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
