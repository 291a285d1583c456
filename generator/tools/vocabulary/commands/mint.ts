/**
 * `mint`: prints codes that no concept has or had, for concepts that are written by hand. It writes
 * nothing.
 */
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import type { EditableSource } from "../../../registry/read.ts";
import { mintForNames, mintUnnamed, takenCodes } from "../import/mint.ts";
import { onOneLine } from "../import/text.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { REGISTRY, text, texts, type Values } from "../../../commands/options.ts";
import { readWhole } from "../../../commands/registry.ts";

const OPTIONS = {
  registry: REGISTRY,
  name: texts("TEXT", "the name of a future concept, which may also be an argument: the same name gives the same code"),
  count: text("N", "how many codes, for concepts that have no name yet (1)"),
};

export const command = defineCommand({
  usage: '["Refund request"] [--count N]',
  does:
    "Prints codes in the form of those in the registry that no concept has or had, one per line, and writes nothing. " +
    "They are derived from the name, else from all known codes, so the same registry gives the same codes.",
  options: OPTIONS,
  takesArguments: true,
  run: (outside, { name, ...options }, [argument, ...others]) => {
    if (others.length > 0)
      throw new UsageError("Name one concept: put its name in quotes if it has spaces, or repeat --name");
    return runMint(outside, { ...options, name: argument === undefined ? name : [...name, argument] });
  },
});

const COUNT_MAX = 10_000;

function runMint(outside: Outside, { registry: directory, name: names, count }: Values<typeof OPTIONS>): number {
  if (names.length > 0 && count !== undefined)
    throw new UsageError("--count cannot be used with names: each name has a code");
  // In the form of a record, so that the same name does not get another code if it is typed or
  // composed differently.
  const plain = names.map(onOneLine);
  if (plain.includes("")) throw new UsageError("A name must not be empty");
  const number = count === undefined ? 1 : Number(count);
  if (count !== undefined && !(/^[1-9][0-9]*$/.test(count) && number <= COUNT_MAX))
    throw new UsageError(`--count ${JSON.stringify(count)} is not a whole number from 1 to ${COUNT_MAX}`);
  const source = readWhole(outside, directory);
  if (source === undefined) return 1;
  const known = takenCodes(source);
  const codes = plain.length > 0 ? mintForNames(known, plain) : mintUnnamed(known, number);
  for (const name of plain) reportNamed(outside, source, name);
  outside.console.print(codes.join("\n"));
  return 0;
}

/** A second concept of the same name is seldom meant, but not wrong. */
function reportNamed({ console }: Outside, { concepts }: EditableSource, name: string): void {
  const codes = concepts.flatMap(({ record }) => (record.name === name ? [record.code] : []));
  if (codes.length > 0) console.error(`Notice: ${quote(name)} is already the name of ${codes.join(", ")}`);
}
