/**
 * Reads the query batches of both versions. A batch is read as a whole or refused as a whole, with
 * the name of the query that is wrong: a query that failed must not look like one that found
 * nothing.
 * Source: Reconciliation Service API 0.2 and 1.0-draft, "Structure of a Reconciliation Query".
 */
import { type Problem, problem } from "../../../runtime/contract/problem.ts";
import { closed, open } from "../../../runtime/contract/schema.ts";
import * as Type from "../../../runtime/contract/type.ts";
import { firstViolation } from "../../../runtime/contract/validator.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import type { Constraint, Query } from "./match.ts";
import { LANGUAGE, type Property, propertyOf } from "./properties.ts";

/** The most queries in one batch; the manifest names this limit. */
export const BATCH_MAX = 100;

/** The queries by the names of their results; in the array of version 1.0 these are positions. */
export type Batch = readonly (readonly [name: string, query: Query])[];
export type Properties = ReadonlyMap<string, Property>;

// Closed or open like the schemas of the specification; an open one ignores unknown members.
const Text = Type.String();
const PropertyValue = Type.Union([Text, Type.Number(), Type.Boolean(), open({ id: Text })]);
const PropertyValues = Type.Union([PropertyValue, Type.Array(PropertyValue)]);
const Direction = Type.Optional(Type.Enum(["ltr", "rtl", "auto"]));
const Limit = Type.Optional(Type.Integer({ minimum: 1 }));

const Query02 = closed({
  query: Type.Optional(Text),
  type: Type.Optional(Type.Union([Text, Type.Array(Text)])),
  type_strict: Type.Optional(Type.Enum(["any", "should", "all"])),
  limit: Limit,
  properties: Type.Optional(Type.Array(open({ pid: Text, v: PropertyValues }))),
  /** Not in the specification of this version; the next version has it. */
  lang: Type.Optional(Text),
});

const Condition = open({
  matchType: Type.Enum(["name", "id", "property"]),
  propertyId: Type.Optional(Text),
  propertyValue: PropertyValues,
  required: Type.Optional(Type.Boolean()),
  matchQuantifier: Type.Optional(Type.Enum(["any", "all", "none"])),
  matchQualifier: Type.Optional(Text),
  lang: Type.Optional(Text),
  dir: Direction,
});
const Query10 = closed({
  conditions: Type.Array(Condition, { minItems: 1 }),
  type: Type.Optional(Text),
  limit: Limit,
  lang: Type.Optional(Text),
  dir: Direction,
});

const readQuery02 = compileSchema(Query02);
const readQuery10 = compileSchema(Query10);
const readBatch02 = compileSchema(open({}));
const readBatch10 = compileSchema(open({ queries: Type.Array(Type.Unknown()) }));

/** Reads an object of queries by name; `language` is for queries that name none. */
export function readQueries02(value: unknown, properties: Properties, language?: string): Batch | Problem {
  const batch = readBatch02(value);
  if (!batch.ok) return wrong(firstViolation(batch.violations, "", "The batch"));
  return readAll(Object.entries(batch.value), (name, written) => {
    const reading = readQuery02(written);
    if (!reading.ok) return wrong(firstViolation(reading.violations, name));
    const { query, type, limit, lang, properties: given = [] } = reading.value;
    if (query === undefined && given.length === 0) return wrong(`${name} has neither query nor properties`);
    const constraints: Constraint[] = [];
    let named = lang ?? language;
    for (const { pid, v } of given) {
      const values = textsOf(v);
      const constraint = constrain(properties, { id: pid, values });
      if (constraint === undefined) return wrong(unknownProperty(name, pid));
      if (pid !== LANGUAGE) constraints.push(constraint);
      else if (values.length === 1) named = values[0];
      else return wrong(`${name} names ${values.length} languages`);
    }
    return { expression: query, language: named, types: typeof type === "string" ? [type] : type, limit, constraints };
  });
}

/**
 * Reads `{ queries: [...] }`. A property that is not required only ranks candidates, which all have
 * the same rank here.
 */
export function readQueries10(value: unknown, properties: Properties): Batch | Problem {
  const batch = readBatch10(value);
  if (!batch.ok) return wrong(firstViolation(batch.violations, "", "The batch"));
  const numbered = batch.value.queries.map((query, i) => [`queries[${i}]`, query] as const);
  return readAll(numbered, (name, written) => {
    const reading = readQuery10(written);
    if (!reading.ok) return wrong(firstViolation(reading.violations, name));
    const { conditions, type, limit, lang } = reading.value;
    const names = conditions.filter(({ matchType }) => matchType === "name");
    // Ignoring it would let a name match that the query rules out.
    if (names.some((one) => one.matchQuantifier === "none" && textsOf(one.propertyValue).length > 0))
      return wrong(`${name} has the matchQuantifier "none" for a name; the name is what is looked up`);
    const [named, ...others] = names.flatMap((one) => textsOf(one.propertyValue).map((text) => ({ ...one, text })));
    if (others.length > 0) return wrong(`${name} has more than one name`);
    const constraints: Constraint[] = [];
    for (const { matchType, propertyId, propertyValue, required, ...how } of conditions) {
      if (how.matchQualifier !== undefined) return wrong(`${name} has a matchQualifier; texts are compared exactly`);
      if (matchType === "name") continue;
      const id = matchType === "id" ? "id" : propertyId;
      if (id === undefined) return wrong(`${name} has a condition without a propertyId`);
      const written10 = { id, values: textsOf(propertyValue), quantifier: how.matchQuantifier };
      const constraint = constrain(properties, written10);
      if (constraint === undefined) return wrong(unknownProperty(name, id));
      if (required === true || matchType === "id") constraints.push(constraint);
    }
    const types = type === undefined ? undefined : [type];
    return { expression: named?.text, language: named?.lang ?? lang, types, limit, constraints };
  });
}

function readAll(
  written: readonly (readonly [string, unknown])[],
  read: (name: string, query: unknown) => Query | Problem,
): Batch | Problem {
  if (written.length > BATCH_MAX) return problem("request_too_large", `A batch may have at most ${BATCH_MAX} queries`);
  const batch: (readonly [string, Query])[] = [];
  for (const [name, value] of written) {
    const query = read(name, value);
    if ("status" in query) return query;
    batch.push([name, query]);
  }
  return batch;
}

interface WrittenQuery {
  readonly id: string;
  readonly values: readonly string[];
  readonly quantifier?: Constraint["quantifier"] | undefined;
}

const CODE: Property = { id: "id", name: "Code", description: "The code", valuesOf: ({ code }) => [{ text: code }] };

function constrain(properties: Properties, { id, values, quantifier = "any" }: WrittenQuery): Constraint | undefined {
  const property = id === CODE.id ? CODE : propertyOf(properties, id);
  return property && { property, values, quantifier };
}

type Given = Type.Static<typeof PropertyValues>;

function textsOf(given: Given): readonly string[] {
  return (Array.isArray(given) ? given : [given]).map((value) =>
    typeof value === "object" ? value.id : String(value),
  );
}

function unknownProperty(name: string, id: string): string {
  return `${name} has the property ${JSON.stringify(id)}, which this service does not have; /suggest/property lists its properties`;
}

function wrong(message: string): Problem {
  return problem("invalid_request", message);
}
