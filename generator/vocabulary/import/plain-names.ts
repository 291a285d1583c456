/**
 * What a file calls its concepts and their domains, judged where it says so: the registry could not hold them otherwise, and
 * its own findings would name files that are not there.
 */
import { checkPlainText } from "../../registry/check-text.ts";
import type { SourceConcept } from "../formats/source.ts";
import type { ReportTo } from "./import-finding.ts";

export function reportNames(concepts: readonly SourceConcept[], reportTo: ReportTo): void {
  for (const concept of concepts) {
    const { sourceId, domain = "" } = concept;
    const faults = [...checkPlainText(sourceId ?? "", "source-id"), ...checkPlainText(domain, "domain")];
    for (const fault of faults) reportTo(concept)(fault, "refused");
  }
}
