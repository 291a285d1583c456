/** Checks that the documents of a release agree with each other, the registry and the kits. */
import type { Faults, Parts } from "../integrity/parts.ts";
import { checkAgents, checkRepeatedRules } from "./agents.ts";
import { checkChanges } from "./changes.ts";
import { checkFacts } from "./facts.ts";
import { checkIntegration } from "./integration.ts";
import { checkKits } from "./kits.ts";
import { checkOpenApi } from "./openapi.ts";
import { checkPages } from "./pages.ts";
import { checkProse } from "./prose.ts";
import { checkReference } from "./reference.ts";
import { checkSite } from "./site.ts";
import { checkSteps } from "./steps.ts";

export function checkAgreement(parts: Parts): Faults {
  const { documents, known } = parts;
  return [
    ...checkFacts(parts),
    ...checkAgents(parts),
    ...checkRepeatedRules(parts),
    ...checkSteps(documents),
    ...checkReference(documents),
    ...checkOpenApi(documents, known.origin),
    ...checkProse(parts),
    ...checkChanges(parts),
    ...checkPages(parts.dist, documents),
    ...checkSite(parts),
    ...checkIntegration(parts),
    ...checkKits(parts),
  ];
}
