/**
 * `mint`: prints codes that no concept has or had, for concepts that are written by hand. It writes
 * nothing.
 */
import { RELEASED_FILE } from "../registry/read.ts";
import { readReleased } from "../registry/released.ts";
import { UsageError } from "../text/usage-error.ts";
import type { EditableSource } from "../vocabulary/edit/edit.ts";
import { knownCodes, mintForNames, mintUnnamed } from "../vocabulary/import/mint.ts";
import { onOneLine } from "../vocabulary/import/text.ts";
import { defineCommand, type Outside } from "./command.ts";
import { REGISTRY, text, texts, type Values } from "./options.ts";
import { readWhole } from "./registry.ts";

const OPTIONS = {
  registry: REGISTRY,
  name: texts("TEXT", "the name of a future concept: one code for each; the same name gives the same code"),
  count: text("N", "how many codes, for concepts that have no name yet (1)"),
};

export const command = defineCommand({
  usage: '[--name "Refund request"] [--count N]',
  does:
    "Prints codes in the form of those in the registry that no concept has or had, one per line, and writes nothing. " +
    "They are derived from the name, else from all known codes, so the same registry gives the same codes.",
  options: OPTIONS,
  run: runMint,
});

const COUNT_MAX = 10_000;

function runMint(outside: Outside, { registry: directory, name: names, count }: Values<typeof OPTIONS>): number {
  if (names.length > 0 && count !== undefined)
    throw new UsageError("--count cannot be used with --name: each name has a code");
  // In the form of a record, so that the same name does not get another code if it is typed or
  // composed differently.
  const plain = names.map(onOneLine);
  if (plain.includes("")) throw new UsageError("--name needs a value");
  const number = count === undefined ? 1 : Number(count);
  if (count !== undefined && !(/^[1-9][0-9]*$/.test(count) && number <= COUNT_MAX))
    throw new UsageError(`--count ${JSON.stringify(count)} is not a whole number from 1 to ${COUNT_MAX}`);
  const source = readWhole(outside, directory);
  if (source === undefined) return 1;
  const known = takenCodes(outside.effects, directory, source);
  const codes = plain.length > 0 ? mintForNames(known, plain) : mintUnnamed(known, number);
  outside.console.print(codes.join("\n"));
  return 0;
}

/**
 * The codes that a concept has or had: those of the registry, of the version that was recorded
 * last, and of the changes that were recorded.
 */
export function takenCodes(effects: Outside["effects"], directory: string, source: EditableSource): Set<string> {
  const last = source.history.at(-1);
  const released = last === undefined ? [] : readReleased(effects, `${directory}/${RELEASED_FILE}`, last);
  const changed = (source.changes ?? []).flatMap(({ record }) => record.concepts);
  return knownCodes(source, [...Array.from(released ?? [], codeOf), ...changed.map(codeOf)]);
}

function codeOf({ code }: { readonly code: string }): string {
  return code;
}
