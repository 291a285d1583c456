/** The five recipes, in the order of their ids. */
import { RECIPE_IDS, type RecipeId } from "../../../runtime/contract/recipe.ts";
import { apiEventInteroperability } from "./api-event-interoperability.ts";
import { auditProvenance } from "./audit-provenance.ts";
import { clarification } from "./clarification.ts";
import { multilingualMemory } from "./multilingual-memory.ts";
import type { Recipe } from "./recipe.ts";
import { workflowRouting } from "./workflow-routing.ts";

const byId: Readonly<Record<RecipeId, Recipe>> = {
  "multilingual-memory": multilingualMemory,
  "workflow-routing": workflowRouting,
  "api-event-interoperability": apiEventInteroperability,
  clarification,
  "audit-provenance": auditProvenance,
};

export const recipes: readonly Recipe[] = RECIPE_IDS.map((id) => byId[id]);
