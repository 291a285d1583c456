/**
 * Data extension: values of properties for concepts by their codes, in the forms of both versions.
 * An unknown code has no values; an unknown property is refused.
 */
import { type Problem, problem } from "../../../runtime/contract/problem.ts";
import { open } from "../../../runtime/contract/schema.ts";
import * as Type from "../../../runtime/contract/type.ts";
import { firstViolation } from "../../../runtime/contract/validator.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { textDirection } from "../../../runtime/text/direction.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { detailOf } from "./entities.ts";
import { type Property, propertyOf, type Value } from "./properties.ts";

/** Open like the schema of the specification: unknown members are ignored. */
const Extension = open({
  ids: Type.Array(Type.String()),
  properties: Type.Array(open({ id: Type.String(), settings: Type.Optional(open({})) })),
});
const readExtension = compileSchema(Extension);

/** The most concepts and properties in one data extension. */
const [IDS_MAX, PROPERTIES_MAX] = [100, 100];

type Cell = readonly [property: string, values: readonly Value[]];

interface Row {
  readonly id: string;
  readonly cells: readonly Cell[];
}

interface Table {
  readonly meta: readonly { readonly id: string; readonly name: string }[];
  readonly rows: readonly Row[];
}

/** The table that a value asks for, or the problem if it is refused. */
export function extend(
  index: RegistryIndex,
  properties: ReadonlyMap<string, Property>,
  value: unknown,
): Table | Problem {
  const reading = readExtension(value);
  if (!reading.ok) return problem("invalid_request", firstViolation(reading.violations, "", "The extension"));
  const { ids } = reading.value;
  const columns: Property[] = [];
  for (const id of new Set(reading.value.properties.map((one) => one.id))) {
    const property = propertyOf(properties, id);
    if (property === undefined)
      return problem(
        "invalid_request",
        `There is no property ${JSON.stringify(id)}; /suggest/property lists all properties`,
      );
    columns.push({ ...property, id });
  }
  if (ids.length > IDS_MAX || columns.length > PROPERTIES_MAX)
    return problem(
      "request_too_large",
      `An extension may have at most ${IDS_MAX} ids and ${PROPERTIES_MAX} properties`,
    );
  const rows = ids.map((id) => {
    const detail = detailOf(index, id);
    return { id, cells: columns.map((one) => [one.id, detail === undefined ? [] : one.valuesOf(detail)] as const) };
  });
  return { meta: columns.map(({ id, name }) => ({ id, name })), rows };
}

export function formatTable02({ meta, rows }: Table): object {
  return { meta, rows: Object.fromEntries(rows.map(({ id, cells }) => [id, Object.fromEntries(cells.map(cellOf02))])) };
}

function cellOf02([id, values]: Cell): [string, object] {
  return [id, values.map(({ text }) => ({ str: text }))];
}

export function formatTable10({ meta, rows }: Table): object {
  return { meta, rows: rows.map(({ id, cells }) => ({ id, properties: cells.map(cellOf10) })) };
}

function cellOf10([id, values]: Cell): object {
  const written = values.map(({ text, language }) => ({
    str: text,
    ...(language !== undefined && { lang: language, dir: textDirection(language) }),
  }));
  return { id, values: written };
}
