/**
 * What a release remembers: what the release before remembers, with what this one publishes, gives
 * and takes away. The same releases give the same bytes.
 */
import { createHash } from "node:crypto";
import type { ResolutionChange } from "../../../contract/changes.ts";
import { SortedRecords, textsByKey } from "../../../scratch/sorted-records.ts";
import { Spool } from "../../../scratch/spool.ts";
import type { CheckedRegistry } from "../../../registry/checked.ts";
import {
  type CodeLine,
  type CodeState,
  digestHistory,
  type EarlierLine,
  type Head,
  type Memory,
  publishedLine,
  requestOrder,
  stateOf,
} from "../../../registry/memory.ts";
import type { RegistryStream } from "../../../registry/read.ts";
import { compareCodePoints } from "../../../text/order.ts";

/** The release that is recorded: its records, and what it changes. */
export interface Recording {
  readonly source: Pick<RegistryStream, "concepts" | "retired" | "history" | "memory">;
  readonly registry: CheckedRegistry;
  readonly changes: readonly ResolutionChange[];
}

/** The file, and its SHA-256. `close` it after it was written. */
export interface NextMemory {
  readonly sha256: string;
  readonly chunks: Iterable<Uint8Array>;
}

export function nextMemory({ source, registry, changes }: Recording): NextMemory {
  const { registryVersion, contentSha256, concepts } = registry;
  const lines = new Spool(concepts.budget);
  const digest = createHash("sha256");
  const write = (value: Head | CodeLine | EarlierLine): void => {
    const line = encoder.encode(`${JSON.stringify(value)}\n`);
    digest.update(line);
    lines.append(line);
  };
  write({ registryVersion, contentSha256, historySha256: digestHistory(source.history) });
  for (const line of codeLines(source, registry)) write(line);
  for (const line of earlierLines(source.memory, changes)) write(line);
  return { sha256: digest.digest("hex"), chunks: lines.chunks() };
}

/** Every code that was ever given, in code order. */
function* codeLines(
  { concepts, retired, memory }: Recording["source"],
  registry: CheckedRegistry,
): Generator<CodeLine, void> {
  const byCode = new SortedRecords(registry.concepts.budget);
  for (const line of memory?.codes ?? []) byCode.addText(line.code, stateOf(line));
  for (const { code } of retired) byCode.addText(code, NOW_RETIRED);
  for (const { record } of concepts) byCode.addText(record.code, NOW_THERE);
  const published = registry.concepts[Symbol.iterator]();
  let next = published.next().value;
  for (const { key: code, texts } of textsByKey(byCode)) {
    if (next?.code === code) {
      yield publishedLine(next);
      next = published.next().value;
    } else yield { code, state: unpublishedState(texts) };
  }
}

/** Marks of what the registry says now; the others are what the memory says. */
const NOW_RETIRED = "now retired";
const NOW_THERE = "now there";

function unpublishedState(marks: readonly string[]): Exclude<CodeState, "published"> {
  if (marks.includes(NOW_RETIRED)) return "retired";
  if (!marks.includes(NOW_THERE)) return "removed";
  return marks.includes("published") || marks.includes("withdrawn") ? "withdrawn" : "waiting";
}

/** The requests that abstain now and once resolved, each with its last code. */
function* earlierLines(memory: Memory | undefined, changes: readonly ResolutionChange[]): Generator<EarlierLine, void> {
  const resolving = new Set<string>();
  const abstaining: EarlierLine[] = [];
  for (const { expression, language, before, after } of changes) {
    if ("code" in after) resolving.add(requestOrder({ expression, language }));
    else if ("code" in before && memory !== undefined)
      abstaining.push({ expression, language, code: before.code, lastIn: memory.release.registryVersion });
  }
  abstaining.sort((a, b) => compareCodePoints(requestOrder(a), requestOrder(b)));
  let at = 0;
  for (const line of memory?.earlier ?? []) {
    const key = requestOrder(line);
    for (; at < abstaining.length; at++) {
      const added = abstaining[at];
      if (added === undefined || compareCodePoints(requestOrder(added), key) > 0) break;
      yield added;
    }
    if (!resolving.has(key)) yield line;
  }
  yield* abstaining.slice(at);
}

const encoder = new TextEncoder();
