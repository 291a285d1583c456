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
import { type Command, flagOf, type Outside } from "./commands/command.ts";
import { invocation } from "./effects/invocation.ts";
import { suggestion } from "./text/nearest.ts";
import { VERSION } from "./text/package.ts";

interface Entry {
  readonly does: string;
  load(): Promise<{ readonly command: Command }>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  init: { does: "start a repository for a vocabulary", load: () => import("./tools/vocabulary/commands/init.ts") },
  eject: { does: "copy a file of the package's content into yours", load: () => import("./commands/eject.ts") },
  start: { does: "build what is missing or outdated, then serve it", load: () => import("./commands/start.ts") },
  dev: { does: "show a preview that follows every change", load: () => import("./tools/dev/commands/dev.ts") },
  build: { does: "make dist from registry and content", load: () => import("./commands/build.ts") },
  verify: { does: "check a built dist", load: () => import("./tools/publish/commands/verify.ts") },
  host: {
    does: "write the configuration of a web server for a release",
    load: () => import("./tools/hosts/commands/host.ts"),
  },
  "verify-origin": {
    does: "check that a server serves a release unchanged",
    load: () => import("./tools/hosts/commands/verify-origin.ts"),
  },
  resolve: { does: "resolve an expression offline", load: () => import("./tools/query/commands/resolve.ts") },
  lookup: {
    does: "find the code that has an external identifier",
    load: () => import("./tools/query/commands/lookup.ts"),
  },
  explain: {
    does: "say which rule allowed or stopped a resolution",
    load: () => import("./tools/query/commands/explain.ts"),
  },
  lint: { does: "list every finding of the registry", load: () => import("./commands/lint.ts") },
  mint: { does: "make codes that no concept has or had", load: () => import("./tools/vocabulary/commands/mint.ts") },
  import: { does: "bring a vocabulary into a registry", load: () => import("./tools/vocabulary/commands/import.ts") },
  propose: {
    does: "write a record of a proposal made by an issue form",
    load: () => import("./tools/vocabulary/commands/propose.ts"),
  },
  review: {
    does: "list what waits for review, accept or reject it",
    load: () => import("./tools/vocabulary/commands/review.ts"),
  },
  "release-registry": {
    does: "record the registry as a version",
    load: () => import("./tools/vocabulary/commands/release-registry.ts"),
  },
  export: { does: "write the registry in another format", load: () => import("./tools/vocabulary/commands/export.ts") },
  mcp: {
    does: "serve agents on this machine over standard input and output",
    load: () => import("./tools/query/commands/mcp.ts"),
  },
  reconcile: {
    does: "serve the W3C Reconciliation API",
    load: () => import("./tools/reconcile/commands/reconcile.ts"),
  },
  store: { does: "fill or clean a store of blocks", load: () => import("./tools/store/commands/store.ts") },
  release: {
    does: "check, build, verify and write a release",
    load: () => import("./tools/publish/commands/release.ts"),
  },
  diff: { does: "show the differences between two releases", load: () => import("./tools/compare/commands/diff.ts") },
};

const COMMAND_NAMES = Object.keys(COMMANDS);

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
  const guardedOutside = { ...outside, console: guarded(outside.console) };
  let exitCode = 0;
  let flags: readonly string[] = [];
  const program = newParser(guardedOutside.console);
  for (const [name, { does }] of Object.entries(COMMANDS)) program.command(name).summary(does);
  program.hook("preSubcommand", async (_, parser) => {
    const { command } = (await COMMANDS[parser.name()]?.load()) ?? {};
    if (command === undefined) return;
    flags = Object.keys(command.options).map(flagOf);
    define(parser, command).action(async () => {
      const options = parser.opts<Record<string, readonly string[] | true>>();
      requireValues(options, args);
      exitCode = await command.start(guardedOutside, { options, args: parser.args });
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
    return new UsageError(said + (suggestion(written, COMMAND_NAMES) || `: ${COMMAND_NAMES.join(", ")}`));
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
