/** `propose`: writes the text of an issue that a form made as a record that waits for review. */
import { isUtf8 } from "node:buffer";
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import type { ExpressionRecord } from "../../../registry/record.ts";
import { checkConcept } from "../../../registry/check-concept.ts";
import { recordFile } from "../../../registry/read.ts";
import { isError } from "../../../text/finding.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { writeRegistryFiles } from "../edit/write.ts";
import { mintForNames, takenCodes } from "../import/mint.ts";
import { formatProposal, PROPOSAL_MAX_LENGTH, readProposal } from "../import/proposal.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { REGISTRY, text, type Values } from "../../../commands/options.ts";
import { readWhole, reportErrors } from "../../../commands/registry.ts";

const OPTIONS = { registry: REGISTRY, from: text("FILE", "the text of the issue") };

export const command = defineCommand({
  usage: "--from FILE",
  does:
    "Writes the concept that somebody proposed with the issue form of your repository: a new record with a new code, whose " +
    "expressions wait for review. Nothing of it is published before somebody accepts it.",
  options: OPTIONS,
  run: runPropose,
});

/**
 * Exit code 1 if the registry cannot be read whole, if the text is not a proposal, or if its record
 * breaks a rule; nothing is written then.
 */
function runPropose(outside: Outside, { registry: directory, from }: Values<typeof OPTIONS>): number {
  const { effects, console } = outside;
  if (from === undefined) throw new UsageError("--from FILE is needed");
  if (effects.kind(from) !== "file") throw new UsageError(`--from ${from} is not a file`);
  const source = readWhole(outside, directory);
  if (source === undefined) return 1;
  const bytes = effects.read(from);
  if (!isUtf8(bytes)) {
    console.error(`${from} is not UTF-8: save it as UTF-8; nothing was written`);
    return 1;
  }
  const isTooLong = bytes.length > 4 * PROPOSAL_MAX_LENGTH;
  const proposal = readProposal(isTooLong ? "" : new TextDecoder().decode(bytes), source.registry.license);
  if (typeof proposal === "string") {
    console.error(`${proposal}; nothing was written`);
    return 1;
  }
  const [code = ""] = mintForNames(takenCodes(source), [proposal.record.name]);
  const record = { code, ...proposal.record };
  const file = recordFile(record.domain, code);
  // An import lets expressions with some faults wait for review. Here expressions are checked as if
  // reviewed, so that the proposer learns of the faults at once.
  const expressions = record.expressions.map((one): ExpressionRecord => ({ ...one, reviewStatus: REVIEWED }));
  const findings = checkConcept({ file, record: { ...record, expressions } }, new Set(source.registry.languages));
  const errors = findings.filter(isError);
  if (errors.length > 0) {
    reportErrors(console, directory, errors);
    return 1;
  }
  writeRegistryFiles(effects, { directory }, new Map([[file, formatProposal(record)]]));
  for (const { before, after } of proposal.repaired)
    console.print(`Repaired ${quote(before)} to ${quote(after)}: spaces or composition that nobody sees`);
  console.print(`Wrote ${directory}/${file}`);
  return 0;
}
