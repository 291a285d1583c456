/**
 * Lets only one command at a time write a registry, or the folder of a host. The claim is a folder
 * in it, under a name that readers ignore. It is created with its owner inside and then renamed
 * into place, so a second command finds the name taken. Claims that killed commands left are
 * removed.
 */
import { encoded } from "../text/chunks.ts";
import { type Effects, readTextIfFile } from "./effects.ts";
import { UsageError } from "../text/usage-error.ts";

const CLAIM = ".writing";

/** Throws UsageError if another command is writing. */
export function whileClaimed(effects: Effects, directory: string, write: () => void): void {
  const release = claim(effects, directory);
  try {
    write();
  } finally {
    release();
  }
}

/** Claims a folder; returns what releases it. Throws UsageError if another command is writing. */
export function claim(effects: Effects, directory: string): () => void {
  const taken = `${directory}/${CLAIM}`;
  const own = `${taken}-${effects.processId}`;
  removeAbandoned(effects, directory);
  try {
    effects.write(ownerOf(own), encoded(String(effects.processId)));
    if (!effects.renameToNew(own, taken)) throw busy(effects, directory);
  } finally {
    effects.remove(own);
  }
  return () => effects.remove(taken);
}

/**
 * Removes claims that killed commands left. A command that may have nothing to write calls it when
 * it begins.
 */
export function removeAbandoned(effects: Effects, directory: string): void {
  if (effects.kind(directory) !== "directory") return;
  for (const name of effects.names(directory)) {
    const process = name === CLAIM ? ownerIn(effects, directory) : Number(/^\.writing-(\d+)$/.exec(name)?.[1]);
    if (process > 0 && (process === effects.processId || !effects.isRunning(process)))
      effects.remove(`${directory}/${name}`);
  }
}

function ownerOf(folder: string): string {
  return `${folder}/process`;
}

/** NaN if the claim is gone or does not name a process. */
function ownerIn(effects: Effects, directory: string): number {
  return Number(readTextIfFile(effects, ownerOf(`${directory}/${CLAIM}`)));
}

function busy(effects: Effects, directory: string): UsageError {
  const process = ownerIn(effects, directory);
  const who = process > 0 ? ` (process ${process})` : "";
  return new UsageError(
    `Another command is writing ${directory}${who}, so nothing was written: run this again when that has ended, or remove ` +
      `${directory}/${CLAIM} if no command is running`,
  );
}
