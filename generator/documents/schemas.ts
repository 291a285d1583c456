/** `/schemas/<name>.v1.json`: the published JSON Schemas. */
import { schemaConstant } from "../../runtime/contract/document.ts";
import { publishedSchemas } from "../contract/published.ts";
import type { SchemaName } from "../../runtime/contract/policy.ts";
import { schemaUrl, type View } from "../view/view.ts";

export function schemaDocument(view: View, name: SchemaName): unknown {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUrl(view, name),
    title: schemaConstant(name),
    ...publishedSchemas[name],
  };
}
