/** `reject`: takes an expression out of what resolves or waits. */
import { defineCommand } from "../../../commands/command.ts";
import { planReject } from "../amend/plans.ts";
import { amend, DECIDE, oneArgument, reviewerOf } from "./amend-outcome.ts";

export const command = defineCommand({
  usage: "EXPRESSION --as ROLE --on DATE",
  does:
    "Rejects an expression: it is kept as history and no longer resolves or waits. `review --reject` does that to many at " +
    "once; `add` brings one back to review.",
  options: DECIDE,
  takesArguments: true,
  run: (outside, options, args) => {
    const { from, language } = options;
    const expression = oneArgument("the expression", args);
    const reviewer = reviewerOf(options);
    return amend(outside, options, {
      plan: (source) => planReject(source, [expression, { from, language }], reviewer),
    });
  },
});
