/** `npm run diff -- A B`: what differs between two releases, for auditors. */
import { compareSnapshots } from "../diff/compare.ts";
import type { Comparison } from "../diff/comparison.ts";
import { formatJson } from "../diff/json-report.ts";
import { formatText } from "../diff/report.ts";
import { type Located, locate, openSnapshot, type Snapshot } from "../diff/snapshot.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { type Options } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { printLines } from "../effects/print.ts";

const EXIT_CODES: Record<Comparison["verdict"], number> = { same: 0, different: 1, reassigned: 3 };

/** Exit code 0 for the same bytes, 1 for others, 3 where an expression was reassigned; throws UsageError for the rest. */
export async function runDiff(effects: Effects, console: Console, options: Options): Promise<number> {
  try {
    return await diff(effects, console, options);
  } catch (error) {
    // Exit code 1 says that there is a comparison, so what the operating system refuses must not give it.
    if (error instanceof Error && "syscall" in error) throw new UsageError(error.message);
    throw error;
  }
}

async function diff(effects: Effects, console: Console, options: Options): Promise<number> {
  const [first, second, ...others] = options.positionals;
  if (first === undefined || second === undefined || others.length > 0)
    throw new UsageError("Name two releases: npm run diff -- A B");
  const [a, b] = [await locate(effects, first), await locate(effects, second)];
  const opened: Snapshot[] = [];
  const open = async (side: Located, origin: string | null = null): Promise<Snapshot> => {
    console.progress(`${side.kind === "revision" ? "Building" : "Reading"} ${side.given}`);
    const snapshot = await openSnapshot(
      effects,
      side,
      options.given.has("origin") ? options.origin : (origin ?? options.origin),
    );
    opened.push(snapshot);
    return snapshot;
  };
  try {
    // A release was built for some origin, and a revision beside it is built for the same.
    const late = a.kind === "revision" ? await open(b) : undefined;
    const before = await open(a, late?.side.origin);
    const after = late ?? (await open(b, before.side.origin));
    const comparison = await compareSnapshots(before, after, (text) => console.progress(text));
    console.progress("");
    printLines(console, options.json ? formatJson(comparison) : formatText(comparison));
    return EXIT_CODES[comparison.verdict];
  } finally {
    for (const snapshot of opened) snapshot.close();
  }
}
