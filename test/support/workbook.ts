/** Workbooks as other programs write them, for tests: their parts, by hand. */
import { archive } from "../../generator/archives/archive.ts";
import { readZip } from "../../generator/archives/zip.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/**
 * A workbook with one sheet, whose `<worksheet>` holds `inner`; `more` replaces or adds parts.
 */
export function workbookOf(
  inner: string,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
  const relations = (...all: string[]): string =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
  return packed({
    "[Content_Types].xml": `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      relation("rId1", "worksheet", "worksheets/sheet1.xml"),
      relation("rId2", "styles", "styles.xml"),
    ),
    // The second style is that of a date.
    "xl/styles.xml": `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `${HEAD}<worksheet xmlns="${MAIN}">${inner}</worksheet>`,
    ...more,
  });
}

/** A cell, or text for one. */
export type Written = string | { readonly xml: string };

/** `<sheetData>` of these rows. */
export function sheetData(rows: readonly (readonly Written[])[]): string {
  const cells = (row: readonly Written[]): string =>
    row.map((cell) => (typeof cell === "string" ? textCell(cell) : cell.xml)).join("");
  return `<sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join("")}</sheetData>`;
}

function textCell(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</t></is></c>`;
}

export function packed(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const files = Object.entries(parts).map(([name, content]) => {
    return [name, { bytes: Buffer.from(content), executable: false }] as const;
  });
  return archive(new Map(files));
}

/** The parts of a workbook as text, by name. */
export async function partsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for await (const { path, chunks } of readZip(bytes, 1 << 30)) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    parts[path] = Buffer.concat(pieces).toString("utf8");
  }
  return parts;
}
