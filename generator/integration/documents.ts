/** The documents of integration: checklist, reports, kits and studio, in the order in which each is made of the last. */
import type { IntegrationStudio } from "../contract/integration.ts";
import { folderFile, kitPath, paths, reportPath } from "../../runtime/contract/policy.ts";
import { fixturesOf, stockOf } from "./fixtures.ts";
import type { Handoffs } from "./handoffs.ts";
import { type Kit, makeKit } from "./kit.ts";
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
  /** The operation that kits call, as OpenAPI. */
  readonly openapi: string;
  readonly sources: Handoffs;
  /** The tool descriptor as it is served. */
  readonly tool: string;
}

/** Throws ProofError where a fixture is not as declared. */
export async function printIntegration(
  view: View,
  { pool, openapi, sources, tool }: IntegrationParts,
): Promise<Integration> {
  const documents = new Map([[folderFile(paths.readiness), formatDocument(integrationReadiness(view))]]);
  const kits: Kit[] = [];
  const stock = stockOf(view, pool);
  for (const recipe of recipes) {
    const made = fixturesOf(view, stock, recipe);
    const report = formatDocument(integrationReport(view, { recipe, fixtures: made.fixtures, sources }));
    documents.set(reportPath(recipe.id), report);
    kits.push(await makeKit(view, { ...made, recipe, report, sources, openapi, tool }));
  }
  const studio = integrationStudio(view, kits);
  documents.set(folderFile(paths.studio), formatDocument(studio));
  return { documents, kits: new Map(kits.map(({ recipe, zip }) => [kitPath(recipe.id), zip])), studio };
}
