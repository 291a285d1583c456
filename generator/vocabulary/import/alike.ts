/**
 * Finds names that a spreadsheet or a source has rewritten: their concepts would lose their codes.
 */
import type { Located } from "../../registry/read.ts";
import type { ConceptRecord } from "../../registry/record.ts";
import { quote } from "../../text/printable.ts";
import type { SourceConcept } from "../formats/source.ts";
import type { ReportTo } from "./import-finding.ts";

interface Named {
  readonly concepts: readonly SourceConcept[];
  /** The registry's record of a concept. */
  readonly recordOf: (concept: SourceConcept) => ConceptRecord | undefined;
  readonly gone: readonly Located<ConceptRecord>[];
}

/**
 * Refuses a new concept whose name differs only in spelling from that of a concept that would be
 * gone.
 */
export function refuseAlike({ concepts, recordOf, gone }: Named, reportTo: ReportTo): void {
  const names = new Map<string, readonly [code: string, name: string]>();
  for (const { code, provenance } of gone.map(({ record }) => record))
    for (const name of [code, provenance?.sourceId ?? code]) names.set(keyOf(name), [code, name]);
  for (const concept of concepts.filter((one) => one.retired === undefined && recordOf(one) === undefined)) {
    const called = concept.sourceId ?? concept.code ?? "";
    const [code, name] = names.get(keyOf(called)) ?? [];
    if (code === undefined || name === undefined) continue;
    const text = `${quote(called)} is new, and ${quote(name)} of ${code} is gone: they differ only in how they are written`;
    const remedy = `If they are the same, write ${quote(name)} in the file, or give ${code} the new sourceId in the registry; if not, retire ${code} first`;
    reportTo(concept)({ rule: "source-id-rewritten", text, remedy }, "refused");
  }
}

/** The name without what rewriting changes: spaces, case, and http or https. */
function keyOf(name: string): string {
  return name
    .replaceAll(/[\s\p{Zs}]+/gu, "")
    .toLowerCase()
    .replace(/^https:/, "http:");
}
