/**
 * Watches folders with chokidar; files whose names begin with a dot, such as those that editors
 * write for themselves, do not count.
 */
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { isVisible } from "../../effects/effects.ts";

export interface Watcher {
  /** Resolves when something has changed since the last call, and then nothing for a moment. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A change counts after this time without another, so that a checkout of a hundred files is one
 * change.
 */
const QUIET_MS = 40;

/** Watches as soon as it resolves; `report` gets the errors of watching. */
export async function watchFolders(folders: readonly string[], report: (fault: string) => void): Promise<Watcher> {
  // A folder that is removed and comes back is seen from its parent.
  const parents = [...new Set(folders.map((folder) => path.dirname(path.resolve(folder))))];
  const isIgnored = (file: string): boolean =>
    !parents.includes(path.resolve(file)) && folders.every((folder) => !isVisible(path.relative(folder, file)));
  let isPending = false;
  let isReplaced = false;
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<FSWatcher>;
  const tell = async (): Promise<void> => {
    if (isReplaced) {
      isReplaced = false;
      watching = watching.then(async (before) => (await before.close(), begin()));
      await watching;
    }
    isPending = true;
    wake?.();
  };
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void tell(), QUIET_MS);
  };
  const begin = async (): Promise<FSWatcher> => {
    const watcher = watch(parents, { ignoreInitial: true, ignored: isIgnored });
    watcher.on("error", (error) => report(`Cannot watch ${folders.join(", ")}: ${(error as Error).message}`));
    watcher.on("all", settle);
    // A removed folder reports this under its own name. If it is back at once, chokidar still
    // watches the removed one.
    watcher.on("raw", (_event, name, about) => {
      if (name !== path.basename((about as { watchedPath: string }).watchedPath)) return;
      isReplaced = true;
      settle();
    });
    await new Promise<void>((resolve) => void watcher.once("ready", resolve));
    return watcher;
  };
  watching = begin();
  await watching;
  return {
    async changed() {
      if (!isPending) await new Promise<void>((resolve) => (wake = resolve));
      isPending = false;
    },
    async close() {
      clearTimeout(timer);
      await (await watching).close();
    },
  };
}
