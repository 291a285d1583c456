/**
 * Compares two JSON values and returns their differences with RFC 6901 pointers. Elements of an
 * array are matched by the members that identify them, so that an insertion is one change and not a
 * shift of all later elements. The order of members has no meaning (RFC 8259 §4).
 */
import { isObject, type JsonObject } from "../../../runtime/text/json.ts";
import { compareCodePoints } from "../../text/order.ts";
import type { JsonChange } from "./comparison.ts";
import { maskDigests } from "./follow.ts";

/**
 * Members that identify an element, best first. The first whose value is there in all elements of
 * both arrays, and distinct in each, is used.
 */
const IDENTITIES: readonly (readonly string[])[] = [
  ["language", "locale", "expression"],
  ...(
    "code id path url uri href anchor name key step rule reason recipeId contentLocation mediaType status language case " +
    "stage title what action descriptor $ref type"
  )
    .split(" ")
    .map((name) => [name]),
];

/** Where a walk is in both values, and the element it is in. */
interface Pointers {
  readonly a: string;
  readonly b: string;
  readonly of?: string;
}

/**
 * The changes that turn `a` into `b`; one change without values if they are nested too deeply to
 * walk or to print.
 */
export function jsonChanges(a: unknown, b: unknown): JsonChange[] {
  try {
    const changes = [...changesAt({ a: "", b: "" }, a, b)];
    if (!changes.some(({ before, after }) => isDeep(before) || isDeep(after))) return changes;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return [{ pointer: "", kind: "changed" }];
}

/** Far deeper than anything in a release, and far below the limit of the stack. */
const LEVELS_MAX = 500;

function isDeep(value: unknown, levels = LEVELS_MAX): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}

function* changesAt(place: Pointers, before: unknown, after: unknown): Generator<JsonChange, void> {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) yield* arrayChanges(place, before, after);
  else if (isObject(before) && isObject(after)) yield* memberChanges(place, before, after);
  else yield { ...changed("changed", place), before, after };
}

function* memberChanges(place: Pointers, before: JsonObject, after: JsonObject): Generator<JsonChange, void> {
  // Most members are the same on both sides, so only the few that differ are sorted.
  const names = Object.keys(before).filter((name) => !Object.hasOwn(after, name) || before[name] !== after[name]);
  names.push(...Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  for (const name of names.sort(compareCodePoints)) {
    const token = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const inside = { ...place, a: place.a + token, b: place.b + token };
    if (!Object.hasOwn(after, name)) yield { ...changed("removed", inside), before: before[name] };
    else if (!Object.hasOwn(before, name)) yield { ...changed("added", inside), after: after[name] };
    else yield* changesAt(inside, before[name], after[name]);
  }
}

function* arrayChanges(
  place: Pointers,
  before: readonly unknown[],
  after: readonly unknown[],
): Generator<JsonChange, void> {
  const names = namesOf(before, after);
  const [left, right] = names ?? keysByPosition(before, after);
  const [inLeft, inRight] = [positions(left), positions(right)];
  const inside = (i: number | undefined, j: number | undefined, key: string): Pointers => ({
    a: `${place.a}/${i}`,
    b: `${place.b}/${j}`,
    ...(names === undefined ? place.of !== undefined && { of: place.of } : { of: key }),
  });
  for (const [key, i] of inLeft) {
    if (!inRight.has(key)) yield { ...changed("removed", inside(i, undefined, key)), before: before[i] };
  }
  for (const [key, j] of inRight) {
    const i = inLeft.get(key);
    if (i === undefined) yield { ...changed("added", inside(undefined, j, key)), after: after[j] };
    else yield* changesAt(inside(i, j, key), before[i], after[j]);
  }
  const [stayed, now] = [left.filter((key) => inRight.has(key)), right.filter((key) => inLeft.has(key))];
  if (stayed.some((key, i) => key !== now[i])) yield { ...changed("reordered", place), before: stayed, after: now };
}

type Keys = readonly [before: readonly string[], after: readonly string[]];

/** The names of the elements of two arrays, if all names in each are distinct. */
function namesOf(before: readonly unknown[], after: readonly unknown[]): Keys | undefined {
  const elements = [...before, ...after];
  const distinct = (nameOf: (element: unknown) => string): Keys | undefined => {
    const names: Keys = [before.map(nameOf), after.map(nameOf)];
    return names.every((some) => new Set(some).size === some.length) ? names : undefined;
  };
  if (!elements.every(isObject))
    return elements.every((element) => typeof element !== "object") ? distinct(scalarName) : undefined;
  for (const members of IDENTITIES) {
    const areThere = elements.every((element) => members.every((name) => isIdentity(element[name])));
    const names = areThere ? distinct(memberNames(members)) : undefined;
    if (names !== undefined) return names;
  }
  return undefined;
}

function scalarName(element: unknown): string {
  return maskDigests(String(element));
}

/** The masked name: elements that differ only in a digest are the same thing. */
function memberNames(members: readonly string[]): (element: unknown) => string {
  return (element) =>
    maskDigests(members.flatMap((name) => (element as Record<string, string | number | null>)[name] ?? []).join(" "));
}

function isIdentity(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}

/**
 * For elements without identities: equal ones at both ends stay, those between are matched one by
 * one.
 */
function keysByPosition(before: readonly unknown[], after: readonly unknown[]): Keys {
  const [left, right] = [before.map((one) => JSON.stringify(one)), after.map((one) => JSON.stringify(one))];
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  const key = (i: number, length: number): string => (i < length - tail ? `${i}` : `end ${length - i}`);
  return [left.map((_, i) => key(i, left.length)), right.map((_, i) => key(i, right.length))];
}

function positions(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, i) => [key, i]));
}

function changed(kind: JsonChange["kind"], { a, b, of }: Pointers): Pick<JsonChange, "pointer" | "kind" | "of"> {
  return { pointer: kind === "removed" ? a : b, kind, ...(of !== undefined && { of }) };
}
