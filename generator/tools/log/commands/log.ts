/** `log`: keeps the transparency log of releases, and reads anybody's. */
import { defineCommand } from "../../../commands/command.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { ProofError } from "../c2sp.ts";
import { UnreachableError } from "../source.ts";
import { LOG_OPTIONS } from "./log-options.ts";
import { runAppend, runInit, runSign, runWitness } from "./owner.ts";
import { runCheck, runProve, runVerify } from "./reader.ts";

const VERBS = {
  init: { run: runInit, arguments: 0 },
  append: { run: runAppend, arguments: 0 },
  sign: { run: runSign, arguments: 0 },
  witness: { run: runWitness, arguments: 0 },
  prove: { run: runProve, arguments: 0 },
  verify: { run: runVerify, arguments: 1 },
  check: { run: runCheck, arguments: 1 },
};

export const command = defineCommand({
  usage: `${Object.keys(VERBS).join("|")} [options]`,
  does:
    "init makes a key and an empty log; append adds the last recorded release, once it is built; sign signs the checkpoint; " +
    "witness has it cosigned. prove prints a proof of an expression, a code or a release, from a folder or from --log URL. verify PROOF checks one offline; " +
    "check DIR|URL checks a whole log. Exit code 1: something contradicts, in one line each; 2: it cannot be read.",
  options: LOG_OPTIONS,
  takesArguments: true,
  async run(outside, options, [verb = "", ...args]) {
    const found = Object.entries(VERBS).find(([name]) => name === verb)?.[1];
    if (found === undefined) throw new UsageError(`Use ${Object.keys(VERBS).join(", ")}`);
    if (args.length !== found.arguments)
      throw new UsageError(found.arguments === 0 ? `log ${verb} takes no argument` : `log ${verb} takes one argument`);
    try {
      return await found.run(outside, options, args[0] ?? "");
    } catch (error) {
      if (!(error instanceof ProofError || error instanceof UnreachableError)) throw error;
      outside.console.progress("");
      outside.console.error(error.message);
      return error instanceof ProofError ? 1 : 2;
    }
  },
});
