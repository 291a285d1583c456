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

/** One violation a place: the branches of a union fail together and are told together. */
function toViolations(errors: readonly ErrorObject[]): Violation[] {
  const texts = new Map<string, Set<string>>();
  for (const error of errors.filter(({ keyword }) => keyword !== "anyOf")) {
    const { pointer, text } = toViolation(error);
    texts.set(pointer, (texts.get(pointer) ?? new Set()).add(text));
  }
  return [...texts].map(([pointer, set]) => ({ pointer, text: [...set].join(" or ") }));
}

function toViolation({ instancePath, keyword, params, message = keyword }: ErrorObject): Violation {
  switch (keyword) {
    case "additionalProperties":
      return { pointer: instancePath, text: `unknown property ${JSON.stringify(params["additionalProperty"])}` };
    case "required":
      return { pointer: instancePath, text: `missing property ${JSON.stringify(params["missingProperty"])}` };
    case "enum":
      return { pointer: instancePath, text: `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}` };
    default:
      return { pointer: instancePath, text: message };
  }
}
