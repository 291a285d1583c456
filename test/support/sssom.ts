/** Reads SSSOM/TSV as its specification says, with nothing of the project's writer. */
import { load } from "js-yaml";

interface Mappings {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** By the names of the columns. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Throws if a row has another number of cells than the header, or a CURIE has no prefix. */
export function readSssom(text: string): Mappings {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  const yaml = lines.slice(0, end).map((line) => line.slice(1));
  const metadata = load(yaml.join("\n")) as Mappings["metadata"];
  const [header = [], ...rows] = cellsOf(lines.slice(end).join("\n"));
  const known = ["skos", "semapv", "sssom", ...Object.keys(metadata["curie_map"] as object)];
  return {
    metadata,
    rows: rows.map((cells) => {
      if (cells.length !== header.length) throw new Error(`${cells.length} cells: ${cells.join("|")}`);
      const row = Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""]));
      for (const name of ["subject_id", "predicate_id", "object_id", "mapping_justification"]) {
        const [prefix = ""] = row[name]?.split(":") ?? known;
        if (!known.includes(prefix)) throw new Error(`${name} ${row[name] ?? ""}: no prefix`);
      }
      return row;
    }),
  };
}

/** Cells between tabs; in quotes, they may have tabs, line breaks, and quotes that are doubled. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^"\t\n][^\t\n]*)?)([\t\n])/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
