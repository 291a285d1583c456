/**
 * A concept while the rows of a CSV are read, in their order. The first value of a column is kept;
 * the neutral form is made when all rows are read.
 */
import type { Provenance } from "../../../../runtime/contract/concept.ts";
import { matchesOf } from "../../../registry/publish.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import type { Location } from "../../../text/finding.ts";
import type { ConceptColumn, ConceptDetails } from "./csv-columns.ts";
import type { SourceConcept, SourceExpression, SourceFault, SourceText } from "./source.ts";

/** An expression whose type may be known only when all rows are read. */
export type DraftExpression = Omit<SourceExpression, "type"> & { readonly type: ExpressionRecord["type"] | undefined };

export class CsvDraft {
  readonly hiddenLabels: SourceText[] = [];
  readonly renderings: NonNullable<ConceptRecord["renderings"]> = [];
  readonly #place: Location;
  readonly #cells: Partial<Record<ConceptColumn, string>> = {};
  #definitionPlace: Location | undefined;
  readonly #expressions: DraftExpression[] = [];
  /** The columns that disagree: each is reported only once. */
  #disagreeing: Set<ConceptColumn> | undefined;
  #details: ConceptDetails = {};

  constructor(place: Location) {
    this.#place = place;
  }

  get hasCode(): boolean {
    return this.#cells.code !== undefined;
  }

  get name(): string | undefined {
    return this.#cells.code ?? this.#cells.sourceId;
  }

  /**
   * Takes a cell. The first time that a cell differs from the kept value, returns the kept value.
   */
  tell(column: ConceptColumn, cell: string | undefined, place: Location): string | undefined {
    const first = this.#cells[column];
    if (cell === undefined || first === cell) return undefined;
    if (first === undefined) this.#cells[column] = cell;
    if (first === undefined && column === "definition") this.#definitionPlace = place;
    if (first === undefined || this.#disagreeing?.has(column)) return undefined;
    (this.#disagreeing ??= new Set()).add(column);
    return first;
  }

  tellDetails(details: ConceptDetails): void {
    this.#details = { ...details, ...this.#details };
  }

  addExpression(expression: DraftExpression): void {
    this.#expressions.push(expression);
  }

  /** Returns the concept; reports a fault if its provenance is incomplete. */
  finish(report: (fault: SourceFault) => void): SourceConcept {
    const { code, sourceId = null, name, definition, domain } = this.#cells;
    const { renderings, vocabulary: fields } = this.#details;
    const { file, line } = this.#place;
    return {
      file,
      line,
      sourceId,
      code,
      notations: [],
      domain,
      name,
      definitions: definition === undefined ? [] : [{ tag: "", text: definition, place: this.#definitionPlace }],
      scopeNotes: [],
      expressions: this.#typed(),
      hiddenLabels: this.hiddenLabels,
      ...matchesOf(this.#details),
      vocabulary: fields === undefined ? undefined : { kind: "fields", fields },
      provenance: this.#provenance(report),
      renderings: this.renderings.length > 0 || renderings !== undefined ? this.renderings : undefined,
      blank: this.#blank(),
    };
  }

  /** If the file has no type column, the first expression of each tag is the preferred one. */
  #typed(): SourceExpression[] {
    const tags = new Set<string>();
    return this.#expressions.map((expression) => {
      const type = expression.type ?? (tags.has(expression.tag) ? "alternate" : "preferred");
      if (type === "preferred") tags.add(expression.tag);
      return Object.assign(expression, { type });
    });
  }

  #provenance(report: (fault: SourceFault) => void): Provenance | null | undefined {
    const { source, license, sourceId = null, reviewedBy = null, reviewedAt = null } = this.#cells;
    const { provenance } = this.#details;
    if (source !== undefined && license !== undefined) {
      const said = Object.entries(matchesOf(this.#details)).filter(([, iris]) => iris !== undefined);
      return { source, license, sourceId, reviewedBy, reviewedAt, ...Object.fromEntries(said) };
    }
    if (source !== undefined || license !== undefined || reviewedBy !== null || reviewedAt !== null) {
      const text = "The concept's provenance lacks source or license, so the concept is treated as if it had none";
      const remedy = "Give it both, in columns source and license, or leave both to the import";
      const about = { ...this.#place, concept: this.name ?? null, language: null };
      report({ rule: "csv-provenance", text, remedy, ...about, outcome: "kept" });
    }
    return provenance;
  }

  /** The details about the definition or the hidden labels count only if no cell or row has any. */
  #blank(): SourceConcept["blank"] {
    const { definition, hiddenLabels } = this.#details;
    const blankDefinition = definition !== undefined && this.#cells.definition === undefined;
    const blankLabels = hiddenLabels !== undefined && this.hiddenLabels.length === 0;
    if (!blankDefinition && !blankLabels) return undefined;
    return { ...(blankDefinition && { definition }), ...(blankLabels && { hiddenLabels: [] }) };
  }
}
