/**
 * Reads and writes the sheet as XLSX (ISO/IEC 29500), by hucre. Every cell that is written is text,
 * so that nothing from the registry is ever a formula; a formula that somebody else wrote is never
 * evaluated. What is read is first unpacked within limits, and the library gets only the parts that
 * are XML, stored: no other reader of ZIP decides what the file holds, and macros are not read.
 */
import { types } from "node:util";
import { readXlsx, writeXlsx, type CellValue, type Sheet } from "hucre/xlsx";
import { archive, type ArchiveFile } from "../../../archives/archive.ts";
import { ArchiveError } from "../../../archives/tar.ts";
import { readZip } from "../../../archives/zip.ts";
import {
  type Cell,
  type Cells,
  type Column,
  COLUMNS,
  DECISIONS,
  type Line,
  ROWS_MAX,
  SheetError,
  TOO_MANY,
} from "./columns.ts";

const NAME = "Review";
/** Of its parts together, unpacked. */
const UNPACKED_MAX = 1 << 27;
/** More columns are not read; a person may add some of their own. */
const RANGE = "A1:AZ1048576";
/** An old .xls, or a workbook with a password. */
const OLE = Buffer.from("d0cf11e0a1b11ae1", "hex");

const WIDTHS: Partial<Record<Column, number>> = {
  concept: 24,
  definition: 48,
  expression: 32,
  "equal elsewhere": 32,
  "near elsewhere": 32,
  note: 32,
};

/** The same rows always give the same bytes. */
export function writeWorkbook(rows: readonly Cells[]): Promise<Uint8Array> {
  const decision = letterOf(COLUMNS.indexOf("decision"));
  return writeXlsx({
    // Without a time, the library takes that of the clock.
    properties: { created: new Date(0), modified: new Date(0) },
    sheets: [
      {
        name: NAME,
        // As text, so that a spreadsheet makes no date or formula of what somebody types.
        columns: COLUMNS.map((column) => ({
          width: WIDTHS[column] ?? 12,
          style: { numFmt: "@", alignment: { wrapText: true, vertical: "top" as const } },
        })),
        rows: [[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => escaped(row[column])))],
        freezePane: { rows: 1 },
        autoFilter: { range: `A1:${letterOf(COLUMNS.length - 1)}${rows.length + 1}` },
        dataValidations: [
          {
            type: "list",
            values: [...DECISIONS],
            range: `${decision}2:${decision}${Math.max(2, rows.length + 1)}`,
            allowBlank: true,
            showErrorMessage: true,
            errorTitle: "Decision",
            errorMessage: `Choose ${DECISIONS.join(" or ")}, or leave it empty`,
          },
        ],
      },
    ],
  });
}

/** `_x0041_` in a cell would be read as A (ISO/IEC 29500-1 §22.9.2.19). */
function escaped(text = ""): string | null {
  return text === "" ? null : text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_");
}

function letterOf(index: number): string {
  return String.fromCodePoint("A".charCodeAt(0) + index);
}

/**
 * Returns the rows that are not empty, with the header first. Throws SheetError for what is not a
 * workbook, has macros or merged cells, or is too large.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Line[]> {
  if (Buffer.from(bytes.subarray(0, OLE.length)).equals(OLE))
    throw new SheetError("it has a password or is an old .xls: save it as .xlsx without a password");
  const parts = await partsOf(bytes);
  let sheets: readonly Sheet[];
  try {
    ({ sheets } = await readXlsx(await archive(parts), { range: RANGE, maxRows: ROWS_MAX + 2 }));
  } catch (error) {
    throw new SheetError(`it is not a workbook (${(error as Error).message}): save it again as .xlsx`);
  }
  return linesOf(sheetOf(sheets));
}

async function partsOf(bytes: Uint8Array): Promise<Map<string, ArchiveFile>> {
  const parts = new Map<string, ArchiveFile>();
  try {
    for await (const { path, chunks } of readZip(bytes, UNPACKED_MAX)) {
      if (/(?:^|\/)vbaProject\.bin$/i.test(path)) throw new SheetError("it has macros: save it as .xlsx, without them");
      const pieces: Uint8Array[] = [];
      for await (const chunk of chunks) pieces.push(chunk);
      if (/\.(?:xml|rels)$/i.test(path)) parts.set(path, { bytes: Buffer.concat(pieces), executable: false });
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new SheetError(`it is not a whole .xlsx (${error.message}): get it again, or save it again as .xlsx`);
  }
  return parts;
}

function sheetOf(sheets: readonly Sheet[]): Sheet {
  const [only, other] = sheets;
  const named = sheets.find(({ name }) => name === NAME);
  const sheet = named ?? (other === undefined ? only : undefined);
  if (sheet === undefined)
    throw new SheetError(`none of its sheets is called ${NAME}: give the one with the decisions this name`);
  return sheet;
}

function linesOf({ rows, cells, merges = [] }: Sheet): Line[] {
  const [merged] = merges;
  if (merged !== undefined)
    throw new SheetError(
      `it has merged cells in row ${merged.startRow + 1}: unmerge them, so that each row has its own`,
    );
  const lines = rows.flatMap((values, row): Line[] => {
    const read = values.map((value, column) => cellOf(value, cells?.get(`${row},${column}`)?.formula));
    return read.some((cell) => cell !== "") ? [{ number: row + 1, cells: read }] : [];
  });
  if (rows.length > ROWS_MAX + 1) throw new SheetError(TOO_MANY);
  return lines;
}

function cellOf(value: CellValue, formula: string | undefined): Cell {
  if (formula !== undefined) return { is: "a formula" };
  if (value === null) return "";
  if (types.isDate(value)) return { is: "a date" };
  return String(value);
}
