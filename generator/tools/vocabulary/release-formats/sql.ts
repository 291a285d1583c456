/**
 * Writes codes as SQL that makes and fills one table. The only way to end a literal of standard SQL
 * (ISO/IEC 9075-2, §5.3) is an apostrophe, and doubled it does not. MySQL also reads backslashes
 * unless a mode says otherwise; a comment that only MySQL reads sets this mode.
 */
import { CODE_MAX_LENGTH } from "../../../../runtime/contract/limits.ts";
import { ExportError } from "../../../text/export-error.ts";
import { printable } from "../../../text/printable.ts";
import { type CodeList, type ListedCode } from "./code-list.ts";

const ROWS_AT_ONCE = 500;

export function* writeSql(list: CodeList): Generator<string, void> {
  yield `-- Codes of ${printable(list.origin)}, registry ${printable(list.registryVersion)}
-- Content SHA-256 ${list.contentSha256}
-- Made by srs export: export again instead of editing. A code with retired_in is not published any more.
/*! SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES') */;
BEGIN;
CREATE TABLE concept_code (
  code VARCHAR(${CODE_MAX_LENGTH}) NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  definition TEXT,
  domain TEXT,
  retired_in TEXT,
  replaced_by VARCHAR(${CODE_MAX_LENGTH}),
  reason TEXT
);
`;
  let count = 0;
  for (const one of list) {
    const isFirst = count++ % ROWS_AT_ONCE === 0;
    const before = isFirst ? `${count > 1 ? ";\n" : ""}INSERT INTO concept_code VALUES\n` : ",\n";
    yield `${before}(${cellsOf(one).map(literal).join(", ")})`;
  }
  yield `${count > 0 ? ";\n" : ""}COMMIT;\n`;
}

function cellsOf({ code, name, concept, retired }: ListedCode): readonly (string | null | undefined)[] {
  return [code, name, concept?.definition, concept?.domain, retired?.retiredIn, retired?.replacedBy, retired?.reason];
}

function literal(text: string | null | undefined): string {
  if (text === null || text === undefined) return "NULL";
  if (text.includes("\0")) throw new ExportError(`${JSON.stringify(text)} has a NUL, which SQL cannot hold`);
  return `'${text.replaceAll("'", "''")}'`;
}
