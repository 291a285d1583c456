/**
 * Writes codes as a JSON Schema of one string (draft 2020-12): a constant for each code, with its
 * name as title and its definition as description.
 */
import { printableJson } from "../../../text/printable.ts";
import { type CodeList, type ListedCode, retirementOf } from "./code-list.ts";

export function* writeJsonSchema(list: CodeList): Generator<string, void> {
  const head = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "ConceptCode",
    description: `Codes of ${list.origin}, registry ${list.registryVersion}, content SHA-256 ${list.contentSha256}`,
    type: "string",
  };
  yield "{\n";
  for (const [member, value] of Object.entries(head)) yield `  ${JSON.stringify(member)}: ${printableJson(value)},\n`;
  let isOpen = false;
  for (const one of list) {
    yield `${isOpen ? "," : '  "oneOf": ['}\n    ${printableJson(constantOf(one))}`;
    isOpen = true;
  }
  // A list of alternatives must not be empty.
  yield isOpen ? "\n  ]\n}\n" : '  "not": {}\n}\n';
}

function constantOf({ code, name, concept, retired }: ListedCode): object {
  if (retired === undefined) return { const: code, title: name, description: concept.definition };
  return { const: code, title: name, description: retirementOf(retired), deprecated: true };
}
