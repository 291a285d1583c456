/**
 * The command line: every command by its name, each loaded when it runs, so that a resolve does not
 * wait for the modules of a build. Exit codes: 0 done, 1 findings or a refusal, 2 wrong usage; a
 * command may have more, which its help names.
 */
import { Command as Parser, CommanderError, Option } from "commander";
import { ReleaseError } from "../runtime/release/plain-file.ts";
import { OutputError } from "./effects/output.ts";
import { guarded, refusalOf } from "./effects/print.ts";
import { UsageError } from "./text/usage-error.ts";
import { type Command, flagOf, type Outside, type Program } from "./commands/command.ts";
import { invocation } from "./effects/invocation.ts";
import { type CommandName, COMMANDS } from "./text/commands.ts";
import { suggestion } from "./text/nearest.ts";
import { VERSION } from "./text/package.ts";

type Load = () => Promise<{ readonly command: Command }>;

const LOADS: Readonly<Record<CommandName, Load>> = {
  init: () => import("./tools/vocabulary/commands/init.ts"),
  eject: () => import("./commands/eject.ts"),
  start: () => import("./commands/start.ts"),
  dev: () => import("./tools/dev/commands/dev.ts"),
  build: () => import("./commands/build.ts"),
  verify: () => import("./tools/publish/commands/verify.ts"),
  host: () => import("./tools/hosts/commands/host.ts"),
  "verify-origin": () => import("./tools/hosts/commands/verify-origin.ts"),
  resolve: () => import("./tools/query/commands/resolve.ts"),
  lookup: () => import("./tools/query/commands/lookup.ts"),
  check: () => import("./tools/data/commands/check.ts"),
  explain: () => import("./tools/query/commands/explain.ts"),
  lint: () => import("./commands/lint.ts"),
  mint: () => import("./tools/vocabulary/commands/mint.ts"),
  import: () => import("./tools/vocabulary/commands/import.ts"),
  propose: () => import("./tools/vocabulary/commands/propose.ts"),
  gaps: () => import("./tools/vocabulary/commands/gaps.ts"),
  add: () => import("./tools/vocabulary/commands/add.ts"),
  rename: () => import("./tools/vocabulary/commands/rename.ts"),
  move: () => import("./tools/vocabulary/commands/move.ts"),
  retire: () => import("./tools/vocabulary/commands/retire.ts"),
  reject: () => import("./tools/vocabulary/commands/reject.ts"),
  review: () => import("./tools/vocabulary/commands/review.ts"),
  "release-registry": () => import("./tools/vocabulary/commands/release-registry.ts"),
  export: () => import("./tools/vocabulary/commands/export.ts"),
  mcp: () => import("./tools/query/commands/mcp.ts"),
  reconcile: () => import("./tools/reconcile/commands/reconcile.ts"),
  store: () => import("./tools/store/commands/store.ts"),
  release: () => import("./tools/publish/commands/release.ts"),
  log: () => import("./tools/log/commands/log.ts"),
  diff: () => import("./tools/compare/commands/diff.ts"),
};

const NAMES = Object.keys(COMMANDS);

/**
 * Errors that a person can fix are reported in one line; those of the operating system, in its own
 * words.
 */
const EXPECTED = [UsageError, OutputError, ReleaseError];

/** Runs a command line and reports expected errors. Returns the exit code. */
export async function runAndReport(outside: Outside, args: readonly string[]): Promise<number> {
  try {
    return await runProgram(outside, args);
  } catch (error) {
    outside.console.progress("");
    const isOfSystem = error instanceof Error && "syscall" in error;
    if (!isOfSystem && !EXPECTED.some((kind) => error instanceof kind)) throw error;
    outside.console.error(refusalOf(error as Error));
    return isOfSystem ? 1 : 2;
  }
}

/** Runs a command line. Returns the exit code; throws UsageError for a wrong one. */
export async function runProgram(outside: Outside, args: readonly string[]): Promise<number> {
  const inside: Program = {
    ...outside,
    console: guarded(outside.console),
    run: (other) => runProgram(outside, other),
  };
  let exitCode = 0;
  let flags: readonly string[] = [];
  const program = newParser(inside.console);
  for (const [name, { does }] of Object.entries(COMMANDS)) program.command(name).summary(does);
  program.hook("preSubcommand", async (_, parser) => {
    const { command } = await LOADS[parser.name() as CommandName]();
    flags = Object.keys(command.options).map(flagOf);
    define(parser, command).action(async () => {
      const options = parser.opts<Record<string, readonly string[] | true>>();
      requireValues(options, args);
      exitCode = await command.start(inside, { options, args: parser.args });
    });
  });
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw wrongUsage(error, flags);
  }
  return exitCode;
}

/**
 * Its commands print and throw as it does. The options after their names belong to them:
 * release-registry has a --version too.
 */
function newParser(console: Outside["console"]): Parser {
  return new Parser("COMMAND")
    .usage("[options]")
    .helpCommand(false)
    .helpOption("-h, --help", "print this text")
    .version(VERSION, "--version", "print the version")
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: (text) => console.print(text.trimEnd()), writeErr: () => undefined })
    .configureHelp({
      commandUsage: (parser) => invocation(parser.name(), parser.usage()),
      subcommandTerm: (parser) => invocation(parser.name()),
    });
}

function define(parser: Parser, { usage, does, options }: Command): Parser {
  parser.usage(usage).description(does).allowExcessArguments();
  for (const [name, { value, help }] of Object.entries(options)) {
    const option = new Option(flagOf(name) + (value === undefined ? "" : ` <${value}>`), help);
    if (value !== undefined) option.argParser((text, before?: readonly string[]) => [...(before ?? []), text]);
    parser.addOption(option);
  }
  return parser;
}

/** The parser accepts any text as a value, even the option after one whose value was forgotten. */
function requireValues(options: Readonly<Record<string, readonly string[] | true>>, args: readonly string[]): void {
  for (const [name, given] of Object.entries(options)) {
    const flag = flagOf(name);
    const isNext = (value: string): boolean => args.some((arg, at) => arg === flag && args[at + 1] === value);
    const wrong = given === true ? undefined : given.find((value) => /^-./.test(value) && isNext(value));
    if (wrong !== undefined)
      throw new UsageError(`${flag} needs a value; one that begins with - is written ${flag}=${wrong}`);
  }
}

/** The message of the parser on one line, with what may have been meant. */
function wrongUsage({ code, message }: CommanderError, flags: readonly string[]): UsageError {
  const line = message.replace(/^error: /, "").replaceAll(/\s+/g, " ");
  const said = line.charAt(0).toUpperCase() + line.slice(1);
  const [, dashes = "", written = ""] = /'(-*)(.*)'/.exec(line) ?? [];
  if (code === "commander.unknownCommand")
    return new UsageError(said + (suggestion(written, NAMES) || `: ${NAMES.join(", ")}`));
  if (code === "commander.unknownOption")
    return new UsageError(
      said +
        (suggestion(
          written,
          flags.map((flag) => flag.slice(2)),
          dashes,
        ) || "; an argument that begins with - goes after --"),
    );
  return new UsageError(said);
}
