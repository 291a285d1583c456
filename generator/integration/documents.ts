/** The documents of integration: checklist, reports, kits and studio, in the order in which each is made of the last. */
import type { IntegrationStudio } from "../contract/integration.ts";
import { folderFile, kitPath, paths, reportPath } from "../../runtime/contract/policy.ts";
import { fixturesOf, READABLE, type SampleStock } from "./fixtures.ts";
import type { Handoffs } from "./handoffs.ts";
import { illustrations } from "./illustration.ts";
import { type Kit, makeKit } from "./kit.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { recipes } from "./recipes/recipes.ts";
import type { SamplePool } from "../view/samples.ts";
import { integrationReadiness } from "./readiness.ts";
import { integrationReport } from "./report.ts";
import { integrationStudio } from "./studio.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import type { View } from "../view/view.ts";

export interface Integration {
  /** Texts by their place in dist. */
  readonly documents: ReadonlyMap<string, string>;
  /** ZIPs by their place in dist. */
  readonly kits: ReadonlyMap<string, Uint8Array>;
  readonly studio: IntegrationStudio;
}

export interface IntegrationParts {
  readonly pool: SamplePool;
  readonly description: OpenApi;
  readonly sources: Handoffs;
  /** The tool descriptor as it is served. */
  readonly tool: string;
}

/** Throws ProofError where a fixture is not as declared. */
export async function printIntegration(
  view: View,
  { pool, description, sources, tool }: IntegrationParts,
): Promise<Integration> {
  const documents = new Map([[folderFile(paths.readiness), formatDocument(integrationReadiness(view))]]);
  const kits = new Map<Recipe, Kit>();
  const stock: SampleStock = {
    ...pool.pick(READABLE),
    unusedExpression: pool.unusedExpression,
    illustrations: illustrations(view.registry),
  };
  for (const recipe of recipes) {
    const made = fixturesOf(view, stock, recipe);
    const report = formatDocument(integrationReport(view, { recipe, fixtures: made.fixtures, sources }));
    documents.set(reportPath(recipe.id), report);
    kits.set(recipe, await makeKit(view, { ...made, recipe, report, sources, description, tool }));
  }
  const studio = integrationStudio(view, kits);
  documents.set(folderFile(paths.studio), formatDocument(studio));
  return { documents, kits: new Map([...kits].map(([{ id }, { zip }]) => [kitPath(id), zip])), studio };
}
