/**
 * Writes codes as a TypeScript module: an object of constants, the union type of its values, the
 * names, and the successors of retired codes. The texts are data or comments and cannot end either:
 * what is invisible or ends a line is escaped.
 */
import { printable, printableJson } from "../../../text/printable.ts";
import { type CodeList, type ListedCode, retirementOf } from "./code-list.ts";
import { identifierOf } from "./identifier.ts";

export function* writeTypeScript(list: CodeList, identifier = identifierOf): Generator<string, void> {
  yield `/**
 * Codes of ${comment(list.origin)}, registry ${comment(list.registryVersion)}.
 * Made by srs export: export again instead of editing.
 */
export const REGISTRY_VERSION = ${literal(list.registryVersion)};
/** SHA-256 of the published content. */
export const CONTENT_SHA256 = ${literal(list.contentSha256)};

/** Every code that the registry has or had. */
export const ConceptCode = {
`;
  for (const one of list) yield `${documentation(one)}  ${identifier(one.code)}: ${literal(one.code)},\n`;
  yield `} as const;
export type ConceptCode = (typeof ConceptCode)[keyof typeof ConceptCode];

export const conceptNames: Readonly<Record<ConceptCode, string>> = {
`;
  for (const { code, name } of list) yield `  ${literal(code)}: ${literal(name)},\n`;
  yield `};

/** The codes that are not published any more, with their successors. */
export const retiredCodes: Readonly<Partial<Record<ConceptCode, string | null>>> = {
`;
  for (const { code, retired } of list)
    if (retired !== undefined) yield `  ${literal(code)}: ${JSON.stringify(retired.replacedBy)},\n`;
  yield "};\n";
}

function documentation({ name, concept, retired }: ListedCode): string {
  if (retired === undefined) return `  /** ${comment(`${name}: ${concept.definition}`)} */\n`;
  return `  /**
   * ${comment(name)}
   * @deprecated ${comment(retirementOf(retired))}
   */
`;
}

/** On one line; a text can neither end the comment nor begin a tag. Editors show references. */
function comment(text: string): string {
  return printable(text).replaceAll("@", "&#64;").replaceAll("*/", "*&#47;");
}

function literal(text: string): string {
  return printableJson(text);
}
