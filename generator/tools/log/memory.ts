/**
 * What somebody knows that a log committed to before, by a file of a monitor or by a release, and
 * whether the log continues it. No witness is needed for that.
 */
import type { LogHead } from "../../contract/log-head.ts";
import type { Log } from "./signed-log.ts";
import { rootAt } from "./source.ts";

/** RFC 6962 §2.1.2: the log continues another tree if its first entries make the same root. */
export function memoryFaults(
  { checkpoint, leaves }: Pick<Log, "checkpoint" | "leaves">,
  remembered: LogHead | undefined,
): string[] {
  if (remembered === undefined) return [];
  const { origin, size, root } = remembered;
  if (origin !== checkpoint.origin) return [`The log is ${checkpoint.origin}, but ${origin} was remembered`];
  if (size > checkpoint.size) return [`The log has size ${checkpoint.size}, but had ${size} before: it was cut back`];
  const found = rootAt(leaves, size);
  return found === root
    ? []
    : [`The first ${size} entries make the root ${found}, but had ${root} before: history was rewritten`];
}

interface Stating {
  readonly registryVersion: string;
  /** Of any log: null or undefined if the release was made without one. */
  readonly log?: LogHead | null;
}

/** What releases state of the log before them. Another log may have been kept then. */
export function statedFaults(log: Log, releases: readonly Stating[]): string[] {
  return releases.flatMap(({ registryVersion, log: head }) => {
    if (head?.origin !== log.checkpoint.origin) return [];
    const at = log.entries.findIndex((entry) => entry.registryVersion === registryVersion);
    const faults =
      at >= 0 && head.size > at ? [`It is entry ${at} of the log, not behind ${head.size}`] : memoryFaults(log, head);
    return faults.map((fault) => `${registryVersion} states the log of size ${head.size}: ${fault}`);
  });
}
