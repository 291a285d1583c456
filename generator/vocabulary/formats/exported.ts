/**
 * A registry in a format of others: skos and csv are all of the source, source is what its vocabularies say; json and tbx
 * are what is published.
 */
import { type CheckedRegistry, tagOf } from "../../registry/checked.ts";
import type { RegistrySource } from "../../registry/read.ts";
import type { DomainLine } from "../../registry/vocabulary-file.ts";
import { makeView } from "../../view/view.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import { writeCsv } from "./csv-write.ts";
import { writeJson } from "./json-write.ts";
import { writeSource } from "./skos-source.ts";
import { writeTbx } from "./tbx-write.ts";

/** What is to be written, and what it holds. */
export interface Exported {
  readonly pieces: Iterable<string>;
  readonly concepts: number;
  readonly expressions: number;
  /** Expressions and hidden labels that are in other languages than the chosen ones. */
  readonly leftOut: number;
}

interface Wanted {
  readonly origin: string;
  /** Only these, and what is narrower; empty: all. */
  readonly languages: readonly string[];
}

export async function exportSource(
  registry: RegistrySource & { readonly vocabularies: readonly DomainLine[] },
  { format, origin, languages }: Wanted & { readonly format: "turtle" | "jsonld" | "csv" | "source" },
): Promise<Exported> {
  const isChosen = chooseLanguages(languages);
  let [expressions, leftOut] = [0, 0];
  for (const { record } of registry.concepts) {
    const chosen = record.expressions.filter(({ language, locale = null }) => isChosen(tagOf({ language, locale })));
    const labels = record.hiddenLabels?.filter(({ language }) => !isChosen(language)) ?? [];
    expressions += chosen.length;
    leftOut += record.expressions.length - chosen.length + labels.length;
  }
  const counts = { concepts: registry.concepts.length, expressions, leftOut };
  if (format === "csv") return { pieces: writeCsv(registry, { languages }), ...counts };
  if (format === "source") return { pieces: writeSource(registry, { origin }), ...counts };
  const { writeSkos } = await import("./skos-write.ts");
  return { pieces: writeSkos(registry, { format, origin, languages }), ...counts };
}

export function exportPublished(
  registry: CheckedRegistry,
  { format, origin, languages }: Wanted & { readonly format: "json" | "tbx" },
): Exported {
  const isChosen = chooseLanguages(languages);
  let [concepts, expressions] = [0, 0];
  for (const concept of registry.concepts) {
    const chosen = concept.entries().filter(({ kind }) => isChosen(kind.tag)).length;
    expressions += chosen;
    if (chosen > 0) concepts++;
  }
  return {
    pieces: format === "tbx" ? writeTbx(registry, { origin, languages }) : writeJson(makeView(registry, origin)),
    concepts,
    expressions,
    leftOut: registry.concepts.expressionCount - expressions,
  };
}
