/**
 * One command at a time writes a registry: a folder in it, under a name that readers pass over, says which. It is made with
 * its owner inside and then renamed, so whoever comes second finds it taken; what a killed command left is removed.
 */
import { encoded } from "../../effects/chunks.ts";
import { type Effects, readTextIfFile } from "../../effects/effects.ts";
import { UsageError } from "../../text/usage-error.ts";

const CLAIM = ".writing";

/** Throws UsageError where another command is writing. */
export function whileClaimed(effects: Effects, directory: string, write: () => void): void {
  const claim = `${directory}/${CLAIM}`;
  const own = `${claim}-${effects.processId}`;
  removeAbandoned(effects, directory);
  try {
    effects.write(ownerOf(own), encoded(String(effects.processId)));
    if (!effects.renameToNew(own, claim)) throw busy(effects, directory);
    try {
      write();
    } finally {
      effects.remove(claim);
    }
  } finally {
    effects.remove(own);
  }
}

/** What killed commands left; a command that may have nothing to write removes it when it begins. */
export function removeAbandoned(effects: Effects, directory: string): void {
  if (effects.kind(directory) !== "directory") return;
  for (const name of effects.names(directory)) {
    const process = name === CLAIM ? ownerIn(effects, directory) : Number(/^\.writing-(\d+)$/.exec(name)?.[1]);
    if (process > 0 && (process === effects.processId || !effects.isRunning(process)))
      effects.remove(`${directory}/${name}`);
  }
}

function ownerOf(claim: string): string {
  return `${claim}/process`;
}

/** NaN where the claim is gone, or says nothing. */
function ownerIn(effects: Effects, directory: string): number {
  return Number(readTextIfFile(effects, ownerOf(`${directory}/${CLAIM}`)));
}

function busy(effects: Effects, directory: string): UsageError {
  const process = ownerIn(effects, directory);
  const who = process > 0 ? ` (process ${process})` : "";
  return new UsageError(
    `Another command is writing ${directory}${who}, so nothing was written: run this again when that has ended, or remove ` +
      `${directory}/${CLAIM} if there is none`,
  );
}
