/** The ids of the recipes, in a file of their own because the service's paths contain them. */

/** The five canonical recipes (contract §4.4). */
export const RECIPE_IDS = [
  "multilingual-memory",
  "workflow-routing",
  "api-event-interoperability",
  "clarification",
  "audit-provenance",
] as const;
export type RecipeId = (typeof RECIPE_IDS)[number];
