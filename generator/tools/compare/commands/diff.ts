/** `diff`: shows the differences between two releases, for auditors. */
import { COMPATIBILITIES, type Compatibility } from "../../../contract/changes.ts";
import type { Comparison } from "../comparison.ts";
import { formatJson } from "../json-report.ts";
import { formatMarkdown } from "../markdown.ts";
import { comparePair } from "../compare.ts";
import { formatText } from "../report.ts";
import { printLines } from "../../../effects/print.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { invocation } from "../../../effects/invocation.ts";
import { choice, flag, JSON_FLAG, type Option, type Values } from "../../../commands/options.ts";

const OPTIONS = {
  json: JSON_FLAG,
  markdown: flag("print Markdown, for a comment: a change that is the same in many places appears once"),
  failOn: failOption(),
};

/** The levels at which the command fails; undefined if every difference counts. */
function failOption(): Option<readonly Compatibility[] | undefined> {
  const levels = ["breaking", "additive", "editorial"] as const;
  const option = choice("LEVEL", `fail only for an update that is ${levels.join(", ")} or worse`, levels);
  return {
    ...option,
    read(given, named) {
      if (given.length === 0) return undefined;
      return COMPATIBILITIES.slice(0, COMPATIBILITIES.indexOf(option.read(given, named)) + 1);
    },
  };
}

export const command = defineCommand({
  usage: "A B [--json|--markdown] [--fail-on breaking|additive|editorial]",
  does:
    "Shows the differences between two releases: folders, .zip or .tar of a dist.\n\n" +
    "Exit codes: 0 every byte is the same, 1 different, 2 cannot be compared, 3 an expression resolves to another code. " +
    "With --fail-on, 1 only for an update of that level or worse, else 0; 3 stays.",
  options: OPTIONS,
  takesArguments: true,
  run: runDiff,
});

const EXIT_CODES: Record<Comparison["verdict"], number> = { same: 0, different: 1, reassigned: 3 };

async function runDiff(
  { effects, console }: Outside,
  { json, markdown, failOn }: Values<typeof OPTIONS>,
  [first, second, ...others]: readonly string[],
): Promise<number> {
  if (first === undefined || second === undefined || others.length > 0)
    throw new UsageError(`Name two releases: ${invocation("diff", "A B")}`);
  if (json && markdown) throw new UsageError("Use only one of --json and --markdown");
  const format = json ? formatJson : markdown ? formatMarkdown : formatText;
  try {
    const comparison = await comparePair(effects, [first, second], console.progress);
    console.progress("");
    // In JSON, each text is escaped already.
    await printLines(console, format(comparison), json ? "data" : undefined);
    const code = EXIT_CODES[comparison.verdict];
    return code === 1 && failOn !== undefined && !failOn.includes(comparison.compatibility) ? 0 : code;
  } catch (error) {
    // Exit code 1 means that the releases differ, so an error of the operating system must not give
    // it.
    if (error instanceof Error && "syscall" in error) throw new UsageError(error.message);
    throw error;
  }
}
