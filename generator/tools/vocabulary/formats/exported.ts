/**
 * Exports a registry in the formats of others: skos and csv hold all of the records, source holds
 * what the vocabularies say, and json and tbx hold what is published.
 */
import type { CheckedRegistry } from "../../../registry/checked.ts";
import { conceptDetail, type PublishedRegistry } from "../../../registry/published-concept.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import { writeCsv } from "./csv-write.ts";
import type { OwnRegistry } from "../../../skos/own.ts";
import { writeSource } from "./skos-source.ts";
import { writeTbx } from "./tbx-write.ts";
import { type ExportOptions, inLanguages, type RegistryRecords } from "./writing.ts";

/** The text to write, with counts of its content. */
export interface Exported {
  readonly pieces: Iterable<string>;
  readonly concepts: number;
  readonly expressions: number;
  /** Expressions and hidden labels in languages that were not chosen. */
  readonly leftOut: number;
}

export async function exportSource(
  whole: RegistryRecords,
  { format, origin, languages = [] }: ExportOptions & { readonly format: "turtle" | "jsonld" | "csv" | "source" },
): Promise<Exported> {
  const isChosen = chooseLanguages(languages);
  const registry = languages.length === 0 ? whole : { ...whole, registry: ofLanguages(whole.registry, languages) };
  let [expressions, leftOut] = [0, 0];
  for (const { record } of registry.concepts) {
    const chosen = inLanguages(record, isChosen);
    expressions += chosen.expressions.length;
    leftOut += labelsOf(record) - labelsOf(chosen);
  }
  const counts = { concepts: registry.concepts.length, expressions, leftOut };
  if (format === "csv") return { pieces: writeCsv(registry, { languages }), ...counts };
  if (format === "source") return { pieces: writeSource(registry, { origin }), ...counts };
  const { writeSkos } = await import("./skos-write.ts");
  return { pieces: writeSkos(registry, { format, origin, languages }), ...counts };
}

/** Records the file's languages, so that an import does not treat the others as gone. */
function ofLanguages(record: RegistryRecords["registry"], languages: readonly string[]): OwnRegistry | undefined {
  return record && { ...record, languages: [...languages], only: [...languages] };
}

function labelsOf({ expressions, hiddenLabels = [] }: ConceptRecord): number {
  return expressions.length + hiddenLabels.length;
}

export function exportPublished(
  registry: CheckedRegistry,
  { format, origin, languages }: ExportOptions & { readonly format: "json" | "tbx" },
): Exported {
  const isChosen = chooseLanguages(languages);
  let [concepts, expressions] = [0, 0];
  for (const concept of registry.concepts) {
    const chosen = concept.entries().filter(({ kind }) => isChosen(kind.tag)).length;
    expressions += chosen;
    if (chosen > 0) concepts++;
  }
  return {
    pieces: format === "tbx" ? writeTbx(registry, { origin, languages }) : writeJson({ registry, origin }),
    concepts,
    expressions,
    leftOut: registry.concepts.expressionCount - expressions,
  };
}

/** The public bundle: exactly the bytes of `/registry/bundle.ndjson`, one concept per line. */
function* writeJson(published: PublishedRegistry): Generator<string, void> {
  for (const concept of published.registry.concepts) yield `${JSON.stringify(conceptDetail(published, concept))}\n`;
}
