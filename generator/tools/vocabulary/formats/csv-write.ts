/**
 * Writes a registry as CSV from which readCsv restores every record: RFC 4180 with CR LF, in code
 * order. Values without a column are JSON in `details`. Text that UTF-8 cannot hold is refused,
 * never changed.
 */
import { matchesOf } from "../../../registry/publish.ts";
import { quote } from "../../../text/printable.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import { formatRows, ROW_MAX_BYTES } from "../../../text/delimited.ts";
import { type Column, COLUMNS } from "./csv-columns.ts";
import { guardFormula } from "../../../text/formula.ts";
import { inCodeOrder, inLanguages, type RegistryRecords, unsaidCodes } from "./writing.ts";
import { vocabularyOf } from "../../../registry/vocabulary-fields.ts";
import { ExportError } from "../../../text/export-error.ts";

/** Values to write: null and empty give the same cell, and `details` distinguishes them. */
type CsvRecord = Readonly<Partial<Record<Column, string | null | undefined>>>;
type Row = readonly (string | undefined)[];

const ROWS_AT_ONCE = 500;

/** Yields the file in pieces; throws ExportError for a record that a CSV file cannot hold. */
export function* writeCsv(
  registry: RegistryRecords,
  { languages }: { readonly languages?: readonly string[] | undefined } = {},
): Generator<string, void> {
  let rows: Row[] = [[...COLUMNS]];
  for (const cells of allRows(registry, chooseLanguages(languages))) {
    rows.push(rowOf(cells));
    if (rows.length < ROWS_AT_ONCE) continue;
    yield formatRows(rows);
    rows = [];
  }
  if (rows.length > 0) yield formatRows(rows);
}

function rowOf(cells: CsvRecord): Row {
  let length = 0;
  const row = COLUMNS.map((column) => {
    const cell = cells[column] ?? "";
    if (cell === "") return undefined;
    if (!cell.isWellFormed()) throw refusal(cells, `${column} has half of a surrogate pair, which UTF-8 cannot hold`);
    if (cell.includes("\0")) throw refusal(cells, `${column} has a NUL, which CSV cannot hold`);
    length += cell.length;
    return guardFormula(cell);
  });
  // No UTF-16 unit takes more than three bytes.
  if (length * 3 > ROW_MAX_BYTES && Buffer.byteLength(row.join()) > ROW_MAX_BYTES)
    throw refusal(cells, `a row would be longer than ${ROW_MAX_BYTES >> 20} MiB`);
  return row;
}

function refusal({ entry = "expression", code }: CsvRecord, what: string): ExportError {
  const where = typeof code === "string" ? `Concept ${quote(code)}` : "The registry";
  return new ExportError(`${where}, row of ${entry}: ${what}. Fix the record, then export again`);
}

function* allRows(records: RegistryRecords, takes: (tag: string) => boolean): Generator<CsvRecord, void> {
  const { registry, concepts, retired, vocabularies = [] } = records;
  if (registry !== undefined) yield { entry: "registry", details: JSON.stringify(registry) };
  let before: string | undefined;
  for (const { record } of inCodeOrder(concepts)) {
    if (record.code === before)
      throw new ExportError(`Two concepts have the code ${quote(before)}, and a row could be of either`);
    before = record.code;
    yield* conceptRows(inLanguages(record, takes));
  }
  for (const { code, sourceId, name, replacedBy, retiredIn, reason } of retired)
    yield { entry: "retired", code, sourceId, name, replacedBy, retiredIn, reason };
  for (const { code, sourceId } of unsaidCodes(records)) yield { entry: "mapped", code, sourceId };
  for (const line of vocabularies) yield { entry: "vocabulary", details: JSON.stringify(line) };
}

function* conceptRows(record: ConceptRecord): Generator<CsvRecord, void> {
  const { code, name, definition, domain, provenance } = record;
  const { source, license, sourceId, reviewedBy, reviewedAt } = provenance ?? {};
  const columns = { code, sourceId, name, definition, domain, source, license, reviewedBy, reviewedAt };
  yield { entry: "concept", ...columns, details: conceptDetails(record) };
  for (const expression of record.expressions) yield expressionRow(code, expression);
  for (const { language, label } of record.hiddenLabels ?? [])
    yield { entry: "hidden", code, language, expression: label };
  for (const { type, descriptor, unicodeSequence, confidence } of record.renderings ?? []) {
    const details = JSON.stringify({ unicodeSequence, confidence });
    yield { entry: "rendering", code, expression: descriptor, type, details };
  }
}

function conceptDetails(record: ConceptRecord): string {
  const { definition, provenance, renderings, hiddenLabels } = record;
  return detailsOf({
    definition: definition === null || definition === "" ? definition : undefined,
    provenance: provenance === null ? null : undefined,
    ...matchesOf(provenance),
    vocabulary: vocabularyOf(record),
    renderings: renderings?.length === 0 ? [] : undefined,
    hiddenLabels: hiddenLabels?.length === 0 ? [] : undefined,
  });
}

function expressionRow(code: string, record: ExpressionRecord): CsvRecord {
  const { language, locale, equivalenceStrength, provenance, ...cells } = record;
  const details = detailsOf({
    locale: locale === null ? null : undefined,
    parted: locale === undefined && !PLAIN_TAG.test(language) ? true : undefined,
    provenance,
  });
  return { code, language, locale, ...cells, equivalenceStrength: String(equivalenceStrength), details };
}

/** A language, alone or with a script: a reader splits such a tag into exactly that `language`. */
const PLAIN_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?$/;

/** JSON of the details, or an empty text if there are none. */
function detailsOf(details: object): string {
  const json = JSON.stringify(details);
  return json === "{}" ? "" : json;
}
