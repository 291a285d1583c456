/** The two sides of a comparison, opened, compared and closed: a revision is built for the origin of the other side. */
import type { Effects } from "../effects/effects.ts";
import { compareSnapshots } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import { type Located, locate, openSnapshot, type Snapshot } from "./snapshot.ts";

interface Settings {
  /** What revisions are built for: where it is named, in every case; else where the other side has none. */
  readonly origin: string;
  readonly isNamed: boolean;
  readonly progress: (text: string) => void;
}

export async function comparePair(
  effects: Effects,
  [first, second]: readonly [string, string],
  { origin, isNamed, progress }: Settings,
): Promise<Comparison> {
  const [a, b] = [await locate(effects, first), await locate(effects, second)];
  const opened: Snapshot[] = [];
  const open = async (side: Located, other: string | null = null): Promise<Snapshot> => {
    progress(`${side.kind === "revision" ? "Building" : "Reading"} ${side.given}`);
    const snapshot = await openSnapshot(effects, side, isNamed ? origin : (other ?? origin));
    opened.push(snapshot);
    return snapshot;
  };
  try {
    const late = a.kind === "revision" ? await open(b) : undefined;
    const before = await open(a, late?.side.origin);
    const after = late ?? (await open(b, before.side.origin));
    return await compareSnapshots(effects, [before, after], progress);
  } finally {
    for (const snapshot of opened) snapshot.close();
  }
}
