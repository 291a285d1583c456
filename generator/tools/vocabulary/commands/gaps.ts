/** `gaps`: from expressions that people asked for in vain to proposals that wait for review. */
import { invocation } from "../../../effects/invocation.ts";
import { countOf, printLines } from "../../../effects/print.ts";
import { GatheredGaps, type GatheredGap } from "../../../scratch/gathered-gaps.ts";
import { quote } from "../../../text/printable.ts";
import { folderArgument } from "../../../text/shell.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { regularFile } from "../../../commands/export-target.ts";
import { gatherFrom, writeGaps } from "../../../commands/gaps-file.ts";
import {
  DRY_RUN,
  flag,
  goesWith,
  type Option,
  REGISTRY,
  requireApart,
  text,
  type Values,
} from "../../../commands/options.ts";
import { readWhole } from "../../../commands/registry.ts";
import type { EditableSource } from "../../../registry/read.ts";
import { assertTag } from "../amend/named.ts";
import { assertNewDomain } from "../amend/new-concept.ts";
import { type GapGroup, groupsOf } from "../gaps/group.ts";
import { nearIn } from "../gaps/near.ts";
import { planProposals, type Proposals } from "../gaps/propose.ts";
import { rowOf, TABLE_HEAD } from "../gaps/table.ts";
import { amend } from "./amend-outcome.ts";

const OPTIONS = {
  registry: REGISTRY,
  minSources: text("K", "leave out what fewer than K of the files have (1)"),
  into: text("FILE", "write the merged gaps to this file"),
  propose: flag("write the groups as expressions or concepts that wait for review"),
  domain: proposing(text("NAME", "the domain of new concepts, for what no concept is near (no new concepts)")),
  language: proposing(text("TAG", "the language of expressions that were asked for without one")),
  dryRun: proposing(DRY_RUN),
};
type GapsOptions = Values<typeof OPTIONS>;

function proposing<T>(option: Option<T>): Option<T> {
  return goesWith("--propose", ({ options }) => "propose" in options, option);
}

/** The most groups of one run: more than anybody reviews at once. */
const PROPOSED_MOST = 1000;

export const command = defineCommand({
  usage: "FILE... [--min-sources K] [--into FILE] [--propose]",
  does:
    "Merges files of expressions that abstained, as resolve --keep and the kits write them, groups what is near in form, and " +
    "prints each group with the concepts that are near and the languages that they lack. With --propose, the expression " +
    "that is asked for most in each group is added to the one concept that is near, or as a new concept; all of them wait " +
    `for review, ${PROPOSED_MOST} groups at a time. Nothing is sent anywhere.`,
  options: OPTIONS,
  takesArguments: true,
  run: runGaps,
});

/** Exit code 1 if a file is damaged or not a gaps file, or the registry cannot be changed so. */
async function runGaps(outside: Outside, options: GapsOptions, files: readonly string[]): Promise<number> {
  const { effects, console } = outside;
  const { registry: directory, into, propose, language, domain } = options;
  const least = leastOf(options.minSources);
  if (language !== undefined) assertTag(language);
  assertDistinct(outside, files);
  const target = into === undefined ? undefined : regularFile(effects, "into", into);
  if (into !== undefined) requireApart(effects, ["into", into], [...files, directory]);
  const source = readWhole(outside, directory);
  if (source === undefined) return 1;
  if (domain !== undefined) assertNewDomain(source, domain);
  const gathered = new GatheredGaps(effects);
  for (const [number, file] of files.entries()) if (!gatherFrom(outside, { file, source: number }, gathered)) return 1;
  const counts = { kept: 0, left: 0 };
  const kept = function* (): Generator<GatheredGap, void> {
    for (const gap of gathered) {
      counts[gap.sources < least ? "left" : "kept"]++;
      if (gap.sources >= least) yield gap;
    }
  };
  const most: GapGroup[] = [];
  let groups = 0;
  const find = nearIn(source);
  console.print(TABLE_HEAD);
  for (const group of groupsOf(effects, kept())) {
    if (++groups <= PROPOSED_MOST) most.push(group);
    console.print(rowOf(group, find, source.registry.languages));
    await console.drained?.();
  }
  const { kept: count, left } = counts;
  const dropped = least > 1 ? `; left out ${left} of fewer than ${least} files` : "";
  console.print(`${countOf(count, "expression")} in ${countOf(groups, "group")} from ${countOf(files.length, "file")}${dropped}`); // prettier-ignore
  if (target !== undefined) {
    await writeGaps(effects, target, kept());
    console.print(`Wrote ${into}`);
  }
  return propose ? proposeAll(outside, options, { source, groups: most }) : 0;
}

async function proposeAll(
  outside: Outside,
  options: GapsOptions,
  { source, groups }: { readonly source: EditableSource; readonly groups: readonly GapGroup[] },
): Promise<number> {
  const { console } = outside;
  const plan = (read: EditableSource): Proposals => planProposals(read, groups, options);
  const { amendment, left } = plan(source);
  console.print("");
  await printLines(
    console,
    left.map(({ expression, why }) => `Left ${quote(expression)}: ${why}`),
  );
  if (amendment.changed?.length === 0 && amendment.added?.length === 0) {
    console.print("Nothing to propose");
    return 0;
  }
  const args = `${folderArgument("registry", options.registry)} --accept --as ROLE --on DATE`;
  return amend(outside, options, {
    plan: (read) => plan(read).amendment,
    after: () => ["Next, when somebody has reviewed it:", `  ${invocation("review", args)}`],
  });
}

function leastOf(given = "1"): number {
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new UsageError(`--min-sources ${quote(given)} is not a whole number from 1`);
}

/** A file that is there twice would count as two places. */
function assertDistinct({ effects }: Outside, files: readonly string[]): void {
  if (files.length === 0) throw new UsageError("Name a file of gaps");
  const known = new Map<string, string>();
  for (const file of files) {
    if (effects.kind(file) !== "file") throw new UsageError(`${file} is not a file`);
    const { bytes, sha256 } = effects.digest(file);
    const same = bytes === 0 ? undefined : known.get(sha256);
    if (same !== undefined)
      throw new UsageError(`${same} and ${file} are the same gaps: name each place once, or it counts as several`);
    known.set(sha256, file);
  }
}
