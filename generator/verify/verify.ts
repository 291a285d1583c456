/**
 * Checks a dist from its own files only. The audit imports nothing from the builder, and continues
 * after a finding so that every finding is reported. If there is none, the runtime opens the
 * release as it would to serve it, and what holds no owner's prose is printed again.
 */
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRelease } from "../../runtime/release/release.ts";
import type { Effects } from "../effects/effects.ts";
import { printable } from "../text/printable.ts";
import { auditRelease } from "./audit/audit.ts";
import { openDist } from "./audit/dist.ts";
import type { Faults } from "./audit/parts.ts";
import { checkReprint } from "./reprint.ts";

/** Longest line of a finding. */
const LINE_MAX = 400;

/** Findings about the release in `directory`, one line each; none when it is whole. */
export async function verifyRelease(effects: Effects, directory: string): Promise<Faults> {
  const dist = openDist(effects, directory);
  try {
    const { faults, parts } = auditRelease(dist, effects);
    if (parts === undefined || faults.length > 0) return shown(faults);
    // The runtime's own check stops at its first finding.
    const refused = openWhole(directory);
    return shown(refused.length > 0 ? refused : await checkReprint(parts, effects));
  } finally {
    dist.close();
  }
}

function shown(faults: Faults): Faults {
  return [...new Set(faults)].map((fault) => printable(fault, LINE_MAX));
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
