/**
 * The parts of a value that have the shape of its schema, so that rules can judge a record although
 * its shape has faults. A part of another type is replaced by a placeholder, and its place is lost:
 * whatever a rule says about it would be about the placeholder.
 */
import type { Static, TSchema } from "../../runtime/contract/type.ts";

export interface Shaped<T> {
  readonly value: T;
  /** JSON Pointers (RFC 6901) of the parts that say nothing. */
  readonly lost: readonly string[];
}

/** In place of a text that is missing. */
export const UNKNOWN = "…";

/** The keywords that the schemas of records use. */
interface Keywords {
  readonly type?: string;
  readonly anyOf?: readonly Keywords[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Keywords;
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
}

/** Undefined if the whole value is of another type. */
export function shapeOf<T extends TSchema>(schema: T, value: unknown): Shaped<Static<T>> | undefined {
  const lost: string[] = [];
  const shaped = fit(schema, value, { at: "", lost });
  return lost.includes("") ? undefined : { value: shaped as Static<T>, lost };
}

interface Position {
  readonly at: string;
  readonly lost: string[];
}

function fit(schema: Keywords, value: unknown, place: Position): unknown {
  const own = schema.anyOf?.find((one) => isOfType(one, value)) ?? schema;
  if (!isOfType(own, value)) {
    place.lost.push(place.at);
    return placeholder(own);
  }
  if (Array.isArray(value)) return value.map((one, i) => fit(own.items ?? {}, one, inside(place, String(i))));
  if (own.properties !== undefined) return fitMembers(own, value as Readonly<Record<string, unknown>>, place);
  if (typeof value === "string" && !saysSomething(own, value)) place.lost.push(place.at);
  return value;
}

/** An empty text, or one that is not of the form that gives it its meaning, has none. */
function saysSomething({ minLength = 0, pattern = "", enum: choices }: Keywords, text: string): boolean {
  return text.length >= minLength && new RegExp(pattern, "u").test(text) && choices?.includes(text) !== false;
}

function fitMembers(schema: Keywords, value: Readonly<Record<string, unknown>>, place: Position): unknown {
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => Object.hasOwn(value, name) || schema.required?.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, fit(member, value[name], inside(place, name))]));
}

/** The names of members of records need no escape. */
function inside({ at, lost }: Position, token: string): Position {
  return { at: `${at}/${token}`, lost };
}

function isOfType({ type, anyOf, enum: choices }: Keywords, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => isOfType(one, value));
  if (choices !== undefined) return typeof value === "string";
  return type === undefined || type === typeOf(value) || (type === "integer" && Number.isInteger(value));
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Rules ask only for texts, lists and records. */
function placeholder(schema: Keywords): unknown {
  if (schema.properties !== undefined) return fitMembers(schema, {}, { at: "", lost: [] });
  if (schema.type === "array") return [];
  return schema.anyOf?.some(({ type }) => type === "null") === true ? null : UNKNOWN;
}
