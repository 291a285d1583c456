/** The five canonical recipes (contract §4.4). */

export const RECIPE_IDS = [
  "multilingual-memory",
  "workflow-routing",
  "api-event-interoperability",
  "clarification",
  "audit-provenance",
] as const;
