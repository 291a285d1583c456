/** `retire`: takes a concept out of the registry for good. */
import { defineCommand } from "../../../commands/command.ts";
import { text } from "../../../commands/options.ts";
import { planRetire } from "../amend/plans.ts";
import { AMEND, amend, oneArgument } from "./amend-outcome.ts";

export const command = defineCommand({
  usage: "CODE [--replaced-by CODE] [--reason TEXT]",
  does:
    "Retires a concept: its record goes, and its code is listed in retired.yaml and never used again. Its expressions " +
    "abstain; nothing follows the successor automatically.",
  options: {
    ...AMEND,
    replacedBy: text("CODE", "the concept that people should use, by its code or sourceId"),
    reason: text("TEXT", "why, for people"),
  },
  takesArguments: true,
  run: (outside, { replacedBy, reason, ...options }, args) => {
    const code = oneArgument("the code of a concept", args);
    return amend(outside, options, { plan: (source) => planRetire(source, code, { replacedBy, reason }) });
  },
});
