/**
 * Writes codes as a Python module: an enumeration whose members are strings, the names, and the
 * successors of retired codes. The texts are data or comments and cannot end either: what is
 * invisible or ends a line is escaped.
 */
import { printable } from "../../../text/printable.ts";
import { type CodeList, type ListedCode, retirementOf } from "./code-list.ts";
import { identifierOf } from "./identifier.ts";

/** PEP 263 reads an encoding from the first two lines, so no text of a registry is in them. */
export function* writePython(list: CodeList, identifier = identifierOf): Generator<string, void> {
  const member = (code: string): string => `ConceptCode.${identifier(code)}`;
  yield `"""Codes of a registry. Made by srs export: export again instead of editing."""

from enum import Enum
from typing import Dict, Optional

# Codes of ${printable(list.origin)}
REGISTRY_VERSION = ${literal(list.registryVersion)}
#: SHA-256 of the published content.
CONTENT_SHA256 = ${literal(list.contentSha256)}


class ConceptCode(str, Enum):
    """Every code that the registry has or had."""

    def __str__(self) -> str:
        return str(self.value)

`;
  for (const one of list) yield `    #: ${description(one)}\n    ${identifier(one.code)} = ${literal(one.code)}\n`;
  yield "\n\nNAMES: Dict[ConceptCode, str] = {\n";
  for (const { code, name } of list) yield `    ${member(code)}: ${literal(name)},\n`;
  yield `}

#: The codes that are not published any more, with their successors.
RETIRED: Dict[ConceptCode, Optional[str]] = {
`;
  for (const { code, retired } of list)
    if (retired !== undefined)
      yield `    ${member(code)}: ${retired.replacedBy === null ? "None" : literal(retired.replacedBy)},\n`;
  yield "}\n";
}

function description({ name, concept, retired }: ListedCode): string {
  return printable(
    retired === undefined ? `${name}: ${concept.definition}` : `${name}. Deprecated: ${retirementOf(retired)}`,
  );
}

/** JSON's escapes are Python's, except that a pair of surrogates is not one character in Python. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return `\\U${hex.padStart(8, "0")}`;
  });
}
