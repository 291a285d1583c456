/**
 * Reads a vocabulary from CSV files: exactly what writeCsv wrote, or the plain tables that people
 * make, in which a row is an expression and any row of a concept may fill the concept's columns.
 * The rows of a concept may be anywhere.
 */
import { EXPRESSION_TYPES, RENDERING_TYPES } from "../../../../runtime/contract/concept.ts";
import { compileSchema } from "../../../text/compile-schema.ts";
import type { Effects } from "../../../effects/effects.ts";
import { quote } from "../../../text/printable.ts";
import { type CodeMapLine, REVIEW_STATUSES } from "../../../registry/record.ts";
import { aboutRow, CellReader, nameOf } from "./csv-cells.ts";
import * as csv from "./csv-columns.ts";
import { CsvDraft, type DraftExpression } from "./csv-draft.ts";
import { type CsvRow, readCsvRows, type TableForm } from "./csv-rows.ts";
import { own, type OwnRegistry } from "../../../skos/own.ts";
import { type ReadOptions, ReaderState } from "./reader-state.ts";
import type { Source, SourceConcept, SourceFault, SourceSubject } from "./source.ts";

/** Reads the files of one vocabulary; throws SourceError if one cannot be read to its end. */
export async function readCsv(
  effects: Effects,
  files: readonly string[],
  { delimiter, onSeparator, languageColumns, ...options }: ReadOptions & TableForm = {},
): Promise<Source> {
  const table = new Table(options);
  let rows = 0;
  for (const file of files) {
    const take = (row: CsvRow): void => {
      table.take(row);
      options.progress?.(++rows);
    };
    await readCsvRows(effects, file, { delimiter, onSeparator, languageColumns, take });
  }
  return table.source();
}

const parse = {
  concept: compileSchema(csv.ConceptDetails),
  expression: compileSchema(csv.ExpressionDetails),
  rendering: compileSchema(csv.RenderingDetails),
  registry: own.registry,
  vocabulary: own.vocabulary,
};

const ENTRY_NAMES = Object.keys(csv.ENTRIES) as csv.Entry[];

/** What to do with a row that has no fault. */
type Act = () => void;

/** The rows of all files, grouped by concept. */
class Table {
  readonly #reading: ReaderState;
  /** In order of appearance; a retired concept has only one row, so it is complete. */
  readonly #concepts: (CsvDraft | SourceConcept)[] = [];
  readonly #byCode = new Map<string, CsvDraft>();
  readonly #bySource = new Map<string, CsvDraft>();
  readonly #vocabulary: SourceSubject[] = [];
  readonly #codeMap: CodeMapLine[] = [];
  #registry: OwnRegistry | undefined;
  /**
   * The details of the last row that had any: those repeated on every row of a concept are parsed
   * and kept once.
   */
  #details: { readonly cell: string; readonly said: csv.ExpressionDetails } | undefined;

  constructor(options: ReadOptions) {
    this.#reading = new ReaderState(options);
  }

  source(): Source {
    const { faults, leftOut } = this.#reading;
    const report = (fault: SourceFault): void => void faults.push(fault);
    return {
      concepts: this.#concepts.map((concept) => (concept instanceof CsvDraft ? concept.finish(report) : concept)),
      title: this.#registry?.name,
      license: this.#registry?.license,
      registry: this.#registry,
      vocabulary: this.#vocabulary.length === 0 ? undefined : this.#vocabulary,
      codeMap: this.#codeMap,
      faults,
      leftOut,
    };
  }

  take(row: CsvRow): void {
    if (Object.keys(row.cells).length === 0) return this.#reading.leaveOut("empty rows");
    const reader = new CellReader(row);
    const entry = entryOf(row, reader);
    const act = entry === undefined ? undefined : this.#read(entry, row, reader);
    this.#reading.faults.push(...reader.faults);
    if (entry === undefined || act === undefined || reader.faults.length > 0) return;
    act();
    this.#tell(entry, row);
  }

  #read(entry: csv.Entry, row: CsvRow, reader: CellReader): Act {
    const { language = "", locale, expression: text = "" } = row.cells;
    const tag = locale ?? language;
    switch (entry) {
      case "registry": {
        const record = reader.record(parse.registry);
        if (this.#registry !== undefined)
          reader.report("csv-registry-twice", "There is a second row of registry", "Keep one");
        return () => (this.#registry = record);
      }
      case "vocabulary": {
        const { file, line } = row;
        const said = reader.record(parse.vocabulary);
        return () => void (said && this.#vocabulary.push({ file, line, ...said }));
      }
      case "mapped": {
        const { code = "", sourceId = "" } = row.cells;
        for (const column of ["code", "sourceId"] as const) reader.required(column);
        return () => void this.#codeMap.push({ sourceId, code });
      }
      case "retired":
        return this.#readRetired(row, reader);
      case "concept": {
        const details = reader.details(parse.concept) ?? {};
        return this.#ofConcept(row, reader, (draft) => draft.tellDetails(details));
      }
      case "expression": {
        const expression = readExpression(row, reader, this.#detailsOf(reader));
        return this.#ofConcept(row, reader, (draft) => {
          if (this.#reading.admits(tag, "expressions")) draft.addExpression(expression);
        });
      }
      case "hidden":
        return this.#ofConcept(row, reader, ({ hiddenLabels }) => {
          if (this.#reading.admits(tag, "hidden labels")) hiddenLabels.push({ tag, text });
        });
      case "rendering": {
        for (const column of ["type", "expression", "details"] as const) reader.required(column);
        const type = reader.choice("type", RENDERING_TYPES);
        const details = reader.details(parse.rendering);
        return this.#ofConcept(row, reader, ({ renderings }) => {
          if (type !== undefined && details !== undefined) renderings.push({ type, descriptor: text, ...details });
        });
      }
    }
  }

  #ofConcept(row: CsvRow, reader: CellReader, add: (draft: CsvDraft) => void): Act {
    checkNamed(reader, row);
    reader.day("reviewedAt");
    return () => add(this.#draftOf(row));
  }

  #readRetired(row: CsvRow, reader: CellReader): Act {
    const { file, line, cells } = row;
    const { code, sourceId = null, name, replacedBy, reason } = cells;
    checkNamed(reader, row);
    const retiredIn = reader.version("retiredIn");
    const retired = { replacedBy: replacedBy === undefined ? [] : [replacedBy], retiredIn, reason };
    const none = { notations: [], definitions: [], scopeNotes: [], expressions: [], hiddenLabels: [] };
    const concept = { file, line, sourceId, code, name, ...none, retired };
    return () => void this.#concepts.push(concept);
  }

  #detailsOf(reader: CellReader): csv.ExpressionDetails {
    const { details: cell = "" } = reader.cells;
    if (cell === this.#details?.cell) return this.#details.said;
    const said = reader.details(parse.expression);
    if (said !== undefined) this.#details = { cell, said };
    return said ?? {};
  }

  /**
   * Returns the concept of a row, by its code or else by its id in the source, and adds the row's
   * cells to it.
   */
  #draftOf(row: CsvRow): CsvDraft {
    const { file, line, cells } = row;
    const { code, sourceId } = cells;
    const named = sourceId === undefined ? undefined : this.#bySource.get(sourceId);
    const coded = code === undefined ? undefined : this.#byCode.get(code);
    // The code may come only on a later row of the concept.
    const known = coded ?? (code === undefined || named?.hasCode === false ? named : undefined);
    const draft = known ?? new CsvDraft({ file, line });
    if (known === undefined) this.#concepts.push(draft);
    if (code !== undefined) this.#byCode.set(code, draft);
    if (sourceId !== undefined && named === undefined) this.#bySource.set(sourceId, draft);
    for (const column of csv.CONCEPT_COLUMNS) {
      const standing = draft.tell(column, cells[column], { file, line });
      if (standing === undefined) continue;
      const text = `Column ${nameOf(row, column)}: another row of the concept says ${quote(standing)}, which is kept`;
      const remedy = "Write the same on every row of a concept, or write it once";
      const about = { file, line, concept: draft.name ?? null, language: null };
      this.#reading.faults.push({ rule: "csv-column-disagrees", text, remedy, ...about, outcome: "kept" });
    }
    return draft;
  }

  /** Reports what is worth knowing about a row that was taken. */
  #tell(entry: csv.Entry, row: CsvRow): void {
    const admitted: readonly csv.Column[] = csv.ENTRIES[entry];
    const note = (rule: string, text: string, remedy: string): void =>
      void this.#reading.faults.push({ ...aboutRow(row), rule, text, remedy, outcome: "kept" });
    const given = Object.keys(row.cells) as csv.Column[];
    const unused = given.filter((column) => column !== "entry" && !admitted.includes(column));
    if (unused.length > 0) {
      const names = unused.map((column) => nameOf(row, column)).join(", ");
      const text = `A row of ${entry} does not use ${names}, so any content there is ignored`;
      const other = row.spelled.has("entry") ? `fix ${nameOf(row, "entry")}` : "give the row an expression";
      note("csv-cell-unused", text, `Empty these cells, or ${other}`);
    }
    const { code, sourceId = "", expression = "", reviewStatus } = row.cells;
    if (code === undefined && sourceId !== sourceId.trim()) {
      const text = `Column ${nameOf(row, "sourceId")}: ${quote(sourceId)} is a different concept from ${quote(sourceId.trim())}`;
      note("csv-id-spaces", text, "Take out the space around it, if the two are one");
    }
    if (entry === "expression" && reviewStatus === undefined && SEVERAL.test(expression)) {
      const text = `${quote(expression)} is taken as one expression`;
      note("csv-cell-several", text, "Write each in its own row, if they are several");
    }
    if (!row.formula || !admitted.includes("expression")) return;
    const text = `${quote(expression)} is a text that spreadsheets run as a formula; it is kept as it is`;
    note("csv-formula", text, "Make sure that this text is meant; with ' in front, no spreadsheet runs it");
  }
}

/**
 * Characters that may separate several expressions in a cell; a comma is not one, because many
 * single expressions contain it.
 */
const SEVERAL = /[^\s|;]\s*[|;]\s*[^\s|;]/;

/** A row that has neither a language nor an expression is about its concept only. */
function entryOf({ cells }: CsvRow, reader: CellReader): csv.Entry | undefined {
  const entry = cells.entry === undefined ? "expression" : reader.choice("entry", ENTRY_NAMES);
  const { language, locale, expression } = cells;
  const isBare = (language ?? locale ?? expression) === undefined;
  return entry === "expression" && isBare ? "concept" : entry;
}

function checkNamed(reader: CellReader, { spelled }: CsvRow): void {
  if ((reader.cells.code ?? reader.cells.sourceId) !== undefined) return;
  const columns = (["code", "sourceId"] as const).filter((column) => spelled.has(column));
  const names = columns.map((column) => reader.nameOf(column)).join(" or ");
  const remedy = `Fill in ${names}, the same on every row of a concept`;
  reader.report("csv-row-without-concept", "The row does not say which concept it is about", remedy);
}

function readExpression(
  { file, line, cells, spelled }: CsvRow,
  reader: CellReader,
  details: csv.ExpressionDetails,
): DraftExpression {
  const { language = "", locale, expression = "" } = cells;
  const withoutLocale = locale === undefined && details.parted === true;
  const isParted = withoutLocale || (locale === undefined ? details.locale === null : language !== "");
  return {
    tag: locale ?? language,
    parted: isParted ? { language, locale: withoutLocale ? undefined : (locale ?? null) } : undefined,
    text: expression,
    type: reader.choice("type", EXPRESSION_TYPES) ?? (spelled.has("type") ? "alternate" : undefined),
    equivalenceStrength: reader.share("equivalenceStrength"),
    reviewStatus: reader.choice("reviewStatus", REVIEW_STATUSES),
    provenance: details.provenance,
    place: { file, line },
  };
}
