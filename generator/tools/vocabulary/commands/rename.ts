/** `rename`: gives a concept another name. */
import { defineCommand } from "../../../commands/command.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { planRename } from "../amend/plans.ts";
import { AMEND, amend, oneArgument } from "./amend-outcome.ts";

export const command = defineCommand({
  usage: "CODE NAME",
  does:
    "Gives a concept another name, which is for people and is never matched. Its code and its expressions stay. A concept " +
    "whose meaning changes is a new concept with a new code.",
  options: AMEND,
  takesArguments: true,
  run: (outside, options, [code, ...names]) => {
    if (code === undefined || code === "") throw new UsageError("Name the code of a concept, and its new name");
    const name = oneArgument("the new name", names);
    return amend(outside, options, { plan: (source) => planRename(source, code, name) });
  },
});
