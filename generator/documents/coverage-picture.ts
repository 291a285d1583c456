/**
 * The picture of coverage: a row for each language, a column for each domain, and in each cell a bar as long as the share
 * of concepts that are covered, so that length says it and colour only repeats it. Whole pixels; no text is measured.
 */
import type { Row } from "./coverage-view.ts";

const CELL = { height: 20, gap: 3, narrowest: 40, widest: 200 };
/** What few columns may fill. */
const WIDTH = 1064;
/** About what a character of the labels is wide at 13 px; those of East Asian scripts are twice that. */
const CHARACTER = 7.5;
const LABEL_MAX = 24;
const MARGIN = 8;

export function drawPicture(rows: readonly Row[]) {
  const columns = (rows[0]?.cells ?? []).map(({ domain }) => cut(domain));
  const left = MARGIN * 2 + widest(rows.map(({ language }) => language));
  // Labels of columns stand at 45 degrees.
  const slant = Math.ceil(widest(columns) * Math.SQRT1_2) + MARGIN * 2;
  const room = Math.floor((WIDTH - left - slant) / columns.length) - CELL.gap;
  const width = Math.min(Math.max(room, CELL.narrowest), CELL.widest);
  const x = (column: number): number => left + column * (width + CELL.gap);
  const y = (row: number): number => slant + row * (CELL.height + CELL.gap);
  return {
    width: x(columns.length) + slant,
    height: y(rows.length) + MARGIN,
    cell: { width, height: CELL.height },
    columns: columns.map((label, i) => ({ label, x: x(i) + width / 2, y: slant - MARGIN })),
    rows: rows.map(({ language, cells }, j) => ({
      label: cut(language),
      x: left - MARGIN,
      y: y(j) + CELL.height - 5,
      cells: cells.map((cell, i) => ({
        language,
        ...cell,
        x: x(i),
        y: y(j),
        bar: barOf(cell, width),
        label: percentOf(cell),
      })),
    })),
  };
}

/** Full or empty only where all or nothing is covered. */
function barOf({ concepts, of }: Row["cells"][number], width: number): number {
  if (concepts === 0 || concepts === of) return concepts === 0 ? 0 : width;
  return Math.min(Math.max(Math.round((concepts / of) * width), 2), width - 2);
}

/** Rounded down, with a decimal near the whole: only all is 100. */
function percentOf({ concepts, of }: Row["cells"][number]): string {
  const tenths = Math.floor((concepts / of) * 1000);
  return tenths >= 990 && tenths < 1000 ? (tenths / 10).toFixed(1) : String(Math.floor(tenths / 10));
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length > LABEL_MAX ? `${characters.slice(0, LABEL_MAX - 1).join("")}…` : text;
}

function widest(labels: readonly string[]): number {
  const units = labels.map((label) => Array.from(label).reduce((sum, one) => sum + (one < "\u1100" ? 1 : 2), 0));
  return Math.ceil(Math.max(0, ...units) * CHARACTER);
}
