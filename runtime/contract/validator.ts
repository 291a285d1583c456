/**
 * Reads values from outside according to their schemas. Ajv (JSON Schema 2020-12) compiles each
 * schema to a validator: when lib/ is made for the runtime (generator/contract/validators.ts), at
 * first use for the builder (generator/text/compile-schema.ts).
 */

/** One place where a value violates its schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The reasons, without the value; at least one. */
  readonly reasons: readonly string[];
}

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: readonly Violation[] };

export type Reader<T> = (value: unknown) => Validated<T>;

/** A function compiled by Ajv; `errors` has those of its last call. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** The members of an Ajv error that the reasons are made from. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Returns a reader that accepts the values that the validator accepts. */
export function readerOf<T>(validate: Validate): Reader<T> {
  return (value) =>
    validate(value) ? { ok: true, value: value as T } : { ok: false, violations: toViolations(validate.errors ?? []) };
}

/**
 * The first violation as a short sentence for a caller. `root` is written in front of members;
 * `whole` is the name of the value itself.
 */
export function firstViolation(violations: readonly Violation[], root: string, whole = root): string {
  const { pointer = "", reasons = [] } = violations[0] ?? {};
  const members = pointer.split("/").slice(1).map(formatMember).join("");
  return `${root + members === "" ? whole : (root + members).replace(/^\./, "")} ${reasons[0] ?? "has a wrong shape"}`;
}

/** A reference token of a JSON Pointer, written as a property access. */
function formatMember(token: string): string {
  const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
  if (/^[0-9]+$/.test(name)) return `[${name}]`;
  return /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(shorten(name))}]`;
}

/** One violation per place. Failed branches of a union form one reason, joined by `or`. */
function toViolations(errors: readonly SchemaError[]): Violation[] {
  const places = new Map<string, { alternatives: Set<string>; reasons: Set<string> }>();
  const aside = new Set(errors.flatMap((_error, i) => otherTypes(errors, i)));
  for (const error of errors.filter((one) => one.keyword !== "anyOf" && !aside.has(one))) {
    const place = places.get(error.instancePath) ?? { alternatives: new Set(), reasons: new Set() };
    places.set(error.instancePath, place);
    (error.schemaPath.includes("/anyOf/") ? place.alternatives : place.reasons).add(reasonOf(error));
  }
  return [...places].map(([pointer, { alternatives, reasons }]) => {
    const union = [...alternatives].map((text, i) => (i === 0 ? text : text.replace(/^must be /, ""))).join(" or ");
    return { pointer, reasons: union === "" ? [...reasons] : [...reasons, union] };
  });
}

/**
 * The branches of the union that fails at `end` that are of another type than the value, if one is
 * of its type: an object with a fault is no attempt at null. The errors of branches come first.
 */
function otherTypes(errors: readonly SchemaError[], end: number): SchemaError[] {
  const union = errors[end];
  if (union?.keyword !== "anyOf") return [];
  let start = end;
  while (start > 0 && errors[start - 1]?.schemaPath.startsWith(`${union.schemaPath}/`) === true) start--;
  const branches = errors.slice(start, end);
  const others = branches.filter((one) => one.keyword === "type" && one.instancePath === union.instancePath);
  return others.length < branches.length ? others : [];
}

const TYPES: Readonly<Record<string, string>> = { integer: "an integer", object: "an object", array: "an array" };

function reasonOf({ keyword, params, message = keyword }: SchemaError): string {
  const limit = Number(params["limit"]);
  switch (keyword) {
    case "type":
      return `must be ${TYPES[String(params["type"])] ?? `a ${String(params["type"])}`}`;
    case "minLength":
      return `must have at least ${limit} character${limit === 1 ? "" : "s"}`;
    case "maxLength":
      return `must have at most ${limit} character${limit === 1 ? "" : "s"}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "additionalProperties":
      return `has the unknown property ${JSON.stringify(shorten(String(params["additionalProperty"])))}`;
    case "required":
      return `lacks the property ${JSON.stringify(params["missingProperty"])}`;
    case "const":
      return `must be ${JSON.stringify(params["allowedValue"])}`;
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    default:
      return message;
  }
}

/** A name from a request may be long; its beginning is enough to find it. */
function shorten(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
