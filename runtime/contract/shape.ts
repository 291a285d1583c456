/**
 * Whether a value is what a schema describes, for the keywords of JSON Schema 2020-12 that the runtime's schemas have. It only
 * ever says yes: whatever else there is, Ajv judges and says why (validator.ts). Ajv takes as long to load and to compile a few
 * schemas as everything else that a server does before its first answer. Tests hold the two together.
 */
import { countCodePoints } from "../text/expression.ts";

export type Check = (value: unknown) => boolean;

/** The check of a schema; undefined where a keyword is not known here. */
export function checkOf(schema: unknown): Check | undefined {
  if (!isObject(schema)) return undefined;
  const checks: Check[] = [];
  for (const [keyword, argument] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = KEYWORDS[keyword]?.(argument, schema);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return (value) => checks.every((check) => check(value));
}

/** What describes, and restricts nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set(["title", "description", "default", "examples", "format"]);

/** By keyword: its check, or undefined for an argument that is not known here. */
const KEYWORDS: Readonly<Record<string, (argument: unknown, schema: object) => Check | undefined>> = {
  type: (name) => (typeof name === "string" ? TYPES[name] : undefined),
  const: (only) => (isObject(only) ? undefined : (value) => value === only),
  enum: (values) => (Array.isArray(values) && !values.some(isObject) ? (value) => values.includes(value) : undefined),
  minimum: (limit) => (value) => typeof value !== "number" || value >= Number(limit),
  maximum: (limit) => (value) => typeof value !== "number" || value <= Number(limit),
  minLength: (limit) => (value) => typeof value !== "string" || countCodePoints(value) >= Number(limit),
  maxLength: (limit) => (value) => typeof value !== "string" || countCodePoints(value) <= Number(limit),
  pattern(source) {
    const pattern = new RegExp(String(source), "u");
    return (value) => typeof value !== "string" || pattern.test(value);
  },
  minItems: (limit) => (value) => !Array.isArray(value) || value.length >= Number(limit),
  maxItems: (limit) => (value) => !Array.isArray(value) || value.length <= Number(limit),
  items(schema) {
    const check = checkOf(schema);
    return check && ((value) => !Array.isArray(value) || value.every(check));
  },
  anyOf(schemas) {
    const checks = Array.isArray(schemas) ? all(schemas.map(checkOf)) : undefined;
    return checks && ((value) => checks.some((check) => check(value)));
  },
  required: (names) => (value) => !isRecord(value) || (names as string[]).every((name) => Object.hasOwn(value, name)),
  properties(schemas) {
    const names = Object.keys(schemas as object);
    const checks = all(Object.values(schemas as object).map(checkOf));
    return (
      checks &&
      ((value) =>
        !isRecord(value) || names.every((name, i) => !Object.hasOwn(value, name) || checks[i]?.(value[name]) === true))
    );
  },
  additionalProperties(more, { properties = {}, ...schema }: { properties?: object }) {
    if (more === true) return () => true;
    if (more !== false || "patternProperties" in schema) return undefined;
    const known = new Set(Object.keys(properties));
    return (value) => !isRecord(value) || Object.keys(value).every((name) => known.has(name));
  },
};

const TYPES: Readonly<Record<string, Check>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: isRecord,
};

function all(checks: (Check | undefined)[]): Check[] | undefined {
  return checks.every((check) => check !== undefined) ? checks : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
