/**
 * Every document of a release, one row each, in the order in which they are printed and listed. A
 * new document is a row here and a printer; no other list knows it.
 */
import type { Document } from "./document.ts";
import { agentDocuments, integrationDocuments } from "./rows/agents.ts";
import { computedDocuments, registryDocuments } from "./rows/registry.ts";
import { representationDocuments, siteDocuments } from "./rows/representations.ts";

export const DOCUMENTS: readonly Document[] = [
  ...computedDocuments,
  ...agentDocuments,
  ...integrationDocuments,
  ...registryDocuments,
  ...representationDocuments,
  ...siteDocuments,
];
