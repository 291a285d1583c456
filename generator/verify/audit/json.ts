/**
 * Reads JSON strictly and with a limit on its depth, so that no walk over it overflows the stack.
 */
import { firstViolation, type Reader } from "../../../runtime/contract/validator.ts";
import { isObject, type JsonObject, parseJson } from "../../../runtime/text/json.ts";

/** A value, or its fault; a value that violates its schema is given with the fault. */
export type Json<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string; readonly value?: unknown };

/** The deepest document of a release, the API description, is about half as deep. */
const DEPTH_MAX = 64;

export function readJson(bytes: Uint8Array): Json {
  if (depthOf(bytes) > DEPTH_MAX) return { ok: false, fault: `nested deeper than ${DEPTH_MAX} levels` };
  const json = parseJson(bytes);
  if (json.ok) return json;
  return { ok: false, fault: json.refusal === "duplicate_name" ? "has a name twice in one object" : "not JSON" };
}

/** Reads JSON and checks it against its schema. */
export function readAs<T>(bytes: Uint8Array, parse: Reader<T>): Json<T> {
  const json = readJson(bytes);
  return json.ok ? judge(json.value, parse) : { ok: false, fault: json.fault };
}

/** Checks a value against its schema. */
export function judge<T>(value: unknown, parse: Reader<T>): Json<T> {
  const reading = parse(value);
  return reading.ok ? reading : { ok: false, fault: firstViolation(reading.violations, "", "it"), value };
}

/** The object, or undefined if it is not one. */
export function readObject(bytes: Uint8Array | undefined): JsonObject | undefined {
  const json = bytes === undefined ? undefined : readJson(bytes);
  return json?.ok === true ? asObject(json.value) : undefined;
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The only form of a JSON document in a release. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The value as JSON carries it: without undefined members and without prototypes. */
export function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The value at a path of names below a value; the name of an element is its position. */
export function memberAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return (inner as Readonly<Record<string, unknown>>)[name];
  }, value);
}

/**
 * The member as a string, or as JSON if it is not one: `String()` can throw for an object in a
 * hostile release.
 */
export function textAt(value: unknown, ...names: readonly string[]): string {
  const found = memberAt(value, ...names);
  if (typeof found === "string") return found;
  return found === undefined ? "undefined" : JSON.stringify(found);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Brackets are braces without this bit. */
const [OPEN, CLOSE, BRACE_BIT] = [0x7b, 0x7d, 0x20];

function depthOf(bytes: Uint8Array): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if ((byte | BRACE_BIT) === OPEN) deepest = Math.max(deepest, ++depth);
    else if ((byte | BRACE_BIT) === CLOSE) depth--;
  }
  return deepest;
}
