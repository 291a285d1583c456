/**
 * Checks a dist from its own files only, in two parts. Integrity: digests and identity, the index
 * against its concepts, schemas, links, the form of kits. Agreement: documents against each other,
 * the registry and the kits. It imports nothing from the builder, and continues after a finding so
 * that every finding is reported.
 */
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRelease } from "../../runtime/release/release.ts";
import type { Effects } from "../effects/effects.ts";
import { printable } from "../text/printable.ts";
import { checkAgreement } from "./agreement/agreement.ts";
import { checkIntegrity } from "./integrity/integrity.ts";
import { openDist } from "./integrity/dist.ts";
import type { Faults } from "./integrity/parts.ts";

/** Longest line of a finding. */
const LINE_MAX = 400;

/** Findings about the release in `directory`, one line each; none when it is whole. */
export async function verifyRelease(effects: Effects, directory: string): Promise<Faults> {
  const dist = openDist(effects, directory);
  try {
    const { faults: own, parts } = checkIntegrity(dist, effects);
    const faults = parts === undefined ? own : [...own, ...checkAgreement(parts)];
    // The runtime's own check comes last: it stops at its first finding.
    return [...new Set(faults.length > 0 ? faults : openWhole(directory))].map((fault) => printable(fault, LINE_MAX));
  } finally {
    dist.close();
  }
}

/** The findings of the runtime's own check. */
function openWhole(directory: string): Faults {
  try {
    openRelease(directory).close();
    return [];
  } catch (error) {
    if (error instanceof ReleaseError) return [error.message];
    throw error;
  }
}
