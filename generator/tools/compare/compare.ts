/**
 * Opens, compares and closes two releases. The result has answers first, then concepts, facts and
 * documents.
 */
import { BUNDLE_FILE, INDEX_FILE } from "../../../runtime/contract/files.ts";
import { compatibilityOf } from "../../contract/changes.ts";
import type { Effects } from "../../effects/effects.ts";
import { invocation } from "../../effects/invocation.ts";
import { shellPath } from "../../text/shell.ts";
import type { Comparison, DocumentChange, Side } from "./comparison.ts";
import { compareConcepts } from "./concepts.ts";
import { compareDocuments } from "./documents.ts";
import { compareFacts } from "./facts.ts";
import { compareResolutions } from "../../promise/resolutions.ts";
import { type Located, locate } from "./release-folder.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";

/** `progress` is given a line for each step. */
export async function comparePair(
  effects: Effects,
  pair: readonly [string, string],
  progress: (text: string) => void,
): Promise<Comparison> {
  const [a, b] = [locate(effects, pair[0]), locate(effects, pair[1])];
  const opened: Snapshot[] = [];
  const open = async (side: Located): Promise<Snapshot> => {
    progress(`Reading ${side.given}`);
    const snapshot = await openSnapshot(effects, side);
    opened.push(snapshot);
    return snapshot;
  };
  try {
    return await compareSnapshots(effects, [await open(a), await open(b)], progress);
  } finally {
    for (const snapshot of opened) snapshot.close();
  }
}

async function compareSnapshots(
  effects: Effects,
  [a, b]: readonly [Snapshot, Snapshot],
  progress: (text: string) => void,
): Promise<Comparison> {
  const found = await compareDocuments(a, b);
  const compiled = [INDEX_FILE, BUNDLE_FILE];
  const indexed = found.some(({ path, change }) => compiled.includes(path) && change !== "removed");
  const resolutions = indexed
    ? compareResolutions(effects, [a, b], (done) => progress(`Resolving: ${done} expressions`))
    : [];
  const concepts = indexed ? compareConcepts(effects, [a, b], (done) => progress(`Comparing: ${done} concepts`)) : [];
  const facts = compareFacts(a, b);
  const differs = resolutions.length + concepts.length + facts.length > 0;
  const documents = explains(a, b, resolutions.length + concepts.length)
    ? found
    : found.map((document) => (document.path === INDEX_FILE ? withSizes(document, a, b) : document));
  // Reassigned ones come first.
  const [first] = resolutions;
  return {
    schema: "service-semantics.diff.v1",
    verdict: first?.kind === "reassigned" ? "reassigned" : documents.length > 0 ? "different" : "same",
    compatibility: compatibilityOf(resolutions, concepts),
    meaningful: differs || documents.some(({ only }) => only === undefined),
    a: a.side,
    b: b.side,
    warnings: warningsOf(a, b),
    resolutions,
    concepts,
    facts,
    documents,
  };
}

/**
 * Whether the findings explain why the indexes differ; if not, all that is known is that they do.
 */
function explains({ side: a }: Snapshot, { side: b }: Snapshot, changes: number): boolean {
  return changes > 0 || a.origin !== b.origin || a.registryVersion !== b.registryVersion;
}

function withSizes({ path, change }: DocumentChange, a: Snapshot, b: Snapshot): DocumentChange {
  const [before = 0, after = 0] = [a, b].map(({ files }) => files.find((file) => file.path === path)?.bytes);
  return { path, change, follows: 0, sizes: { before, after } };
}

/** `verify` reads folders only. */
function verifying({ given, kind }: Side): string {
  return kind === "directory" ? invocation("verify", shellPath(given)) : `unpacked, ${invocation("verify", "DIR")}`;
}

function warningsOf(a: Snapshot, b: Snapshot): string[] {
  return Object.entries({ A: a, B: b }).flatMap(([name, { whole, side }]) => [
    ...(whole ? [] : [`${name} is not whole: ${verifying(side)} names each fault`]),
    ...(side.origin === null ? [`${name} names no origin in its manifest: addresses are compared unchanged`] : []),
  ]);
}
