/**
 * Keeps the inspector of Node closed. SIGUSR1 would open it, and whoever reaches its port runs code
 * in this process (Node.js, "process signal events").
 */

/** A handler replaces what Node does at the signal. The process does not wait for it. */
export function ignoreInspectorSignal(): void {
  process.on("SIGUSR1", () => undefined);
}
