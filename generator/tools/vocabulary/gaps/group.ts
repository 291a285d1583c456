/**
 * Groups gaps whose expressions are near in form (runtime/registry/near-form.ts), the most asked
 * for first. Groups and gaps may be more than memory holds; of one group only the spellings that
 * are asked for most are kept.
 */
import { nearForms } from "../../../../runtime/registry/near-form.ts";
import type { MemoryBudget } from "../../../effects/effects.ts";
import type { GatheredGap } from "../../../scratch/gathered-gaps.ts";
import { SortedRecords } from "../../../scratch/sorted-records.ts";
import { compareCodePoints } from "../../../text/order.ts";

export interface GapGroup {
  /** The text that the rules make of each of them. */
  readonly form: string;
  readonly count: number;
  /** The most files that have one of them. */
  readonly sources: number;
  /** How many there are. */
  readonly size: number;
  /** The most asked for first, at most SHOWN_MOST. */
  readonly gaps: readonly GatheredGap[];
}

export const SHOWN_MOST = 5;

/** Two expressions are near in form if and only if this is the same text. */
export function formOf(expression: string): string {
  return nearForms(expression).at(-1)?.text ?? expression;
}

/** The groups by their counts, then by their forms. */
export function* groupsOf(budget: MemoryBudget, gathered: Iterable<GatheredGap>): Generator<GapGroup, void> {
  const byForm = new SortedRecords(budget);
  for (const gap of gathered) byForm.addText(formOf(gap.expression), JSON.stringify(gap));
  const byCount = new SortedRecords(budget);
  for (const group of inGroups(byForm)) {
    const rank = String(Number.MAX_SAFE_INTEGER - group.count).padStart(16, "0");
    byCount.addText(`${rank} ${group.form}`, JSON.stringify(group));
  }
  for (const { head } of byCount) yield JSON.parse(decoder.decode(head)) as GapGroup;
}

function* inGroups(byForm: SortedRecords): Generator<GapGroup, void> {
  let group: GapGroup | undefined;
  for (const { key, head } of byForm) {
    const gap = JSON.parse(decoder.decode(head)) as GatheredGap;
    if (group !== undefined && group.form !== key) yield group;
    group = group?.form === key ? withGap(group, gap) : withGap(emptyGroup(key), gap);
  }
  if (group !== undefined) yield group;
}

function emptyGroup(form: string): GapGroup {
  return { form, count: 0, sources: 0, size: 0, gaps: [] };
}

function withGap(group: GapGroup, gap: GatheredGap): GapGroup {
  return {
    form: group.form,
    count: Math.min(group.count + gap.count, Number.MAX_SAFE_INTEGER),
    sources: Math.max(group.sources, gap.sources),
    size: group.size + 1,
    gaps: [...group.gaps, gap].sort(mostAsked).slice(0, SHOWN_MOST),
  };
}

function mostAsked(a: GatheredGap, b: GatheredGap): number {
  return b.count - a.count || compareCodePoints(a.expression, b.expression);
}

const decoder = new TextDecoder();
