/**
 * The fields of a request and of its answer as rows: name, type, bounds, a sentence. They come from
 * the schemas that validate them.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { schemaPath, schemaNames } from "../../runtime/contract/policy.ts";
import { publishedSchemas } from "../contract/published.ts";
import type { ComponentName } from "../openapi/components.ts";
import { contract } from "../contract/schemas.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import { noteOf } from "./field-notes.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface Field {
  /** With the names of its parents: `data.concept.code`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** What it means, in a sentence. */
  readonly note: string;
}

/** A field with its description in the schema, if it has one there. */
type Row = Omit<Field, "note"> & { readonly description: string | undefined };

export interface Fields {
  readonly schema: string;
  /** The path at which the schema is published. */
  readonly path: string;
  readonly rows: readonly Field[];
}

/** Null instead of undefined, for a template. */
export function fieldsOf({ paths: all, components }: OpenApi, path: string, method: string) {
  const operation = (all[path] as Readonly<Record<string, { requestBody?: unknown; responses: object }>>)[method];
  const schemas = components["schemas"] as Schemas;
  const { responses = {} } = operation ?? {};
  const tabled = (body: unknown): Fields | null => {
    const name = componentOf(body);
    const rows = name === undefined ? [] : rowsOf(schemas, { $ref: name }, ["", 0]);
    return name === undefined || rows.length === 0
      ? null
      : { schema: name, path: publishedPath(name), rows: rows.map((row) => noted(name, row)) };
  };
  return { request: tabled(operation?.requestBody), answer: tabled((responses as Record<string, unknown>)["200"]) };
}

function noted(schema: string, { description, ...row }: Row): Field {
  return { ...row, note: description ?? noteOf(schema, row.name) };
}

/** The name of the component that describes a body. */
function componentOf(body: unknown): string | undefined {
  const { content = {} } = (body ?? {}) as { content?: Readonly<Record<string, { schema?: Schema }>> };
  return Object.values(content)[0]?.schema?.$ref?.replace(/^.*\//, "");
}

/** The path of the component's own schema, or of the whole description if it has none. */
function publishedPath(component: string): string {
  const own = schemaNames.find((name) => publishedSchemas[name] === contract[component as ComponentName]);
  return own === undefined ? paths.openapi : schemaPath(own);
}

/** The maximum depth of nested fields, and the maximum number of rows. */
const DEPTH = 3;
const ROWS = 24;

type Schemas = Readonly<Record<string, Schema>>;

function rowsOf(schemas: Schemas, schema: Schema, [prefix, depth]: [prefix: string, depth: number]): Row[] {
  const { properties = {}, required = [] } = resolved(schemas, schema);
  const rows = Object.entries(properties).map(([name, field]): Row[] => {
    const isRequired = required.includes(name);
    const { description } = resolved(schemas, field);
    const row = { name: prefix + name, type: typeOf(schemas, field), isRequired, description };
    const [inner, mark] = innerOf(schemas, field);
    return [row, ...(depth < DEPTH && inner ? rowsOf(schemas, inner, [`${prefix}${name}${mark}.`, depth + 1]) : [])];
  });
  const all = rows.flat();
  // For documents with many parts, list only their own fields.
  return all.length > ROWS ? rows.flatMap(([own]) => own ?? []) : all;
}

function resolved(schemas: Schemas, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.replace(/^.*\//, "")] ?? {});
}

/** The object that a field is, may be or lists, and the suffix that marks a list. */
function innerOf(schemas: Schemas, field: Schema): [Schema | undefined, string] {
  const whole = resolved(schemas, field);
  if (whole.type === "array" && whole.items !== undefined) return [innerOf(schemas, whole.items)[0], "[]"];
  const some = whole.anyOf?.map((one) => innerOf(schemas, one)[0]).find((one) => one !== undefined);
  return [whole.properties === undefined ? some : whole, ""];
}

function typeOf(schemas: Schemas, field: Schema): string {
  const whole = resolved(schemas, field);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.enum !== undefined) return whole.enum.map((one) => JSON.stringify(one)).join(" or ");
  if (whole.anyOf !== undefined) return whole.anyOf.map((one) => typeOf(schemas, one)).join(" or ");
  if (whole.type === "array" && whole.items !== undefined) return `array of ${typeOf(schemas, whole.items)}`;
  return [whole.type ?? "any", boundsOf(whole)].filter((text) => text !== "").join(", ");
}

function boundsOf({ type, format, minLength, maxLength, minimum }: Schema): string {
  if (type === "string" && maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
  if (format !== undefined) return format;
  return minimum === undefined ? "" : `at least ${minimum}`;
}
