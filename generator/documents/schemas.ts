/** `/schemas/<name>.v1.json`: the published JSON Schemas, each with its address and its name. */
import { schemaConstant } from "../../runtime/contract/document.ts";
import type { SchemaName } from "../../runtime/contract/policy.ts";
import type { TSchema } from "../../runtime/contract/type.ts";
import { JSON_SCHEMA, publishedSchemas } from "../contract/published.ts";
import { schemaUrl, type View } from "../view/view.ts";

export function schemaDocument(view: View, name: SchemaName): unknown {
  return addressed(schemaUrl(view, name), schemaConstant(name), publishedSchemas[name]);
}

export function addressed(url: string, title: string, schema: TSchema): unknown {
  return { $schema: JSON_SCHEMA, $id: url, title, ...schema };
}
