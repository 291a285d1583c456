/** `move`: gives an expression to another concept. */
import { defineCommand } from "../../../commands/command.ts";
import { text } from "../../../commands/options.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { planMove } from "../amend/plans.ts";
import { amend, DECIDE, oneArgument, reviewerOf } from "./amend-outcome.ts";

export const command = defineCommand({
  usage: "EXPRESSION --to CODE --as ROLE --on DATE",
  does:
    "Gives an expression to another concept, with its status, and says if that reassigns what the last release resolves: the " +
    "next one then needs a reason. The concept that had it keeps it as rejected, so that an import does not bring it back.",
  options: { ...DECIDE, to: text("CODE", "the concept that gets it, by its code or sourceId") },
  takesArguments: true,
  run: (outside, options, args) => {
    const { to, from, language } = options;
    const expression = oneArgument("the expression", args);
    if (to === undefined) throw new UsageError("--to CODE is needed: the concept that gets it");
    const reviewer = reviewerOf(options);
    return amend(outside, options, {
      plan: (source) => planMove(source, [expression, { from, language }], { to, reviewer }),
    });
  },
});
