/** An import up to its writing, over values alone. */
import type { Source, SourceConcept, SourceExpression } from "../../generator/tools/vocabulary/formats/source.ts";
import { EMPTY as NOTHING } from "../../generator/tools/vocabulary/import/before.ts";
import { checkPlan, draftImport, type Plan } from "../../generator/tools/vocabulary/import/plan.ts";
import type { ImportSettings } from "../../generator/tools/vocabulary/import/settings.ts";
import { IN_MEMORY } from "../../generator/scratch/spool.ts";
import type { RegistrySource } from "../../generator/registry/read.ts";

export const EMPTY: RegistrySource = { ...NOTHING, budget: IN_MEMORY };

export const SETTINGS: ImportSettings = {
  domain: "things",
  codeFrom: "mint",
  reviewAs: "in_review",
  missingDefinition: "label",
  repairs: new Set(),
  untagged: undefined,
  languages: [],
  source: "Things",
  license: "CC0-1.0",
  fallbackName: "things",
  registryVersion: "2026.11.1",
};

export const REVIEWED: ImportSettings = { ...SETTINGS, reviewAs: "reviewed" };

export function label(tag: string, text: string, more: Partial<SourceExpression> = {}): SourceExpression {
  return { tag, text, type: "preferred", ...more };
}

export function thing(id: string, expressions: SourceExpression[], more: Partial<SourceConcept> = {}): SourceConcept {
  return {
    file: "things.ttl",
    sourceId: `http://example.org/${id}`,
    notations: [],
    definitions: [{ tag: "en", text: `What ${id} is.` }],
    scopeNotes: [],
    expressions,
    hiddenLabels: [],
    exactMatch: [],
    closeMatch: [],
    ...more,
  };
}

export function source(...concepts: SourceConcept[]): Source {
  return { concepts, faults: [], leftOut: {} };
}

export function planImport(from: Source, before: Parameters<typeof draftImport>[1], settings: ImportSettings): Plan {
  return checkPlan(draftImport(from, before, settings), before);
}
