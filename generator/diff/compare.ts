/** Two snapshots to one comparison: answers first, then concepts, documents and facts. Reads, and decides nothing else. */
import { BUNDLE_FILE, INDEX_FILE } from "../../runtime/release/manifest.ts";
import type { Room } from "../effects/effects.ts";
import { invocation } from "../text/invocation.ts";
import type { Comparison, DocumentChange } from "./comparison.ts";
import { compareConcepts } from "./concepts.ts";
import { compareDocuments } from "./documents.ts";
import { compareFacts } from "./facts.ts";
import { compareResolutions } from "./resolutions.ts";
import type { Snapshot } from "./snapshot.ts";

/** `progress` is differs what is being done. */
export async function compareSnapshots(
  room: Room,
  [a, b]: readonly [Snapshot, Snapshot],
  progress: (text: string) => void,
): Promise<Comparison> {
  const found = await compareDocuments(a, b);
  const compiled = [INDEX_FILE, BUNDLE_FILE];
  const indexed = found.some(({ path, change }) => compiled.includes(path) && change !== "removed");
  const resolutions = indexed
    ? compareResolutions(room, [a, b], (done) => progress(`Resolving: ${done} expressions`))
    : [];
  const concepts = indexed ? compareConcepts(room, [a, b], (done) => progress(`Comparing: ${done} concepts`)) : [];
  const facts = compareFacts(a, b);
  const differs = resolutions.length + concepts.length + facts.length > 0;
  const documents = explains(a, b, resolutions.length + concepts.length)
    ? found
    : found.map((document) => (document.path === INDEX_FILE ? withSizes(document, a, b) : document));
  // They come first.
  const [first] = resolutions;
  return {
    schema: "service-semantics.diff.v1",
    verdict: first?.kind === "reassigned" ? "reassigned" : documents.length > 0 ? "different" : "same",
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

/** Whether what was found is why the indexes differ; if nothing is, all that is known is that they do. */
function explains({ side: a }: Snapshot, { side: b }: Snapshot, changes: number): boolean {
  return changes > 0 || a.origin !== b.origin || a.registryVersion !== b.registryVersion;
}

function withSizes({ path, change }: DocumentChange, a: Snapshot, b: Snapshot): DocumentChange {
  const [before = 0, after = 0] = [a, b].map(({ files }) => files.find((file) => file.path === path)?.bytes);
  return { path, change, follows: 0, sizes: { before, after } };
}

function warningsOf(a: Snapshot, b: Snapshot): string[] {
  return Object.entries({ A: a, B: b }).flatMap(([name, { whole, side }]) => [
    ...(whole ? [] : [`${name} is not whole: run ${invocation("verify")}`]),
    ...(side.origin === null ? [`${name} names no origin in its manifest: addresses are compared as they are`] : []),
  ]);
}
